package effect_test

import (
	"context"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

// counted succeeds with 1, 2, 3 and so on, and fails from the limit on.
func counted(limit int) Effect[int] {
	n := 0
	return Suspend(func() Effect[int] {
		if n++; n >= limit {
			return fail[int]("limit")
		}
		return Succeed(n)
	})
}

func TestForeverEndsWithTheFirstFailure(t *testing.T) {
	if x, want := effecttest.Run(t, Forever(counted(5))), ExitFail[int](E("limit")); !x.Equal(want) {
		t.Errorf("got %v; want %v", x, want)
	}
}

func TestForeverIsInterruptedAlthoughItNeverWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := Forever(Call(func() {
		if n++; n == 1000 {
			cancel()
		}
	})).Run(ctx)
	if !errors.Is(err, context.Canceled) || n != 1000 {
		t.Errorf("got %v after %d rounds", err, n)
	}
}

func TestEventuallyRunsUntilItSucceeds(t *testing.T) {
	n := 0
	x := effecttest.Run(t, Eventually(Suspend(func() Effect[int] {
		if n++; n < 1000 {
			return fail[int]("not yet")
		}
		return Succeed(n)
	})))
	if !x.Equal(ExitSucceed(1000)) {
		t.Errorf("got %v", x)
	}
}

func TestEventuallyStopsAtADefect(t *testing.T) {
	if x := effecttest.Run(t, Eventually(Die[int]("bug"))); !x.Equal(ExitDie[int]("bug")) {
		t.Errorf("got %v", x)
	}
}

func TestWhileLoopStepsWithEachValue(t *testing.T) {
	trace := effecttest.New()
	i := 0
	effecttest.Run(t, WhileLoop(func() bool { return i < 3 }, func() Effect[int] { return Succeed(i * 10) }, func(n int) {
		trace.Add(n)
		i++
	}))
	wantLines(t, trace, "0", "10", "20")
}

func TestWhileLoopTakesNoStep(t *testing.T) {
	e := counted(4)
	if x := effecttest.Run(t, WhileLoop(func() bool { return true }, func() Effect[int] { return e }, nil)); !x.Cause.HasFails() {
		t.Errorf("got %v", x)
	}
}

func TestIterateHasTheFirstValueThatTheConditionDoesNotHoldFor(t *testing.T) {
	x := effecttest.Run(t, Iterate(1, func(n int) bool { return n < 100 }, func(n int) Effect[int] { return Succeed(n * 2) }))
	if !x.Equal(ExitSucceed(128)) {
		t.Errorf("got %v", x)
	}
}

func TestReplicateRunsAnEffectSeveralTimes(t *testing.T) {
	trace := effecttest.New()
	x := effecttest.Run(t, Replicate(counted(10), 3).Tap(func(n []int) Effect[Unit] { return trace.Log(n) }))
	if x.IsFailure() {
		t.Errorf("got %v", x)
	}
	wantLines(t, trace, "[1,2,3]")
}

func TestReplicateOfANegativeNumberIsNone(t *testing.T) {
	if x := effecttest.Run(t, Replicate(counted(10), -1)); x.IsFailure() || len(x.Value) != 0 {
		t.Errorf("got %v", x)
	}
}

func TestWhenDoesNotRunAfterAFailedCondition(t *testing.T) {
	trace := effecttest.New()
	x := effecttest.Run(t, When(trace.Log("ran"), fail[bool]("condition")))
	if !x.Cause.Equal(errors.FailCause(E("condition"))) {
		t.Errorf("got %v", x)
	}
	wantLines(t, trace)
}

func TestZipAtOnceHasBothValuesInOrder(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		trace := effecttest.NewTimed()
		x := RunExit(t.Context(), Zip(sleep(20).As("a"), sleep(10).As(2), Unbounded))
		trace.Add(x)
		wantLines(t, trace, "Success([a,2])@20")
	})
}
