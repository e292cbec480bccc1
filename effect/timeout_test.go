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
