package measure

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestFiguresAreWorseWhereAStepAllocatesMore(t *testing.T) {
	want := Figures{"map": 0, "fork": 4, "gone": 1}
	got := Figures{"map": 1, "fork": 3.5, "new": 2}
	worse := []string{
		"map: 1.00 allocations a step, was 0.00",
		"new: 2.00 allocations a step, and no figure to compare with",
		"gone: has a figure and is not measured",
	}
	if found := got.Worse(want); !slices.Equal(found, worse) {
		t.Errorf("got %q, want %q", found, worse)
	}
	if found := got.Worse(got); len(found) > 0 {
		t.Errorf("got %q for the same figures", found)
	}
}

func TestFiguresComeBackFromTheirFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.json")
	if none, err := ReadFigures(file); err != nil || len(none) > 0 {
		t.Errorf("got %v and %v from no file", none, err)
	}
	want := Figures{"map": 0, "fork": 4.1}
	if err := want.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFigures(file)
	if err != nil || len(got) != 2 || got["fork"] != 4.1 {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
}

func TestAnAllocationTooManyIsSeen(t *testing.T) {
	keep := func(n int) Work {
		return Work{Name: "keep", Steps: 100, Bench: func(b *testing.B) {
			for b.Loop() {
				for range 100 * n {
					bytes = make([]byte, 8)
				}
			}
		}}
	}
	before, err := Allocations(map[string]Work{"keep": keep(1)})
	if err != nil {
		t.Fatal(err)
	}
	after, err := Allocations(map[string]Work{"keep": keep(2)})
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Worse(before)) != 1 || len(before.Worse(after)) != 0 {
		t.Errorf("got %v, then %v", before, after)
	}
}
