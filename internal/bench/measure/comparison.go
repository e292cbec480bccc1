package measure

import (
	"errors"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
)

// A Comparison sets our way of doing some work beside others.
type Comparison struct {
	// Name says what the work is, and of what the ratio is made.
	Name string
	// Ours is the library's way.
	Ours Work
	// Baseline is what ours is held against: hand-written Go where there is
	// such a thing. Without one (no Bench), only the budget in time counts.
	Baseline Work
	// Peers are other libraries' ways.
	Peers []Work
	// Budget is what ours may cost.
	Budget Budget
	// Why says what ours does that something faster does not.
	Why string
}

// A Budget bounds our cost of a step. A zero member bounds nothing, but for
// Allocs, which Unbounded switches off.
type Budget struct {
	Ratio  float64 // times the baseline's
	Nanos  float64 // on a machine whose function call takes UnitNanos
	Allocs float64 // of one step
}

// UnitNanos is how long a call through a function value takes on the machine for
// which budgets in time are meant.
const UnitNanos = 1.5

// Unbounded is the Allocs of a budget that leaves them open.
const Unbounded = -1

// An Outcome is what the rounds of a comparison gave.
type Outcome struct {
	Comparison
	Unit     float64 // what a function call takes here; 0: UnitNanos
	Ours     Sample
	Baseline Sample
	Peers    []Sample
	// Ratios are of ours to the baseline, one a round, sorted. There are none
	// without a baseline.
	Ratios []float64
}

// A Sample is one way's cost in each round.
type Sample struct {
	Name   string
	Rounds []Cost
}

// Nanos is the median time of a step.
func (s Sample) Nanos() float64 { return s.median(func(c Cost) float64 { return c.Nanos }) }

// Allocs is the median number of allocations of a step.
func (s Sample) Allocs() float64 { return s.median(func(c Cost) float64 { return c.Allocs }) }

func (s Sample) median(of func(Cost) float64) float64 {
	values := make([]float64, len(s.Rounds))
	for i, c := range s.Rounds {
		values[i] = of(c)
	}
	return Median(values)
}

// Median is the middle of the values, or the mean of the two there; 0 of none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return summary(values).Center
}

// summary is what benchstat says of values: their median, and the interval that
// holds it with a confidence of 95 %, for which it takes six of them.
func summary(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
}

// Run takes the rounds. In each, every way has one turn, so that what slows the
// machine for a while slows all of them.
func (c Comparison) Run(rounds int) (Outcome, error) {
	o := Outcome{Comparison: c, Ours: Sample{Name: c.Ours.Name}, Baseline: Sample{Name: c.Baseline.Name}}
	for _, peer := range c.Peers {
		o.Peers = append(o.Peers, Sample{Name: peer.Name})
	}
	var failures []error
	turn := func(w Work, into *Sample) float64 {
		cost, err := w.Cost()
		failures = append(failures, err)
		into.Rounds = append(into.Rounds, cost)
		return cost.Nanos
	}
	for range rounds {
		ours := turn(c.Ours, &o.Ours)
		if c.Baseline.Bench != nil {
			o.Ratios = append(o.Ratios, ours/turn(c.Baseline, &o.Baseline))
		}
		for i, peer := range c.Peers {
			turn(peer, &o.Peers[i])
		}
	}
	slices.Sort(o.Ratios)
	return o, errors.Join(failures...)
}

// Benchmarks runs every way of the comparison as a benchmark of b's.
func (c Comparison) Benchmarks(b *testing.B) {
	b.Run(c.Name, func(b *testing.B) {
		for _, w := range append([]Work{c.Ours, c.Baseline}, c.Peers...) {
			if w.Bench != nil {
				b.Run(w.Name, func(b *testing.B) {
					b.ReportAllocs()
					w.Bench(b)
				})
			}
		}
	})
}

// Ratio is the median of ours to the baseline, 0 without a baseline.
func (o Outcome) Ratio() float64 { return Median(o.Ratios) }

// Broken lists the parts of the budget that the medians exceed: "ratio", "time",
// "allocations".
func (o Outcome) Broken() []string {
	var broken []string
	if b := o.Budget.Ratio; b > 0 && o.Ratio() > b {
		broken = append(broken, "ratio")
	}
	if b := o.Budget.Nanos * max(1, o.Unit/UnitNanos); b > 0 && o.Ours.Nanos() > b {
		broken = append(broken, "time")
	}
	// Half an allocation in a hundred steps is the benchmark's own frame.
	if b := o.Budget.Allocs; b >= 0 && o.Ours.Allocs() > b+0.05 {
		broken = append(broken, "allocations")
	}
	return broken
}
