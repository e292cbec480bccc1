package errors_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rivus/agentkit/errors"
)

// text is a failure that is only a text, and equal to another with the same text.
type text string

func (t text) Error() string { return string(t) }

// held is a tagged failure.
type held struct{ By string }

func (*held) Tag() string     { return "Held" }
func (e *held) Error() string { return "held by " + e.By }

func fail(s string) errors.Reason { return errors.Fail{Err: text(s)} }

func die(defect any) errors.Reason { return errors.Die{Defect: defect} }

func interrupt(by errors.FiberID) errors.Reason { return errors.Interrupt{By: by} }

// wantCause compares causes by their reasons.
func wantCause(t *testing.T, got *errors.Cause, want ...errors.Reason) {
	t.Helper()
	if !got.Equal(errors.NewCause(want...)) {
		t.Errorf("got [%v]; want [%v]", got, errors.NewCause(want...))
	}
}

func TestACauseAnswersWhatIsInIt(t *testing.T) {
	for _, c := range []struct {
		cause                             *errors.Cause
		empty, fails, dies, interr, onlyI bool
	}{
		{cause: nil, empty: true},
		{cause: errors.NewCause(), empty: true},
		{cause: errors.NewCause(fail("e")), fails: true},
		{cause: errors.NewCause(die("d")), dies: true},
		{cause: errors.NewCause(interrupt(1)), interr: true, onlyI: true},
		{cause: errors.NewCause(interrupt(1), interrupt(2)), interr: true, onlyI: true},
		{cause: errors.NewCause(fail("e"), interrupt(0)), fails: true, interr: true},
		{cause: errors.NewCause(die("d"), fail("e"), interrupt(0)), fails: true, dies: true, interr: true},
	} {
		t.Run(fmt.Sprint(c.cause), func(t *testing.T) {
			got := []bool{c.cause.IsEmpty(), c.cause.HasFails(), c.cause.HasDies(), c.cause.HasInterrupts(), c.cause.HasInterruptsOnly()}
			if want := []bool{c.empty, c.fails, c.dies, c.interr, c.onlyI}; !slices.Equal(got, want) {
				t.Errorf("empty, fails, dies, interrupts, interrupts only: got %v; want %v", got, want)
			}
		})
	}
}

func TestFindReturnsTheFirstOfEachKind(t *testing.T) {
	c := errors.NewCause(interrupt(3), die("d1"), fail("e1"), die("d2"), fail("e2"), interrupt(4))
	if err, ok := c.FindFail(); !ok || err != text("e1") {
		t.Errorf("FindFail: %v, %v", err, ok)
	}
	if d, ok := c.FindDie(); !ok || d.Defect != "d1" {
		t.Errorf("FindDie: %v, %v", d, ok)
	}
	if i, ok := c.FindInterrupt(); !ok || i.By != 3 {
		t.Errorf("FindInterrupt: %v, %v", i, ok)
	}
}

func TestFindReturnsFalseWhereThereIsNone(t *testing.T) {
	for _, c := range []*errors.Cause{nil, errors.NewCause()} {
		_, fail := c.FindFail()
		_, die := c.FindDie()
		_, interrupt := c.FindInterrupt()
		if fail || die || interrupt {
			t.Errorf("%v: fail %v, die %v, interrupt %v", c, fail, die, interrupt)
		}
	}
}

func TestACauseListsItsFailuresAndDefectsInOrder(t *testing.T) {
	c := errors.NewCause(fail("e1"), die("d1"), interrupt(1), fail("e2"), die("d2"))
	if got, want := c.Fails(), []error{text("e1"), text("e2")}; !slices.Equal(got, want) {
		t.Errorf("fails: got %v; want %v", got, want)
	}
	if got, want := c.Defects(), []any{"d1", "d2"}; !slices.Equal(got, want) {
		t.Errorf("defects: got %v; want %v", got, want)
	}
}

func TestInterruptorsAreListedOnceAndOutsideOnesNotAtAll(t *testing.T) {
	c := errors.NewCause(interrupt(2), interrupt(0), interrupt(1), interrupt(2), interrupt(errors.InternalFiber))
	if got, want := c.Interruptors(), []errors.FiberID{2, 1, errors.InternalFiber}; !slices.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}

