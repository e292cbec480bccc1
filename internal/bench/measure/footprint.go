package measure

import (
	"runtime"
	"runtime/debug"
)

// A Footprint is the memory of many things that are there and do nothing.
type Footprint struct {
	// Name says what there are many of.
	Name string
	// Count is how many are made.
	Count int
	// Ours and Baseline make them and return what takes them away. There may be
	// no baseline.
	Ours, Baseline func(count int) (remove func())
	// BaselineName says what the baseline makes.
	BaselineName string
	// Ratio and Bytes are the budget: of ours to the baseline, and of one of
	// ours. Zero bounds nothing.
	Ratio, Bytes float64
}

// Run gives the bytes that one takes, ours and the baseline's, 0 without one.
func (f Footprint) Run() (ours, baseline float64) {
	ours = perItem(f.Count, f.Ours)
	if f.Baseline != nil {
		baseline = perItem(f.Count, f.Baseline)
	}
	return ours, baseline
}

// Broken tells whether what Run gave exceeds the budget.
func (f Footprint) Broken(ours, baseline float64) bool {
	return f.Bytes > 0 && ours > f.Bytes || f.Ratio > 0 && ours > f.Ratio*baseline
}

func perItem(count int, make func(int) func()) float64 {
	before := inUse()
	remove := make(count)
	after := inUse()
	remove()
	return (float64(after) - float64(before)) / float64(count)
}

// inUse is the memory of live objects and stacks.
func inUse() uint64 {
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse + m.GCSys
}
