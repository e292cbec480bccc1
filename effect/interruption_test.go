package effect_test

import (
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
)

// The bell that wakes a fiber, and the context that tells it why, are two things. Which of them it sees first is up to the scheduler,
// so this is tried often.
func TestAnInterruptionWakesAFiberWhoseContextWasAskedFor(t *testing.T) {
	const tries = 20000
	synctest.Test(t, func(t *testing.T) {
		missed := 0
		for range tries {
			asked := make(chan Unit, 1)
			f := Start(t.Context(), Receive(asked).AndThen(Never[Unit]()))
			asked <- Unit{}
			synctest.Wait()
			f.InterruptNow()
			synctest.Wait()
			if _, over := f.Poll(); !over {
				missed++
				f.InterruptNow()
			}
		}
		if missed > 0 {
			t.Errorf("%d of %d fibers slept on", missed, tries)
		}
	})
}