func TestSquashPrefersAFailureThenADefectThenAnInterruption(t *testing.T) {
	for _, c := range []struct {
		reasons []errors.Reason
		want    error
	}{
		{[]errors.Reason{die("d"), fail("e1"), fail("e2")}, text("e1")},
		{[]errors.Reason{interrupt(1)}, errors.ErrInterrupted},
		{nil, errors.ErrEmptyCause},
	} {
		if got := errors.NewCause(c.reasons...).Squash(); got != c.want {
			t.Errorf("%v: got %v; want %v", c.reasons, got, c.want)
		}
	}
	squashed := errors.NewCause(interrupt(1), die("d1"), die("d2")).Squash()
	if d, ok := squashed.(errors.Die); !ok || d.Defect != "d1" {
		t.Errorf("got %v; want the first defect", squashed)
	}
}

func TestANilCauseIsNoError(t *testing.T) {
	var c *errors.Cause
	if err := c.AsError(); err != nil {
		t.Errorf("got %v", err)
	}
	if err := errors.NewCause(fail("e")).AsError(); err == nil {
		t.Error("a cause is an error")
	}
}

func TestIsAndAsSeeFailuresAndInterruptions(t *testing.T) {
	var err error = errors.NewCause(die("d"), errors.Fail{Err: fmt.Errorf("take: %w", &held{"pid 7"})}, interrupt(3))
	if h, ok := errors.AsType[*held](err); !ok || h.By != "pid 7" {
		t.Errorf("the tagged failure: %v, %v", h, ok)
	}
	if i, ok := errors.AsType[errors.Interrupt](err); !ok || i.By != 3 {
		t.Errorf("the interruption: %v, %v", i, ok)
	}
	if d, ok := errors.AsType[errors.Die](err); !ok || d.Defect != "d" {
		t.Errorf("the defect as a reason: %v, %v", d, ok)
	}
	if tag, ok := errors.TagOf(err); !ok || tag != "Held" {
		t.Errorf("the tag: %q, %v", tag, ok)
	}
}

func TestIsAndAsDoNotSeeIntoDefects(t *testing.T) {
	err := errors.DieCause(&held{"pid 7"})
	if _, ok := errors.AsType[*held](err); ok {
		t.Error("a defect was taken for the failure that it resembles")
	}
	if tag, ok := errors.TagOf(err); ok {
		t.Errorf("a defect has the tag %q", tag)
	}
}

func TestTheReasonsOfACauseCannotBeAppendedTo(t *testing.T) {
	given := []errors.Reason{fail("a"), fail("b")}
	c := errors.NewCause(given...)
	given[0] = fail("changed")
	_ = append(c.Reasons()[:1:1], fail("changed"))
	wantCause(t, c, fail("a"), fail("b"))
}

func TestCausesAreEqualByTheirReasonsInOrder(t *testing.T) {
	unequal := []int{1}
	for _, c := range []struct {
		a, b  *errors.Cause
		equal bool
	}{
		{errors.NewCause(fail("a"), die("b")), errors.NewCause(fail("a"), die("b")), true},
		{errors.NewCause(fail("a"), die("b")), errors.NewCause(die("b"), fail("a")), false},
		{errors.NewCause(fail("a")), errors.NewCause(die(text("a"))), false},
		{errors.NewCause(fail("a")), errors.NewCause(fail("a"), fail("a")), false},
		{nil, errors.NewCause(), true},
		{errors.InterruptCause(1), errors.InterruptCause(1), true},
		{errors.InterruptCause(1), errors.InterruptCause(2), false},
		{errors.NewCause(errors.Interrupt{Err: text("a")}), errors.NewCause(errors.Interrupt{Err: text("b")}), false},
		{errors.NewCause(errors.Die{Defect: 1, Stack: []byte("here")}), errors.NewCause(errors.Die{Defect: 1}), true},
		{errors.DieCause(unequal), errors.DieCause(unequal), false},
		{errors.FailCause(nil), errors.FailCause(nil), true},
		{errors.FailCause(nil), errors.FailCause(text("a")), false},
	} {
		if got := c.a.Equal(c.b); got != c.equal {
			t.Errorf("[%v] equal to [%v]: got %v", c.a, c.b, got)
		}
	}
}
