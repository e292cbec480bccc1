package lanes

import (
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
)

func TestDuringTheGraceActivationsMayEndByThemselves(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 2, ShutdownGrace: 5 * time.Second, Activate: func(key string) work {
		if key == "quick" {
			return effect.Sleep(4 * time.Second)
		}
		return effect.Sleep(time.Hour)
	}}, func(b *bench) {
		b.wake("quick")
		b.settle()
		b.wake("slow", "waits", "quick")
		b.settle()
		over, _ := b.background(b.Close())
		b.expectStatus("quick slow| closed")
		b.expect("begin quick", "begin slow")
		b.pass(4999 * time.Millisecond)
		b.expect("quick succeeded")
		again, _ := b.background(b.Close()) // does not prolong the grace
		if over() || again() {
			t.Fatal("Close has not waited")
		}
		b.pass(time.Millisecond)
		b.expect("slow interrupted: close")
		if !over() || !again() {
			t.Fatal("Close has not returned")
		}
	})
}

func TestACloseWhoseActivationsEndWithinTheGraceReturnsAtOnce(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 2, ShutdownGrace: time.Hour, Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a")
		start := time.Now()
		if _, err := b.Close().Run(b.ctx); err != nil || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		b.expect("begin a", "a succeeded")
	})
}

func TestACancelOrATimeoutDuringTheGraceNeedNotWaitForIt(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 2, ShutdownGrace: time.Hour, TurnTimeout: mo.Some(time.Minute), Activate: forEver}, func(b *bench) {
		b.wake("a")
		b.settle()
		b.wake("b")
		b.settle()
		b.background(b.Close())
		b.settle()
		b.Cancel("a").Run(b.ctx)
		b.expect("begin a", "begin b", "a interrupted: cancel")
		b.pass(time.Minute)
		b.expect("b interrupted: timeout")
	})
}
