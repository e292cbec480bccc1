package effect_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// A property is checked on programs that rapid makes: lists of operations that fibers carry out in a bubble of virtual time. It
// returns what it found wrong, or nothing.
//
// Between two operations everything comes to rest, unless an operation is "at once": then the next one races with it. A property
// that runs such programs states what holds whatever the race's outcome.

// checkProperty checks that the property holds for all programs.
func checkProperty[P any](t *testing.T, programs *rapid.Generator[P], property func(P) string) {
	rapid.Check(t, func(rt *rapid.T) {
		p := programs.Draw(rt, "program")
		if wrong := inBubble(t, func() string { return property(p) }); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// checkCatches checks that the property, of an implementation with a fault, does not hold for all programs. Some faults show only
// if fibers meet in a certain way: there are enough programs that one of them has them meet, on every machine.
func checkCatches[P any](t *testing.T, programs *rapid.Generator[P], property func(P) string) {
	for seed := range 20_000 {
		caught := inBubble(t, func() string {
			defer time.Sleep(time.Minute) // what the fault has let escape ends
			return property(programs.Example(seed))
		})
		if caught != "" {
			t.Logf("caught with program %d", seed)
			return
		}
	}
	t.Error("the property holds in spite of the fault")
}

func inBubble(t *testing.T, f func() string) (wrong string) {
	synctest.Test(t, func(*testing.T) { wrong = f() })
	return wrong
}

// findings collects what is wrong.
type findings []string

func (f *findings) expect(holds bool, format string, args ...any) {
	if !holds {
		*f = append(*f, fmt.Sprintf(format, args...))
	}
}

func (f findings) text() string {
	if len(f) == 0 {
		return ""
	}
	return fmt.Sprintf("%d findings, the first of which: %s", len(f), f[0])
}
