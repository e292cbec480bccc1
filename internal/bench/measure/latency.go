package measure

import (
	"fmt"
	"slices"
	"time"
)

// A Latency is how long something takes that cannot be done in a loop, such as
// one process waiting for another.
type Latency struct {
	// Name says from when to when.
	Name string
	// Count is how often it is tried.
	Count int
	// Open prepares the attempts, and returns what makes one and what ends them.
	Open func() (attempt func() (time.Duration, error), end func(), err error)
	// Median is the budget. Zero bounds nothing.
	Median time.Duration
}

// Run makes the attempts and gives the latencies, sorted.
func (l Latency) Run() ([]time.Duration, error) {
	attempt, end, err := l.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	defer end()
	var latencies []time.Duration
	for range l.Count {
		took, err := attempt()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		latencies = append(latencies, took)
	}
	slices.Sort(latencies)
	return latencies, nil
}
