package measure

import (
	"testing"
	"time"
)

// spin works for a known number of dependent steps.
func spin(n int) func(b *testing.B) {
	return func(b *testing.B) {
		for b.Loop() {
			x := 1
			for range n {
				x = x*31 + 7
			}
			sink = x
		}
	}
}

var (
	sink  int
	bytes []byte
)

func TestARatioIsOursToTheBaseline(t *testing.T) {
	SetRound(5 * time.Millisecond)
	outcome, err := Comparison{
		Ours:     Work{Name: "ours", Bench: spin(4000)},
		Baseline: Work{Name: "baseline", Bench: spin(1000)},
	}.Run(7)
	if err != nil {
		t.Fatal(err)
	}
	if r := outcome.Ratio(); r < 2 || r > 8 {
		t.Errorf("got a ratio of %.2f for four times the work", r)
	}
}

func TestACostIsThatOfOneStep(t *testing.T) {
	SetRound(time.Millisecond)
	cost, err := Work{Name: "allocates", Steps: 10, Bench: func(b *testing.B) {
		for b.Loop() {
			for range 10 {
				bytes = make([]byte, 64)
			}
		}
	}}.Cost()
	if err != nil {
		t.Fatal(err)
	}
	if cost.Allocs < 0.99 || cost.Allocs > 1.01 || cost.Bytes < 63 || cost.Bytes > 66 {
		t.Errorf("got %.2f allocations of %.0f bytes a step, want 1 of 64", cost.Allocs, cost.Bytes)
	}
}

func TestABenchmarkThatFailsIsAnError(t *testing.T) {
	if _, err := (Work{Name: "fails", Bench: func(b *testing.B) { b.Fail() }}).Cost(); err == nil {
		t.Error("got no error")
	}
}

func TestABudgetIsBrokenByWhatExceedsIt(t *testing.T) {
	of := func(b Budget) Outcome {
		return Outcome{
			Comparison: Comparison{Budget: b},
			Ours:       Sample{Rounds: []Cost{{Nanos: 300, Allocs: 2}, {Nanos: 100, Allocs: 2}, {Nanos: 200, Allocs: 2}}},
			Ratios:     []float64{1, 2, 9},
		}
	}
	cases := map[string]struct {
		budget Budget
		want   int
	}{
		"all within":   {Budget{Ratio: 2, Nanos: 200, Allocs: 2}, 0},
		"ratio":        {Budget{Ratio: 1.9, Allocs: 2}, 1},
		"time":         {Budget{Nanos: 199, Allocs: 2}, 1},
		"allocations":  {Budget{Allocs: 1}, 1},
		"none bounded": {Budget{Allocs: Unbounded}, 0},
		"all of them":  {Budget{Ratio: 1, Nanos: 1}, 3},
	}
	for name, c := range cases {
		if got := of(c.budget).Broken(); len(got) != c.want {
			t.Errorf("%s: got %v, want %d broken", name, got, c.want)
		}
	}
}

func TestABudgetInTimeIsLongerOnASlowerMachineAndNotShorterOnAFasterOne(t *testing.T) {
	for unit, broken := range map[float64]int{0: 1, UnitNanos / 2: 1, UnitNanos: 1, 2 * UnitNanos: 0, 1.9 * UnitNanos: 1} {
		o := Outcome{
			Comparison: Comparison{Budget: Budget{Nanos: 100, Allocs: Unbounded}},
			Unit:       unit,
			Ours:       Sample{Rounds: []Cost{{Nanos: 200}}},
		}
		if got := o.Broken(); len(got) != broken {
			t.Errorf("where a call takes %v ns: got %v, want %d broken", unit, got, broken)
		}
	}
}

func TestAFootprintCountsWhatIsKept(t *testing.T) {
	keep := func(size int) func(int) func() {
		return func(count int) func() {
			kept := make([][]byte, count)
			for i := range kept {
				kept[i] = make([]byte, size)
			}
			return func() { clear(kept) }
		}
	}
	ours, baseline := Footprint{Count: 10_000, Ours: keep(4096), Baseline: keep(1024)}.Run()
	if ratio := ours / baseline; ratio < 3 || ratio > 5 {
		t.Errorf("got %.0f and %.0f bytes, want about 4096 and 1024", ours, baseline)
	}
}
