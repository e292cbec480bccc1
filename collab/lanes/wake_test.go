package lanes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// LA-1, S40
func TestAWokenLaneThatRunsRunsOnceMoreAfterThoseThatQueuedMeanwhile(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(1), Activate: takes(time.Second)}, func(b *bench) {
		if got := b.wake("a", "b", "a", "a", "b"); !slices.Equal(got, wakes{WakeStarted, WakeQueued, WakeCoalesced, WakeCoalesced, WakeCoalesced}) {
			t.Errorf("got %v", got)
		}
		_, err := b.WakeNow("c")
		if f := failed[*QueueFull](t, err, "LaneQueueFull"); f.Key != "c" || f.MaxQueued != 1 {
			t.Errorf("got %+v", f)
		}
		b.expectStatus("a*|b")
		b.pass(time.Second)
		b.expectStatus("b|a")
		b.pass(2 * time.Second)
		b.expectStatus("|")
		b.expect("begin a", "a succeeded", "begin b", "b succeeded", "begin a", "a succeeded")
	})
}

// LA-2, S100
func TestAFreedSlotGoesToTheLaneThatHasWaitedLongest(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a", "b", "c", "a")
		b.pass(4 * time.Second)
		b.expect("begin a", "a succeeded", "begin b", "b succeeded", "begin c", "c succeeded", "begin a", "a succeeded")
	})
}

func TestWakeNeverWaitsForAnActivation(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: forEver}, func(b *bench) {
		start := time.Now()
		for _, key := range []string{"a", "a", "b"} {
			if _, err := b.Wake(key).Run(b.ctx); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("it waited %v", waited)
		}
	})
}

func TestWakeAsAnEffectFailsWithTheTypedFailure(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(0), Activate: forEver}, func(b *bench) {
		b.wake("a")
		recovered, err := b.Wake("b").CatchAs(func(f *QueueFull) effect.Effect[WakeResult] {
			return effect.Succeed(WakeResult(100 + f.MaxQueued))
		}).Run(b.ctx)
		if recovered != 100 || err != nil {
			t.Errorf("got %v, %v; want the handler of QueueFull", recovered, err)
		}
	})
}

func TestWithoutABoundTheQueueTakesOneEntryPerKey(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: forEver}, func(b *bench) {
		b.wake("busy")
		for range 3 {
			for i := range 1000 {
				b.wake(fmt.Sprint(i))
			}
		}
		if s := b.Status(); s.Queued != 1000 {
			t.Errorf("%d lanes are queued; want 1000", s.Queued)
		}
	})
}

func TestWithNoPlaceInTheQueueARunningLaneStillOwesItsFollowUp(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(0), Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a", "a")
		b.pass(2 * time.Second)
		b.expect("begin a", "a succeeded", "begin a", "a succeeded")
	})
}

func TestAWakeFromInsideTheActivationOfItsKeyLeadsToOneFollowUp(t *testing.T) {
	var b *bench
	left := 2
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return effect.Call(func() {
			if left--; left > 0 {
				b.wake(key, key)
			}
		})
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.expect("begin a", "a succeeded", "begin a", "a succeeded")
	})
}

func TestAWakeFromOnExitLeadsToAFollowUp(t *testing.T) {
	var l *Lanes[string]
	ran := 0
	synctest.Test(t, func(t *testing.T) {
		_, err := New(Config[string]{
			MaxConcurrent: 1,
			Activate:      func(string) work { return effect.Call(func() { ran++ }) },
			OnExit: func(exit ActivationExit[string]) work {
				if ran == 3 {
					return work{}
				}
				return l.Wake(exit.LaneKey()).AsUnit()
			},
		}).FlatMap(func(made *Lanes[string]) work {
			l = made
			return l.Wake("a").AndThen(effect.Sleep(time.Second))
		}).Scoped().Run(t.Context())
		if err != nil || ran != 3 {
			t.Errorf("ran %d times, %v; want 3", ran, err)
		}
	})
}

// N02
func TestFiftyWakesOfARunningLaneLeadToExactlyOneMoreActivation(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a")
		for range 50 {
			b.wake("a")
		}
		b.pass(time.Minute)
		b.expect("begin a", "a succeeded", "begin a", "a succeeded")
	})
}

// N04
func TestALaneThatWakesItselfDoesNotStarveTheOthers(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return effect.Sleep(time.Second).Map(func(unit) unit {
			if key == "hot" {
				b.wake(key)
			}
			return unit{}
		})
	}, OnExit: func(ActivationExit[string]) work { return work{} }}, func(bench *bench) {
		b = bench
		b.wake("hot")
		for i := range 100 {
			b.wake(fmt.Sprint("cold ", i))
		}
		b.pass(101*time.Second + time.Millisecond)
		turns := map[string]int{}
		for _, line := range b.journal.take() {
			turns[line]++
		}
		for i := range 100 {
			if n := turns[fmt.Sprint("begin cold ", i)]; n != 1 {
				t.Errorf("cold %d ran %d times; want once", i, n)
			}
		}
		if n := turns["begin hot"]; n > 2 {
			t.Errorf("the hot lane ran %d times in 101 turns; want at most 2", n)
		}
	})
}

