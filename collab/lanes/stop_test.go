package lanes

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// LA-3, S101
func TestATurnTimeoutInterruptsAtItsTimeAndTheNextActivationHasItsOwn(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(key string) work {
		return b.journal.finalizer(500*time.Millisecond, key+" cleaned up").AndThen(effect.Never[unit]())
	}}, func(bench *bench) {
		b = bench
		b.wake("a", "b")
		b.pass(999 * time.Millisecond)
		b.expect("begin a")
		if got := b.Status().Lanes[0]; got.Phase != Activating || got.Stopped != 0 {
			t.Errorf("after 999 ms: %+v", got)
		}
		b.pass(time.Millisecond)
		if got := b.Status().Lanes[0]; got.Phase != CleaningUp || got.Stopped != StopTimeout {
			t.Errorf("after 1000 ms: %+v", got)
		}
		b.pass(499 * time.Millisecond)
		b.expect()
		b.pass(time.Millisecond)
		b.expect("a cleaned up", "a interrupted: timeout", "begin b")
		b.pass(999 * time.Millisecond)
		b.expect()
		b.pass(501 * time.Millisecond)
		b.expect("b cleaned up", "b interrupted: timeout")
	})
}

func TestAnActivationThatEndsInTimeHearsNothingOfItsTimeout(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: takes(999 * time.Millisecond)}, func(b *bench) {
		b.wake("a")
		b.pass(time.Minute)
		b.expect("begin a", "a succeeded")
	})
}

func TestEachKeyMayHaveATurnTimeoutOfItsOwn(t *testing.T) {
	onBench(t, Config[string]{
		MaxConcurrent: 9,
		TurnTimeout:   mo.Some(time.Second),
		TurnTimeoutOf: func(key string) mo.Option[time.Duration] {
			switch key {
			case "slow":
				return mo.Some(time.Minute)
			case "never":
				return mo.Some(-time.Nanosecond)
			case "bug":
				panic("no limit for bug")
			}
			return mo.None[time.Duration]()
		},
		Activate: forEver,
	}, func(b *bench) {
		b.wake("never")
		b.expect("never interrupted: timeout")
		b.wake("bug")
		b.expect("bug failed: defect: no limit for bug")
		b.wake("slow", "other")
		b.pass(time.Second)
		got := b.journal.take()
		if len(got) != 3 || got[2] != "other interrupted: timeout" {
			t.Errorf("after 1 s: %q", got)
		}
		b.pass(59*time.Second - time.Millisecond)
		b.expect()
		b.pass(time.Millisecond)
		b.expect("slow interrupted: timeout")
	})
}

// LA-4, S102
func TestCancelReturnsWhenTheActivationHasEndedAndItsSlotHasPassedOn(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return b.journal.finalizer(time.Second, key+" cleaned up").AndThen(effect.Never[unit]())
	}, OnExit: func(exit ActivationExit[string]) work {
		return effect.Sleep(time.Second).AndThen(b.journal.say(describe(exit)))
	}}, func(bench *bench) {
		b = bench
		b.wake("a", "b", "c", "a")
		b.settle()
		over, _ := b.background(b.Cancel("a"))
		b.pass(1999 * time.Millisecond)
		if over() {
			t.Fatal("Cancel has returned before OnExit has")
		}
		b.pass(time.Millisecond)
		if !over() {
			t.Fatal("Cancel has not returned although the activation is over")
		}
		b.expectStatus("b|c") // the slot has passed on, and a owes nothing
		b.expect("begin a", "a cleaned up", "a interrupted: cancel", "begin b")

		start := time.Now()
		if _, err := b.Cancel("c").Run(b.ctx); err != nil || time.Since(start) != 0 {
			t.Errorf("Cancel of a queued lane: %v, after %v", err, time.Since(start))
		}
		b.expectStatus("b|")
		for _, idle := range []string{"a", "never woken"} {
			if _, err := b.Cancel(idle).Run(b.ctx); err != nil || time.Since(start) != 0 {
				t.Errorf("Cancel of an idle lane: %v, after %v", err, time.Since(start))
			}
		}
		b.wake("a")
		b.expectStatus("b|a")
	})
}

