package effecttest

import (
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/effect"
)

// Adjust lets the virtual time of a [Bubble] run on by d, and waits until all that is due by then has been done (Effect's
// TestClock.adjust). Sleepers wake in the order of their times, and see the time they asked for.
//
// Time also runs by itself when everything waits. One fiber of a bubble at a time may adjust it.
func Adjust(d time.Duration) effect.Effect[effect.Unit] {
	return effect.Sleep(d).AndThen(effect.Call(func() {
		synctest.Wait()
	}))
}