// N09
func TestAFullQueueAcceptsAWakeOfALaneInItAndRefusesANewKey(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(3), Activate: takes(time.Second)}, func(b *bench) {
		b.wake("a", "b", "c", "d")
		if got := b.wake("c"); got[0] != WakeCoalesced {
			t.Errorf("the wake of a queued key: got %v; want coalesced", got[0])
		}
		_, err := b.WakeNow("e")
		failed[*QueueFull](t, err, "LaneQueueFull")
		b.expectStatus("a|b c d")
		b.pass(4 * time.Second)
		b.expect("begin a", "a succeeded", "begin b", "b succeeded", "begin c", "c succeeded", "begin d", "d succeeded")
	})
}

func TestAnyStringIsAKey(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 9, Activate: takes(time.Second)}, func(b *bench) {
		if got := b.wake("", "a\x00b", "\xff"); !slices.Equal(got, wakes{WakeStarted, WakeStarted, WakeStarted}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestKeysAreOfTheCallersType(t *testing.T) {
	type room struct{ house, number int }
	synctest.Test(t, func(t *testing.T) {
		var ran []room
		_, err := New(Config[room]{MaxConcurrent: 1, Activate: func(key room) work {
			return effect.Call(func() { ran = append(ran, key) })
		}}).FlatMap(func(l *Lanes[room]) work {
			return l.Wake(room{1, 2}).AndThen(l.Wake(room{1, 3})).AndThen(l.Drain())
		}).Scoped().Run(t.Context())
		if err != nil || !slices.Equal(ran, []room{{1, 2}, {1, 3}}) {
			t.Errorf("ran %v, %v", ran, err)
		}
	})
}

func TestAKeyThatIsNotEqualToItselfIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := New(Config[float64]{MaxConcurrent: 1, Activate: func(float64) work { return work{} }}).
			FlatMap(func(l *Lanes[float64]) effect.Effect[WakeResult] { return l.Wake(math.NaN()) }).Scoped().Run(t.Context())
		failed[*KeyInvalid](t, err, "LaneKeyInvalid")
	})
}

func TestAKeyThatCannotBeComparedIsRefusedAndTheLanesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := New(Config[any]{MaxConcurrent: 1, Activate: func(any) work { return work{} }}).FlatMap(func(l *Lanes[any]) work {
			return effect.TryCall(func(ctx context.Context) error {
				_, err := l.WakeNow([]int{1})
				failed[*KeyInvalid](t, err, "LaneKeyInvalid")
				if _, err := l.Cancel([]int{1}).Run(ctx); err != nil {
					t.Errorf("a cancel of it ends with %v, want nothing to cancel", err)
				}
				_, err = l.WakeNow("a")
				return err
			})
		}).Scoped().Run(t.Context())
		if err != nil {
			t.Error(err)
		}
	})
}

func TestAnActivationRunsWithTheServicesAndValuesThatSurroundNew(t *testing.T) {
	name := effect.NewService[string]("lanes.test.name")
	synctest.Test(t, func(t *testing.T) {
		var activated, exited string
		config := Config[string]{
			MaxConcurrent: 1,
			Activate:      func(string) work { return name.Get().Map(func(s string) unit { activated = s; return unit{} }) },
			OnExit: func(ActivationExit[string]) work {
				return name.Get().Map(func(s string) unit { exited = s; return unit{} })
			},
		}
		err := scope.Do(t.Context(), func(ctx context.Context, _ *scope.Scope) error {
			l, err := New(config).With(name.Of("of New")).Run(ctx)
			if err != nil {
				return err
			}
			_, err = l.Wake("a").With(name.Of("of Wake")).Run(ctx)
			synctest.Wait()
			return err
		})
		if err != nil || activated != "of New" || exited != "of New" {
			t.Errorf("Activate saw %q, OnExit saw %q, %v; want what surrounds New", activated, exited, err)
		}
	})
}

func TestARefusedWakeNamesWhatToDo(t *testing.T) {
	for err, want := range map[error]string{
		&QueueFull{"room:1", 32}: `wake lane "room:1": the queue is full (MaxQueued is 32): wake it again when an activation has ended, or raise MaxQueued`,
		&KeyInvalid{math.NaN()}:  `lane NaN: the key is not equal to itself (a NaN, or a value that cannot be compared?), so it names no lane: use another key`,
		&Closed{Key: 7, Since: time.Unix(0, 0).UTC(), Draining: true}: `wake lane 7: the lanes are draining since 1970-01-01T00:00:00Z and take no more work: wake lanes of a new New`,
	} {
		if got := err.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if _, ok := errors.TagOf(err); !ok {
			t.Errorf("%T has no tag", err)
		}
	}
}
