package lanes

import (
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// refusal writes into the journal how e ends.
func (b *bench) refusal(e work) work {
	return e.AndThen(b.journal.say("went on")).CatchAs(func(f *NeverEnds) work {
		return b.journal.say(f.Operation + " refused in the " + f.Phase.String() + " of " + f.Key.(string))
	})
}

func (b *bench) stops(key string) map[string]work {
	return map[string]work{"Cancel": b.Cancel(key), "Close": b.Close(), "Drain": b.Drain()}
}

func TestAWaitInOnExitForItsOwnEndIsRefused(t *testing.T) {
	for _, operation := range []string{"Cancel", "Close", "Drain"} {
		t.Run(operation, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return work{} }, OnExit: func(exit ActivationExit[string]) work {
				return b.refusal(b.stops(exit.LaneKey())[operation])
			}}, func(bench *bench) {
				b = bench
				b.wake("a", "b")
				b.expect("begin a", operation+" refused in the OnExit of a", "begin b", operation+" refused in the OnExit of b")
				b.expectStatus("|")
			})
		})
	}
}

func TestAWaitInAnInterruptibleWindowOfOnExitIsRefusedToo(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return work{} }, OnExit: func(exit ActivationExit[string]) work {
		return b.refusal(b.Close().Interruptible())
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.expect("begin a", "Close refused in the OnExit of a")
	})
}

func TestAWaitInAFinalizerOfTheActivationForItsEndIsRefused(t *testing.T) {
	for _, operation := range []string{"Cancel", "Close", "Drain"} {
		t.Run(operation, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
				return effect.AddFinalizer(func(scope.Exit) work { return b.refusal(b.stops(key)[operation]) })
			}}, func(bench *bench) {
				b = bench
				b.wake("a")
				b.expect("begin a", operation+" refused in the clean-up of a", "a succeeded")
			})
		})
	}
}

func TestAWaitInAnUninterruptibleRegionOfTheActivationForItsEndIsRefused(t *testing.T) {
	for _, operation := range []string{"Cancel", "Close", "Drain"} {
		t.Run(operation, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
				return b.refusal(b.stops(key)[operation]).Uninterruptible()
			}}, func(bench *bench) {
				b = bench
				b.wake("a")
				b.expect("begin a", operation+" refused in the activation of a", "a succeeded")
			})
		})
	}
}

func TestDrainFromInsideAnActivationIsRefused(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		inAFiber := effect.Fork(b.refusal(b.Drain())).FlatMap(func(f *effect.Fiber[unit]) work { return f.Join() })
		return b.refusal(b.Drain()).AndThen(inAFiber)
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.expect("begin a", "Drain refused in the activation of a", "Drain refused in the activation of a", "a succeeded")
		b.wake("a") // nothing has changed: they take wakes
	})
}

func TestCancelOfAnotherKeyFromOnExitWaitsForItsEnd(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: func(key string) work {
		if key == "victim" {
			return effect.Never[unit]().Ensuring(effect.Sleep(time.Second))
		}
		return effect.Sleep(time.Second)
	}, OnExit: func(exit ActivationExit[string]) work {
		if exit.LaneKey() == "victim" {
			return b.journal.say(describe(exit))
		}
		return b.Cancel("victim").AndThen(b.journal.say("cancelled"))
	}}, func(bench *bench) {
		b = bench
		b.wake("victim")
		b.settle()
		b.wake("a")
		b.pass(2 * time.Second)
		b.expect("begin victim", "begin a", "victim interrupted: cancel", "cancelled")
	})
}

func TestActivationsWhoseFinalizersCancelEachOtherAreNotAllLeftWaiting(t *testing.T) {
	var b *bench
	other := map[string]string{"a": "b", "b": "c", "c": "a"}
	onBench(t, Config[string]{MaxConcurrent: 3, Activate: func(key string) work {
		return effect.AddFinalizer(func(scope.Exit) work { return b.refusal(b.Cancel(other[key])) }).AndThen(effect.Sleep(time.Second))
	}, OnExit: func(ActivationExit[string]) work { return work{} }}, func(bench *bench) {
		b = bench
		b.wake("a", "b", "c")
		b.pass(time.Second)
		b.expectStatus("|")
		refused := 0
		for _, line := range b.journal.take() {
			if strings.HasPrefix(line, "Cancel refused in the clean-up of ") {
				refused++
			}
		}
		if refused != 1 {
			t.Errorf("%d were refused; want the one that would have closed the circle", refused)
		}
	})
}

func TestTwoActivationsThatCancelEachOtherBothEnd(t *testing.T) {
	var b *bench
	other := map[string]string{"a": "b", "b": "a"}
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: func(key string) work {
		return effect.Sleep(time.Second).AndThen(b.Cancel(other[key]))
	}, OnExit: func(ActivationExit[string]) work { return work{} }}, func(bench *bench) {
		b = bench
		b.wake("a", "b")
		b.pass(time.Second)
		b.expectStatus("|")
	})
}

func TestAFiberThatOutlivesItsActivationMayDrain(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return effect.ForkDetach(effect.Sleep(time.Second).AndThen(b.refusal(b.Drain()))).AsUnit()
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(time.Second)
		b.expect("begin a", "a succeeded", "went on")
		b.expectStatus("| closed")
	})
}

func TestAnActivationMayDrainAndCloseLanesOfItsOwn(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return New(Config[string]{MaxConcurrent: 1, Activate: func(inner string) work { return b.journal.say("inner " + inner) }}).
			FlatMap(func(l *Lanes[string]) work { return l.Wake(key).AndThen(l.Drain()).AndThen(l.Close()) })
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.expect("begin a", "inner a", "a succeeded")
	})
}

func TestARefusedWaitNamesTheCallThePlaceAndTheWayOut(t *testing.T) {
	for err, want := range map[*NeverEnds]string{
		{"Drain", "a", Activating}:  `Drain in the activation of lane "a" would wait for its own end: make the call on a fiber that the lane does not wait for, such as one of the scope that made the lanes`,
		{"Cancel", "a", Activating}: `Cancel in the activation of lane "a" would wait for its own end: make the call where the activation can be interrupted`,
		{"Close", 7, Exiting}:       `Close in the OnExit of lane 7 would wait for its own end: make the call on a fiber that the lane does not wait for, such as one of the scope that made the lanes`,
	} {
		if got := err.Error(); got != want || err.Tag() != "LanesNeverEnds" {
			t.Errorf("got  %s (%s)\nwant %s", got, err.Tag(), want)
		}
	}
}
