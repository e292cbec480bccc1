package lanes

import (
	"fmt"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// N06
func TestDrainRunsWhatIsQueuedAndOwedAndAllWhoDrainReturnTogether(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: takes(time.Second)}, func(b *bench) {
		for i := range 12 {
			b.wake(fmt.Sprint(i))
			b.settle()
		}
		b.pass(time.Millisecond)
		first, firstErr := b.background(b.Drain())
		b.settle()
		second, secondErr := b.background(b.Drain())
		b.settle()
		_, err := b.WakeNow("0")
		if f := failed[*Closed](t, err, "LanesClosed"); !f.Draining {
			t.Errorf("got %+v; want it to say that they drain", f)
		}
		if s := b.Status(); !s.Draining || s.Closed || s.Queued != 10 {
			t.Errorf("got %+v", s)
		}
		b.pass(6*time.Second - 2*time.Millisecond)
		if first() || second() {
			t.Fatal("a Drain has returned before the last activation ended")
		}
		b.pass(time.Millisecond)
		if !first() || !second() || firstErr() != nil || secondErr() != nil {
			t.Fatalf("not both have returned, or failed")
		}
		succeeded := 0
		for _, line := range b.journal.take() {
			var key int
			if n, _ := fmt.Sscanf(line, "%d succeeded", &key); n == 1 {
				succeeded++
			}
		}
		if succeeded != 12 {
			t.Errorf("%d activations succeeded; want 12", succeeded)
		}
		b.expectStatus("| closed")
		_, err = b.WakeNow("0")
		if f := failed[*Closed](t, err, "LanesClosed"); f.Draining {
			t.Errorf("got %+v; want it to say that they are closed", f)
		}
	})
}

// N06
func TestCloseDropsTheQueueAndAllWhoCloseReturnWhenTheRunningHaveEnded(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: func(string) work {
		return effect.Never[unit]().Ensuring(effect.Sleep(time.Second))
	}}, func(b *bench) {
		for i := range 12 {
			b.wake(fmt.Sprint(i))
			b.settle()
		}
		first, _ := b.background(b.Close())
		b.pass(500 * time.Millisecond)
		second, _ := b.background(b.Close())
		b.pass(499 * time.Millisecond)
		if first() || second() {
			t.Fatal("a Close has returned before the running activations ended")
		}
		b.pass(time.Millisecond)
		if !first() || !second() {
			t.Fatal("not both have returned")
		}
		if got := b.journal.take(); len(got) != 4 {
			t.Errorf("got %q; want two activations and their exits", got)
		}
		_, err := b.WakeNow("0")
		failed[*Closed](t, err, "LanesClosed")
	})
}

func TestDrainRunsTheFollowUpThatARunningLaneOwes(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a", "a")
		start := time.Now()
		if _, err := b.Drain().Run(b.ctx); err != nil || time.Since(start) != 2*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		b.expect("begin a", "a succeeded", "begin a", "a succeeded")
	})
}

func TestDrainOfIdleLanesClosesThemAtOnce(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		if _, err := b.Drain().Run(b.ctx); err != nil {
			t.Fatal(err)
		}
		b.expectStatus("| closed")
	})
}

func TestDrainEndsWhenACancelDropsTheLastLane(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: forEver}, func(b *bench) {
		b.wake("a", "b")
		b.settle()
		over, err := b.background(b.Drain())
		b.settle()
		b.Cancel("b").Run(b.ctx)
		b.Cancel("a").Run(b.ctx)
		if !over() || err() != nil {
			t.Error("Drain has not returned, or failed")
		}
	})
}

func TestTheCallersContextBoundsDrainAndTheLanesGoOnDraining(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(10 * time.Second)}, func(b *bench) {
		b.wake("a", "b")
		start := time.Now()
		_, err := b.Drain().Timeout(time.Second).Run(b.ctx)
		if _, ok := errors.AsType[*effect.TimeoutError](err); !ok || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		b.expectStatus("a|b draining")
		b.pass(19 * time.Second)
		b.expectStatus("| closed")
		b.expect("begin a", "a succeeded", "begin b", "b succeeded")
	})
}

func TestADrainThatACloseCutsShortFailsAndSaysWhatWasLost(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a", "b", "c", "a")
		b.settle()
		over, err := b.background(b.Drain())
		b.settle()
		if _, err := b.Close().Run(b.ctx); err != nil {
			t.Fatal(err)
		}
		if !over() {
			t.Fatal("Drain has not returned")
		}
		if f := failed[*DrainCut](t, err(), "LanesDrainCut"); f.Dropped != 3 || f.Interrupted != 1 {
			t.Errorf("got %+v; want 3 lanes dropped, 1 interrupted", f)
		}
		if _, err := b.Drain().Run(b.ctx); err != nil {
			t.Errorf("a Drain of closed lanes: %v; want nothing to be owed", err)
		}
		b.expect("begin a", "a interrupted: close")
	})
}

func TestADrainAfterACloseWaitsForTheRunningActivations(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return effect.Sleep(time.Second).Uninterruptible() }}, func(b *bench) {
		b.wake("a")
		b.settle()
		b.background(b.Close())
		b.settle()
		start := time.Now()
		if _, err := b.Drain().Run(b.ctx); err != nil || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}
