package collab

import (
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
)

var update = flag.Bool("update", false, "write the allocations of a coalesced wake into testdata")

const figures = "testdata/allocations.json"

func TestMain(m *testing.M) {
	RunRole()
	os.Exit(m.Run())
}

func TestACoalescedWakeAllocatesNoMoreThanItDid(t *testing.T) {
	measure.SetRound(20 * time.Millisecond)
	got, err := measure.Allocations(map[string]measure.Work{"coalesced-wake": CoalescedWake})
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
		t.Errorf("%s\nif that is meant: go test ./collab -run Allocates -update", worse)
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

func TestEveryLatencyCanBeMeasured(t *testing.T) {
	for _, l := range Latencies() {
		l.Count = 1
		if took, err := l.Run(); err != nil || len(took) != 1 || took[0] <= 0 {
			t.Errorf("%s: got %v and %v", l.Name, took, err)
		}
	}
}

func TestEveryGrowthCanBeMeasured(t *testing.T) {
	for _, g := range Growths() {
		g.Sizes = slices.Clone(g.Sizes[:2])
		if _, err := g.Run(1); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkCollab runs every way of every comparison, for profiles.
func BenchmarkCollab(b *testing.B) {
	for _, c := range All() {
		c.Benchmarks(b)
	}
}
