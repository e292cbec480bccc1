package errors_test

import (
	"testing"

	"github.com/rivus/agentkit/errors"
	"pgregory.net/rapid"
)

func TestCombineKeepsFirstOccurrences(t *testing.T) {
	a := errors.NewCause(fail("a"), die("b"))
	wantCause(t, a.Combine(errors.NewCause(die("b"), fail("c"))), fail("a"), die("b"), fail("c"))
	wantCause(t, a, fail("a"), die("b"))
}

func TestConcatKeepsRepetitions(t *testing.T) {
	a := errors.NewCause(fail("a"))
	wantCause(t, a.Concat(errors.NewCause(die("b"), fail("a"))), fail("a"), die("b"), fail("a"))
}

func TestTheEmptyCauseIsTheUnitOfCombineAndConcat(t *testing.T) {
	c := errors.NewCause(fail("a"), fail("a"))
	for _, empty := range []*errors.Cause{nil, errors.NewCause()} {
		for _, got := range []*errors.Cause{c.Combine(empty), empty.Combine(c), c.Concat(empty), empty.Concat(c)} {
			wantCause(t, got, fail("a"), fail("a"))
		}
	}
}

func TestCombineOfTheSameAncestorDoesNotShareReasons(t *testing.T) {
	base := errors.NewCause(fail("a"))
	left, right := base.Combine(errors.FailCause(text("l"))), base.Combine(errors.FailCause(text("r")))
	wantCause(t, left, fail("a"), fail("l"))
	wantCause(t, right, fail("a"), fail("r"))
}

func TestElectTurnsFailuresBesideADefectIntoDefects(t *testing.T) {
	wantCause(t, errors.NewCause(fail("e"), die("d"), interrupt(1)).Elect(), die(text("e")), die("d"), interrupt(1))
}

func TestElectLeavesACauseWithoutADefectAlone(t *testing.T) {
	wantCause(t, errors.NewCause(fail("e"), interrupt(1)).Elect(), fail("e"), interrupt(1))
}

func TestMapFailsChangesFailuresInPlace(t *testing.T) {
	c := errors.NewCause(fail("a"), die("b"), fail("c"), interrupt(0))
	got := c.MapFails(func(err error) error { return text(err.Error() + "!") })
	wantCause(t, got, fail("a!"), die("b"), fail("c!"), interrupt(0))
	wantCause(t, c, fail("a"), die("b"), fail("c"), interrupt(0))
}

func TestFilterIsNilWhenNothingIsLeft(t *testing.T) {
	c := errors.NewCause(fail("a"), interrupt(1))
	wantCause(t, c.WithoutFails(), interrupt(1))
	wantCause(t, c.WithoutInterrupts(), fail("a"))
	if got := c.WithoutFails().WithoutInterrupts(); got != nil {
		t.Errorf("got %v", got)
	}
}

// someCause draws causes whose reasons often repeat.
func someCause() *rapid.Generator[*errors.Cause] {
	reason := rapid.Custom(func(t *rapid.T) errors.Reason {
		name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return fail(name)
		case 1:
			return die(name)
		}
		return interrupt(errors.FiberID(len(name)))
	})
	return rapid.Map(rapid.SliceOfN(reason, 0, 6), func(r []errors.Reason) *errors.Cause { return errors.NewCause(r...) })
}

// Repetitions within one operand stay, so only the unions are compared.
func TestCombineIsAssociativeAndLosesNoReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := someCause().Draw(t, "a"), someCause().Draw(t, "b"), someCause().Draw(t, "c")
		left, right := a.Combine(b).Combine(c), a.Combine(b.Combine(c))
		if !unique(left).Equal(unique(right)) {
			t.Errorf("[%v] and [%v]", left, right)
		}
		for _, operand := range []*errors.Cause{a, b, c} {
			if combined := left.Combine(operand); !combined.Equal(left) {
				t.Errorf("[%v] lost reasons of [%v]", left, operand)
			}
		}
	})
}

// unique is the cause without repetitions.
func unique(c *errors.Cause) *errors.Cause {
	out := errors.NewCause()
	for _, r := range c.Reasons() {
		out = out.Combine(errors.NewCause(r))
	}
	return out
}
