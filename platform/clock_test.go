package platform_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestClocksMoveWithTheVirtualTimeOfABubble(t *testing.T) { // PN-12
	synctest.Test(t, func(t *testing.T) {
		clock := platform.OS().Clock
		wall, monotonic, boot := clock.Now(), clock.Monotonic(), clock.Boot()
		time.Sleep(time.Hour)
		if d := clock.Now().Sub(wall); d != time.Hour {
			t.Errorf("Now moved by %v; want 1h", d)
		}
		if d := clock.Monotonic() - monotonic; d != time.Hour {
			t.Errorf("Monotonic moved by %v; want 1h", d)
		}
		// Boot includes two readings of the system's clocks.
		if d := clock.Boot() - boot; d < time.Hour-time.Second || d > time.Hour+time.Second {
			t.Errorf("Boot moved by %v; want 1h", d)
		}
	})
}

func TestTheFakeClockTellsSuspensionFromPassingTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := platformtest.NewClock()
		wall := clock.Now()
		time.Sleep(time.Second)
		clock.Suspend(10 * time.Minute)
		clock.StepWall(-time.Hour)
		if m, b := clock.Monotonic(), clock.Boot(); m != time.Second || b != time.Second+10*time.Minute {
			t.Errorf("Monotonic %v, Boot %v; want 1s, 10m1s", m, b)
		}
		if d := clock.Now().Sub(wall); d != time.Second+10*time.Minute-time.Hour {
			t.Errorf("Now moved by %v; want 10m1s less an hour", d)
		}
	})
}
