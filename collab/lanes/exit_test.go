package lanes

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// LA-7, S104
func TestOnExitHearsHowEachActivationEndedAfterItsScopeHasClosed(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return b.journal.finalizer(time.Second, key+" cleaned up").AndThen(effect.Suspend(func() work {
			switch key {
			case "fails":
				return effect.Fail[unit](errors.New("no disk"))
			case "dies":
				panic("a bug")
			}
			return work{}
		}))
	}}, func(bench *bench) {
		b = bench
		b.wake("fails", "dies", "succeeds")
		b.pass(time.Minute)
		b.expect(
			"begin fails", "fails cleaned up", "fails failed: no disk",
			"begin dies", "dies cleaned up", "dies failed: defect: a bug",
			"begin succeeds", "succeeds cleaned up", "succeeds succeeded",
		)
	})
}

// LA-8, S104
func TestAnActivateThatPanicsIsAFailedActivation(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work { panic("no effect for " + key) }}, func(b *bench) {
		b.wake("a", "b")
		b.expect("begin a", "a failed: defect: no effect for a", "begin b", "b failed: defect: no effect for b")
	})
}

// LA-9, S104
func TestTheSlotPassesOnOnlyWhenOnExitHasReturnedAndItsDefectIsLogged(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{
		MaxConcurrent: 1,
		Activate:      func(string) work { return work{} },
		OnExit: func(exit ActivationExit[string]) work {
			return effect.Sleep(time.Second).AndThen(b.journal.say("told of " + exit.LaneKey())).AndThen(effect.Die[unit]("no listener"))
		},
	}, func(bench *bench) {
		b = bench
		b.wake("a", "b")
		b.pass(999 * time.Millisecond)
		b.expect("begin a")
		b.expectStatus("a|b")
		if got := b.Status().Lanes[0].Phase; got != Exiting {
			t.Errorf("the phase is %v; want %v", got, Exiting)
		}
		b.pass(2 * time.Second)
		b.expect("told of a", "begin b", "told of b")
		b.expectStatus("|")
		if got := b.warned.String(); strings.Count(got, "level=WARN") != 2 || !strings.Contains(got, "key=a") || !strings.Contains(got, "no listener") {
			t.Errorf("the log says %s", got)
		}
	})
}

func TestAFailureAPanicAndAGoexitInOnExitAreWarningsAndTheLaneGoesOn(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return work{} }, OnExit: func(exit ActivationExit[string]) work {
		switch exit.LaneKey() {
		case "fails":
			return effect.Fail[unit](errors.New("no disk"))
		case "panics":
			panic("a bug")
		case "exits":
			runtime.Goexit()
		case "exits in its effect":
			return effect.Call(func() { runtime.Goexit() })
		}
		return b.journal.say("told of " + exit.LaneKey())
	}}, func(bench *bench) {
		b = bench
		b.wake("fails", "panics", "exits", "exits in its effect", "last")
		b.expect("begin fails", "begin panics", "begin exits", "begin exits in its effect", "begin last", "told of last")
		got := b.warned.String()
		for _, want := range []string{"no disk", "a bug", "key=exits ", `key="exits in its effect"`} {
			if !strings.Contains(got, want) {
				t.Errorf("the log lacks %q: %s", want, got)
			}
		}
		if n := strings.Count(got, "level=WARN"); n != 4 {
			t.Errorf("%d warnings; want 4", n)
		}
	})
}

func TestALoggerThatPanicsDoesNotTakeTheLanesWithIt(t *testing.T) {
	onBench(t, Config[string]{
		MaxConcurrent: 1,
		Logger:        slog.New(brokenHandler{}),
		Activate:      func(string) work { return work{} },
		OnExit:        func(ActivationExit[string]) work { panic("a bug") },
	}, func(b *bench) {
		b.wake("a", "b")
		b.expect("begin a", "begin b")
		b.expectStatus("|")
	})
}

type brokenHandler struct{ slog.Handler }

func (brokenHandler) Enabled(context.Context, slog.Level) bool { panic("a broken handler") }

// N01
func TestAPanicAndAGoexitFreeTheSlotAndTheKey(t *testing.T) {
	turn := 0
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		return effect.Sleep(time.Second).AndThen(effect.Call(func() {
			if key != "a" {
				return
			}
			if turn++; turn == 1 {
				panic("a bug of a")
			}
			runtime.Goexit()
		}))
	}}, func(b *bench) {
		for range 2 {
			b.wake("a", "b")
			b.pass(2 * time.Second)
		}
		b.expect(
			"begin a", "a failed: defect: a bug of a", "begin b", "b succeeded",
			"begin a", "a failed: defect: runtime.Goexit ended the goroutine of this effect", "begin b", "b succeeded",
		)
		b.expectStatus("|")
	})
}

