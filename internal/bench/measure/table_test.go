package measure

import (
	"slices"
	"strings"
	"testing"
)

func TestNumbersHaveTheDigitsThatMeanSomething(t *testing.T) {
	for nanos, want := range map[float64]string{
		0: "0 ns", 0.001: "< 0.01 ns", 1.5: "1.5 ns", 12: "12 ns", 12.34: "12.3 ns", 999: "999 ns",
		1000: "1 µs", 15_300: "15.3 µs", 2_500_000: "2.5 ms", 3.21e9: "3.21 s",
	} {
		if got := Duration(nanos); got != want {
			t.Errorf("%v ns: got %q, want %q", nanos, got, want)
		}
	}
}

func TestFiveRoundsAreTooFewForAnInterval(t *testing.T) {
	for rounds, want := range map[int]string{5: "", 6: "1–1"} {
		o := Outcome{Ratios: slices.Repeat([]float64{1}, rounds)}
		if got := o.row()[4]; got != want {
			t.Errorf("%d rounds: the interval is %q; want %q", rounds, got, want)
		}
	}
}

func TestATableShowsTheRatioItsSpreadAndWhatIsOver(t *testing.T) {
	round := func(nanos, allocs float64) Cost { return Cost{Nanos: nanos, Allocs: allocs} }
	var text strings.Builder
	err := Table(&text, []Outcome{{
		Comparison: Comparison{Name: "work", Budget: Budget{Ratio: 2, Allocs: Unbounded}},
		Ours:       Sample{Rounds: []Cost{round(30, 2), round(30, 2), round(30, 2)}},
		Baseline:   Sample{Name: "by hand", Rounds: []Cost{round(10, 0), round(10, 0), round(15, 0)}},
		Peers:      []Sample{{Name: "peer", Rounds: []Cost{round(60, 0)}}},
		Ratios:     []float64{2, 2.5, 3, 3, 3, 3, 4},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| work | 30 ns | by hand 10 ns | 3 ×   | 2–4  | 2 ×    | 2      | over: ratio |", "| peer 60 ns    | 0.5 × |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table does not show %q:\n%s", want, text.String())
		}
	}
}