func TestAWakeDuringTheCleanUpOfACancelledActivationIsServedUnlessASecondCancelDropsIt(t *testing.T) {
	for name, second := range map[string]bool{"served": false, "dropped": true} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
				return b.journal.finalizer(time.Second, "cleaned up").AndThen(effect.Never[unit]())
			}}, func(bench *bench) {
				b = bench
				b.wake("a")
				b.settle()
				first, _ := b.background(b.Cancel("a"))
				b.pass(500 * time.Millisecond)
				b.wake("a")
				b.expectStatus("a*|")
				again := first
				if second {
					again, _ = b.background(b.Cancel("a"))
					b.expectStatus("a|")
				}
				b.pass(500 * time.Millisecond)
				if !first() || !again() {
					t.Error("a Cancel has not returned")
				}
				if second {
					b.expect("begin a", "cleaned up", "a interrupted: cancel")
				} else {
					b.expect("begin a", "cleaned up", "a interrupted: cancel", "begin a")
				}
			})
		})
	}
}

// LA-5, S103
func TestCloseRefusesWakesDropsTheQueueAndInterruptsWhatRuns(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: func(key string) work {
		return effect.AddFinalizer(func(scope.Exit) work { return effect.Sleep(time.Second) }).AndThen(effect.Never[unit]())
	}}, func(bench *bench) {
		b = bench
		b.wake("a", "a")
		b.pass(time.Millisecond)
		b.wake("b", "c", "d")
		b.pass(time.Millisecond)
		over, _ := b.background(b.Close())
		b.expectStatus("a b| closed")
		_, err := b.WakeNow("a")
		if f := failed[*Closed](t, err, "LanesClosed"); f.Key != "a" || f.Draining || !f.Since.Equal(time.Now()) {
			t.Errorf("got %+v", f)
		}
		if over() {
			t.Fatal("Close has not waited")
		}
		b.pass(time.Second)
		if !over() {
			t.Fatal("Close has not returned")
		}
		b.expectStatus("| closed")
		got := b.journal.take()
		if len(got) != 4 || got[0] != "begin a" || got[1] != "begin b" {
			t.Errorf("got %q", got)
		}
		start := time.Now()
		if _, err := b.Close().Run(b.ctx); err != nil || time.Since(start) != 0 {
			t.Errorf("the second Close: %v after %v", err, time.Since(start))
		}
	})
}

// LA-6, S103
func TestClosingTheScopeClosesTheLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		var l *Lanes[string]
		start := time.Now()
		err := scope.Do(t.Context(), func(ctx context.Context, _ *scope.Scope) (err error) {
			l, err = New(Config[string]{
				MaxConcurrent: 1,
				Activate: func(string) work {
					return j.finalizer(time.Second, "cleaned up").AndThen(effect.Never[unit]())
				},
				OnExit: func(exit ActivationExit[string]) work { return j.say(describe(exit)) },
			}).Run(ctx)
			if err != nil {
				return err
			}
			l.WakeNow("a")
			l.WakeNow("b")
			synctest.Wait()
			return nil
		})
		if err != nil || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if got := j.take(); len(got) != 2 || got[0] != "cleaned up" || got[1] != "a interrupted: close" {
			t.Errorf("got %q", got)
		}
		_, err = l.WakeNow("a")
		failed[*Closed](t, err, "LanesClosed")
	})
}

func TestAnInterruptedProgramClosesItsLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var exit ActivationExit[string]
		_, err := New(Config[string]{
			MaxConcurrent: 1,
			Activate:      forEver,
			OnExit:        func(x ActivationExit[string]) work { exit = x; return work{} },
		}).FlatMap(func(l *Lanes[string]) work { return l.Wake("a").AndThen(effect.Never[unit]()) }).Scoped().Run(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || exit != (ActivationInterrupted[string]{"a", StopClose}) {
			t.Errorf("got %v, %v", err, exit)
		}
	})
}

// LA-13, S108
func TestTheFirstStopNamesTheReasonEvenIfTheCleanUpOutlastsTheOthers(t *testing.T) {
	stops := map[string]func(*bench){
		"cancel":  func(b *bench) { b.background(b.Cancel("a")) },
		"close":   func(b *bench) { b.background(b.Close()) },
		"timeout": func(*bench) {}, // comes by itself at 1 s
	}
	for _, row := range []struct{ first, second string }{
		{"cancel", "close"}, {"close", "cancel"}, {"cancel", "timeout"}, {"close", "timeout"}, {"timeout", "cancel"}, {"timeout", "close"},
	} {
		t.Run(row.first+" before "+row.second, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(string) work {
				return b.journal.finalizer(5*time.Second, "cleaned up").AndThen(effect.Never[unit]())
			}}, func(bench *bench) {
				b = bench
				b.wake("a")
				if row.first == "timeout" {
					b.pass(time.Second)
				} else {
					b.pass(500 * time.Millisecond)
					stops[row.first](b)
				}
				b.pass(500 * time.Millisecond)
				stops[row.second](b)
				b.pass(5 * time.Second)
				b.expect("begin a", "cleaned up", "a interrupted: "+row.first)
			})
		})
	}
}