func TestAGoexitInActivateAndInAFinalizerIsAFailedActivation(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
		if key == "in Activate" {
			runtime.Goexit()
		}
		return effect.AddFinalizer(func(scope.Exit) work { runtime.Goexit(); return work{} })
	}}, func(b *bench) {
		b.wake("in Activate", "in a finalizer", "fine")
		b.settle()
		got := b.journal.take()
		if len(got) != 6 || !strings.Contains(got[1], "in Activate failed: defect: runtime.Goexit") ||
			!strings.Contains(got[3], "in a finalizer failed: defect:") || !strings.Contains(got[3], "runtime.Goexit") {
			t.Errorf("got %q", got)
		}
		b.expectStatus("|")
	})
}

func TestAFailedExitIsAnErrorThatNamesTheKeyAndUnwrapsToTheCause(t *testing.T) {
	full := &QueueFull{"inner", 1}
	exit := ActivationFailed[string]{"a", errors.FailCause(full)}
	var err error = exit
	if got := err.Error(); !strings.HasPrefix(got, `activation of lane "a": `) {
		t.Errorf("got %s", got)
	}
	if f, ok := errors.AsType[*QueueFull](exit.Err()); !ok || f != full {
		t.Errorf("the failure is not found in %v", err)
	}
	if got := (ActivationInterrupted[string]{"a", StopTimeout}).Err().Error(); got != `activation of lane "a": interrupted: timeout; give it more time (TurnTimeout), or wake the lane again to go on` {
		t.Errorf("got %s", got)
	}
	if err := (ActivationSucceeded[string]{"a"}).Err(); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestAnActivationThatInterruptsItselfHasFailed(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work { return effect.Interrupt[unit]() }}, func(b *bench) {
		b.wake("a")
		b.settle()
		got := b.journal.take()
		if len(got) != 2 || !strings.HasPrefix(got[1], "a failed: interrupted") {
			t.Errorf("got %q", got)
		}
	})
}

// LA-10, S106
func TestASuccessStaysASuccessWhenTheTimeoutComesDuringCleanUp(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(string) work {
		return b.journal.finalizer(2*time.Second, "cleaned up").AndThen(effect.Sleep(500 * time.Millisecond))
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(3 * time.Second)
		b.expect("begin a", "cleaned up", "a succeeded")
	})
}

// LA-11, S106
func TestAFailureStaysThatFailureAloneWhenTheTimeoutComesDuringCleanUp(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(string) work {
		return b.journal.finalizer(2*time.Second, "cleaned up").AndThen(effect.Fail[unit](errors.New("no disk")))
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(3 * time.Second)
		b.expect("begin a", "cleaned up", "a failed: no disk")
	})
}

// LA-12, S106
func TestADefectOfTheCleanUpIsReportedWithoutTheInterruption(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(string) work {
		return effect.AddFinalizer(func(scope.Exit) work {
			return effect.Sleep(2 * time.Second).AndThen(effect.Die[unit]("a broken finalizer"))
		})
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(3 * time.Second)
		b.expect("begin a", "a failed: defect: a broken finalizer")
	})
}

// LA-14, S106
func TestTheOwnExitStaysWhenACancelOrCloseComesDuringCleanUp(t *testing.T) {
	for name, stop := range map[string]func(*bench) work{
		"cancel": func(b *bench) work { return b.Cancel("a") },
		"close":  func(b *bench) work { return b.Close() },
	} {
		for outcome, body := range map[string]work{"succeeded": {}, "failed: no disk": effect.Fail[unit](errors.New("no disk"))} {
			t.Run(name+" "+outcome, func(t *testing.T) {
				var b *bench
				onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
					return b.journal.finalizer(2*time.Second, "cleaned up").AndThen(body)
				}}, func(bench *bench) {
					b = bench
					b.wake("a")
					b.pass(time.Second)
					over, _ := b.background(stop(b))
					b.pass(time.Millisecond)
					if over() {
						t.Error("the stop did not wait for the clean-up")
					}
					b.pass(time.Second)
					if !over() {
						t.Error("the stop has not ended with the activation")
					}
					b.expect("begin a", "cleaned up", "a "+outcome)
				})
			})
		}
	}
}

