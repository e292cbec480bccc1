package effect_test

import (
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

func TestWithoutTimeAnEffectHasUntilItFirstWaits(t *testing.T) {
	for _, d := range []time.Duration{0, -1, -time.Hour} {
		if x := effecttest.Run(t, Sync(func() int { return 1 }).Timeout(d)); x.Value != 1 || x.IsFailure() {
			t.Errorf("%v: one that does not wait ended with %v", d, x)
		}
		if x := effecttest.Run(t, fail[int]("own").Timeout(d)); !x.Equal(ExitFail[int](E("own"))) {
			t.Errorf("%v: one that fails at once ended with %v", d, x)
		}
		began, woke := false, false
		waits := Call(func() { began = true }).AndThen(sleep(1)).AndThen(Call(func() { woke = true }))
		if x := effecttest.Run(t, waits.Timeout(d)); !x.Cause.HasFails() || !began || woke {
			t.Errorf("%v: one that waits ended with %v, began: %v, woke: %v", d, x, began, woke)
		}
	}
}

func TestATimeoutOfNoTimeStopsWhatNeverWaits(t *testing.T) {
	x := RunExit(t.Context(), Forever(Call(func() {})).Timeout(0)) // in real time: what does not wait lets none pass
	if !x.Cause.HasFails() {
		t.Errorf("got %v", x)
	}
}

func TestOfAPauseAndATimeoutThatEndAtOneInstantTheFirstToBeginWins(t *testing.T) {
	for name, c := range map[string]struct {
		e    Effect[int]
		want Exit[int]
	}{
		"the pause, and what needs no time after it": {sleep(20).AndThen(Call(func() {})).As(1), ExitSucceed(1)},
		"the pause, before a failure":                {sleep(20).AndThen(fail[int]("own")), ExitFail[int](E("own"))},
		"the pause, in a generator": {Gen(func(do Do) (int, error) {
			do.Await(sleep(20))
			return 1, do.Await(Succeed[error](nil))
		}), ExitSucceed(1)},
		"the pause, before the effect waits again": {sleep(20).AndThen(sleep(1)).As(1), ExitFail[int](E("late"))},
		"the timeout": {sleep(10).AndThen(sleep(10)).As(1), ExitFail[int](E("late"))},
	} {
		effecttest.Bubble(t, func(t *testing.T) {
			for range 50 {
				start := time.Now()
				x := RunExit(t.Context(), c.e.TimeoutOrElse(20*ms, func() Effect[int] { return fail[int]("late") }))
				if !x.Equal(c.want) || time.Since(start) != 20*ms {
					t.Fatalf("%s: got %v after %v; want %v", name, x, time.Since(start), c.want)
				}
			}
		})
	}
}

func TestWhatInterruptsATimeoutInterruptsAPauseToItsDeadline(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		start := time.Now()
		x := RunExit(t.Context(), Gen(func(do Do) (Exit[Unit], error) {
			child := do.Await(Fork(sleep(20).Timeout(20 * ms)))
			do.Await(sleep(5))
			do.Await(child.Interrupt())
			return do.Await(child.Await()), nil
		}))
		if !x.Value.Cause.HasInterruptsOnly() || time.Since(start) != 5*ms {
			t.Errorf("got %v after %v", x, time.Since(start))
		}
	})
}
