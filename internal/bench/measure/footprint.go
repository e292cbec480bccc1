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
	// Ours and Baseline make them and return what takes them away.
	Ours, Baseline func(count int) (remove func())
	// Budget bounds the ratio of ours to the baseline.
	Budget float64
}

// Run gives the bytes that one takes, ours and the baseline's.
func (f Footprint) Run() (ours, baseline float64) {
	return perItem(f.Count, f.Ours), perItem(f.Count, f.Baseline)
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