func TestABodyThatIgnoresItsInterruptionIsReportedAsInterrupted(t *testing.T) {
	for _, row := range []struct {
		name string
		body func(b *bench) work
		want string
	}{
		{"it returns normally", func(*bench) work { return effect.Sleep(2 * time.Second).Uninterruptible() }, "a interrupted: timeout"},
		{"it fails", func(*bench) work {
			return effect.Sleep(2 * time.Second).AndThen(effect.Fail[unit](errors.New("late"))).Uninterruptible()
		}, "a interrupted: timeout"},
		{"its finalizer breaks", func(*bench) work {
			return effect.AddFinalizer(func(scope.Exit) work { return effect.Die[unit]("broken") }).AndThen(effect.Never[unit]())
		}, "a interrupted: timeout"},
		{"its interruption handler dies", func(*bench) work {
			return effect.Never[unit]().OnInterrupt(func([]errors.FiberID) work { return effect.Die[unit]("a bug") })
		}, "a failed: defect: a bug"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b *bench
			onBench(t, Config[string]{MaxConcurrent: 1, TurnTimeout: mo.Some(time.Second), Activate: func(string) work { return row.body(b) }}, func(bench *bench) {
				b = bench
				b.wake("a")
				b.pass(3 * time.Second)
				b.expect("begin a", row.want)
			})
		})
	}
}

func TestTheFibersThatAnActivationLeavesBehindEndBeforeOnExitHearsOfIt(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
		child := effect.Never[unit]().Ensuring(effect.Sleep(time.Second).AndThen(b.journal.say("child ended")))
		return effect.Fork(child).AsUnit().AndThen(effect.Sleep(time.Second))
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(time.Minute)
		b.expect("begin a", "child ended", "a succeeded")
	})
}

// Section 6.5 of the behaviour, as a table.
func TestTheExitFollowsFromTheBodyTheFinalizersAndTheStop(t *testing.T) {
	var (
		none      *errors.Cause
		fail      = errors.FailCause(errors.New("F"))
		die       = errors.DieCause("D")
		bug       = errors.DieCause("B")
		interrupt = errors.InterruptCause(7)
	)
	for i, row := range []struct {
		cutShort        StopReason
		body, finalizer *errors.Cause
		stop            StopReason
		want            string
	}{
		{0, none, none, 0, "k succeeded"},
		{0, fail, none, 0, "k failed: F"},
		{0, die, none, 0, "k failed: defect: D"},
		{0, interrupt, none, 0, "k failed: interrupted by fiber #7"},
		{0, none, die, 0, "k failed: defect: D"},
		{0, none, fail, 0, "k failed: F"},
		{0, fail, die, 0, "k failed: defect: F; defect: D"},
		{0, die, bug, 0, "k failed: defect: D; defect: B"},
		{0, none, interrupt, StopClose, "k succeeded"},
		{0, none, interrupt, 0, "k failed: interrupted by fiber #7"},
		{0, fail, interrupt, StopClose, "k failed: F"},
		{0, interrupt, none, StopClose, "k failed: interrupted by fiber #7"},
		{0, none, interrupt.Combine(die), StopCancel, "k failed: defect: D"},
		{StopCancel, none, none, StopCancel, "k interrupted: cancel"},
		{StopTimeout, interrupt, die, StopTimeout, "k interrupted: timeout"},
		{StopTimeout, fail.Combine(interrupt), none, StopTimeout, "k interrupted: timeout"},
		{StopClose, interrupt.Combine(die), none, StopClose, "k failed: defect: D"},
		{StopClose, fail.Combine(interrupt).Combine(die), none, StopClose, "k failed: defect: F; defect: D"},
	} {
		if got := describe(exitOf("k", row.cutShort, row.body, row.finalizer, row.stop)); got != row.want {
			t.Errorf("row %d: got %q; want %q", i, got, row.want)
		}
	}
}

func TestEveryExitHasTheTagOfItsType(t *testing.T) {
	var tags []string
	for _, exit := range []ActivationExit[int]{ActivationSucceeded[int]{1}, ActivationFailed[int]{1, nil}, ActivationInterrupted[int]{1, StopClose}} {
		if exit.LaneKey() != 1 || !strings.Contains(fmt.Sprintf("%T", exit), exit.Tag()) {
			t.Errorf("%T: key %d, tag %s", exit, exit.LaneKey(), exit.Tag())
		}
		tags = append(tags, exit.Tag())
	}
	if want := []string{"ActivationSucceeded", "ActivationFailed", "ActivationInterrupted"}; !slices.Equal(tags, want) {
		t.Errorf("got %v; want %v", tags, want)
	}
}

func TestAGoexitEndsTheFibersOfItsActivationToo(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
		child := effect.Never[unit]().Ensuring(b.journal.say("child ended"))
		return effect.Fork(child).AndThen(effect.Sleep(time.Second)).AndThen(effect.Call(func() { runtime.Goexit() }))
	}}, func(bench *bench) {
		b = bench
		b.wake("a")
		b.pass(time.Minute)
		b.expect("begin a", "child ended", "a failed: defect: runtime.Goexit ended the goroutine of this effect")
	})
}