// LA-15, S107
func TestAnActivationStoppedBeforeItBeganIsReportedAndActivateIsNotCalled(t *testing.T) {
	for name, row := range map[string]struct {
		stop func(b *bench)
		want string
	}{
		"cancel": {func(b *bench) { b.Cancel("a").Run(b.ctx) }, "a interrupted: cancel"},
		"close":  {func(b *bench) { b.Close().Run(b.ctx) }, "a interrupted: close"},
	} {
		t.Run(name, func(t *testing.T) {
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: forEver}, func(b *bench) {
				// The lock of the lanes keeps the fiber from beginning, whoever runs first.
				b.Lanes.mu.Lock()
				ln, v := b.board.wake("a")
				if v != started {
					t.Fatal("the lane has not started")
				}
				a := b.startLocked(ln, b.now())
				b.Lanes.mu.Unlock()
				stopped := make(chan struct{})
				go func() { defer close(stopped); row.stop(b) }()
				b.settle()
				go b.work(a)
				<-stopped
				b.expect(row.want)
			})
		})
	}
	t.Run("a slot that a close takes away at once", func(t *testing.T) {
		onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
			b.wake("a", "b")
			b.pass(500 * time.Millisecond)
			over, _ := b.background(b.Cancel("a").AndThen(b.Close()))
			if !over() {
				t.Fatal("it has not ended")
			}
			got := b.journal.take()
			last := got[len(got)-1]
			if got[0] != "begin a" || got[1] != "a interrupted: cancel" || last != "b interrupted: close" {
				t.Errorf("got %q", got)
			}
		})
	})
}

func TestAStopThatMeetsTheStartIsNeverLost(t *testing.T) {
	for range 300 { // whichever of the two is first
		synctest.Test(t, func(t *testing.T) {
			var exit ActivationExit[string]
			_, err := New(Config[string]{
				MaxConcurrent: 1,
				Activate:      forEver,
				OnExit:        func(x ActivationExit[string]) work { exit = x; return work{} },
			}).FlatMap(func(l *Lanes[string]) work { return l.Wake("a").AndThen(l.Cancel("a")) }).Scoped().Run(t.Context())
			if err != nil || exit != (ActivationInterrupted[string]{"a", StopCancel}) {
				t.Fatalf("got %v, %v", exit, err)
			}
		})
	}
}

func TestCancelOfOnesOwnKeyInterruptsTheActivationAtThatCall(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return b.Cancel(key).AndThen(b.journal.say("went on"))
	}}, func(bench *bench) {
		b = bench
		b.wake("a", "b")
		b.expect("begin a", "a interrupted: cancel", "begin b", "b interrupted: cancel")
	})
}

func TestCloseFromInsideAnActivationInterruptsItAtThatCall(t *testing.T) {
	var b *bench
	bothWoken := effect.NewLatch(false)
	onBench(t, Config[string]{MaxConcurrent: 1, ShutdownGrace: time.Hour, Activate: func(key string) work {
		return bothWoken.Await().AndThen(b.Close()).AndThen(b.journal.say("went on"))
	}}, func(bench *bench) {
		b = bench
		b.wake("a", "b")
		bothWoken.OpenNow()
		b.expect("begin a", "a interrupted: close")
		b.expectStatus("| closed")
	})
}

func TestInterruptingAStopEndsTheWaitingOnly(t *testing.T) {
	for name, stop := range map[string]func(*bench) work{
		"Cancel": func(b *bench) work { return b.Cancel("a") },
		"Close":  func(b *bench) work { return b.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
				return b.journal.finalizer(time.Minute, "cleaned up").AndThen(effect.Never[unit]())
			}}, func(bench *bench) {
				b = bench
				b.wake("a")
				b.settle()
				start := time.Now()
				_, err := stop(b).Timeout(time.Second).Run(b.ctx)
				if _, ok := errors.AsType[*effect.TimeoutError](err); !ok || time.Since(start) != time.Second {
					t.Errorf("got %v after %v", err, time.Since(start))
				}
				b.pass(time.Minute)
				b.journal.take()
				b.expectStatus(map[string]string{"Cancel": "|", "Close": "| closed"}[name])
			})
		})
	}
}

func TestWorkThatCannotBeInterruptedDelaysTheStopUntilItEnds(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return effect.Sleep(time.Minute).Uninterruptible() }}, func(b *bench) {
		b.wake("a", "b")
		b.settle()
		start := time.Now()
		if _, err := b.Cancel("a").Run(b.ctx); err != nil || time.Since(start) != time.Minute {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}
