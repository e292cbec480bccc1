package core

import (
	"flag"
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
)

var update = flag.Bool("update", false, "write the allocations of the kernel's steps into testdata")

const figures = "testdata/allocations.json"

// A step on one fiber allocates the same every time. What several goroutines do
// is left out: there a pool may be empty.
func TestNoStepOfTheKernelAllocatesMoreThanItDid(t *testing.T) {
	measure.SetRound(20 * time.Millisecond)
	got, err := measure.Allocations(map[string]measure.Work{
		"map":             Map,
		"flatMap":         FlatMap,
		"flatMap-built":   FlatMapBuilt,
		"await":           Await,
		"resource":        Resources(1000),
		"timeout-unfired": Timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := got.WriteFile(figures); err != nil {
			t.Fatal(err)
		}
	}
	want, err := measure.ReadFigures(figures)
	if err != nil {
		t.Fatal(err)
	}
	for _, worse := range got.Worse(want) {
		t.Errorf("%s\nif that is meant: go test ./core -run Allocates -update", worse)
	}
}

// BenchmarkCore runs every way of every comparison, for profiles.
func BenchmarkCore(b *testing.B) {
	for _, c := range All() {
		c.Benchmarks(b)
	}
}

// Every way of every comparison does the work it claims to, once.
func TestEveryComparisonCanBeRun(t *testing.T) {
	measure.SetRound(time.Nanosecond)
	for _, c := range All() {
		if _, err := c.Run(1); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
