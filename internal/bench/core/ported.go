package core

import "github.com/rivus/agentkit/internal/bench/measure"

// A Port is a work that node/bench.mjs does on Effect too.
type Port struct {
	Name   string
	Script string // its name there
	Work   measure.Work
}

// Ported are the works that are measured beside Effect itself.
func Ported() []Port {
	return []Port{
		{"Map, prebuilt, a step", "map", Map},
		{"FlatMap, prebuilt, a step", "flatMap", FlatMap},
		{"an await in a generator", "await", Await},
		{"fork and join of one", "fork-join", ForkJoin},
		{"forEach of 10,000, one by one", "forEach-1", ForEach(1, step)},
		{"forEach of 10,000 at 16", "forEach-16", ForEach(16, step)},
		{"forEach of 10,000, all at once", "forEach-unbounded", ForEach(unbounded, step)},
		{"a further resource in a scope", "resource", Resources(1000)},
		{"race of two", "race", Race},
		{"timeout that does not fire", "timeout", Timeout},
		{"deferred ping-pong, there and back", "ping-pong", PingPong},
		{"semaphore: take and release", "semaphore", Permit},
		{"an item through a bounded queue", "queue", QueueItems},
		{"retry without a delay, a try", "retry", Retry},
	}
}
