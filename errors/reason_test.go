package errors_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/rivus/agentkit/errors"
)

func TestAnInterruptionIsContextCanceled(t *testing.T) {
	for _, i := range []errors.Interrupt{{}, {By: 3}, {Kind: context.Canceled, Err: text("why")}} {
		if !errors.Is(i, context.Canceled) || errors.Is(i, context.DeadlineExceeded) {
			t.Errorf("%#v", i)
		}
	}
}

func TestAnInterruptionByADeadlineIsDeadlineExceeded(t *testing.T) {
	i := errors.Interrupt{Kind: context.DeadlineExceeded, Err: context.DeadlineExceeded}
	if !errors.Is(i, context.DeadlineExceeded) || errors.Is(i, context.Canceled) {
		t.Errorf("%#v", i)
	}
}

func TestAnInterruptionIsTheCauseOfItsContext(t *testing.T) {
	why := text("shutting down")
	if i := (errors.Interrupt{Kind: context.Canceled, Err: why}); !errors.Is(i, why) {
		t.Errorf("%#v", i)
	}
}

func TestRecoveredIsADefectWithTheStackOfThePanic(t *testing.T) {
	c := recovered(func() { panic("boom") })
	d, ok := c.FindDie()
	if !ok || d.Defect != "boom" || !strings.Contains(string(d.Stack), "reason_test.go") {
		t.Errorf("got %+v", c)
	}
}

func TestRecoveredIsTheCauseThatAPanicCarries(t *testing.T) {
	wantCause(t, recovered(func() { panic(carrier{}) }), fail("carried"))
}

// carrier is a panic that only carries a cause.
type carrier struct{}

func (carrier) Cause() *errors.Cause { return errors.NewCause(fail("carried")) }

func recovered(f func()) (c *errors.Cause) {
	defer func() { c = errors.Recovered(recover()) }()
	f()
	return nil
}

func TestSameIsEqualityThatNeverPanics(t *testing.T) {
	type box struct{ v any }
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{nil, nil, true},
		{nil, 1, false},
		{1, 1, true},
		{1, int64(1), false},
		{[]int{1}, []int{1}, false},
		{box{[]int{1}}, box{[]int{1}}, false},
		{box{1}, box{1}, true},
	} {
		if got := errors.Same(c.a, c.b); got != c.want {
			t.Errorf("%#v and %#v: got %v", c.a, c.b, got)
		}
	}
}

func TestFibersAreNamedByNumber(t *testing.T) {
	for id, want := range map[errors.FiberID]string{0: "none", errors.InternalFiber: "internal", 7: "#7"} {
		if got := id.String(); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

func TestTagOfFindsTheFirstTaggedError(t *testing.T) {
	err := errors.Join(text("plain"), fmt.Errorf("wrapped: %w", &held{}))
	if tag, ok := errors.TagOf(err); !ok || tag != "Held" {
		t.Errorf("got %q, %v", tag, ok)
	}
	if tag, ok := errors.TagOf(text("plain")); ok {
		t.Errorf("got %q", tag)
	}
}

func TestThePackageHasTheFunctionsOfTheStandardLibrary(t *testing.T) {
	err := errors.Join(errors.New("a"), fmt.Errorf("b: %w", fs.ErrNotExist))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("Is does not find what was joined")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		t.Error("As finds what is not there")
	}
	if got := errors.Unwrap(fmt.Errorf("c: %w", errors.ErrUnsupported)); got != errors.ErrUnsupported {
		t.Errorf("Unwrap: got %v", got)
	}
}
