package effect_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"golang.org/x/sync/errgroup"
)

type contextKey string

func TestADeadlineThatGoCodeDerivesInterruptsWhatItAwaitsAndIsAFailureOutside(t *testing.T) {
	name := NewService[string]("Name")
	program := Gen(func(do Do) (string, error) {
		id := do.Await(CurrentID())
		return do.Await(Try(func(ctx context.Context) (string, error) {
			derived, cancel := context.WithTimeout(context.WithValue(ctx, contextKey("k"), 1), 20*ms)
			defer cancel()
			_, err := Await(derived, Gen(func(do Do) (u Unit, _ error) {
				if got := do.Await(CurrentID()); got != id {
					t.Errorf("awaited on fiber %v; want the surrounding %v", got, id)
				}
				if got := do.Await(name.Get()); got != "n" {
					t.Errorf("the service is %q", got)
				}
				if got := do.Value(contextKey("k")); got != 1 {
					t.Errorf("the value is %v", got)
				}
				do.Await(Sleep(time.Hour))
				return
			}))
			return "", fmt.Errorf("outer: %w", err)
		}).Catch(func(err error) Effect[string] { return Succeed("caught " + err.Error()) })), nil
	})
	x := effecttest.Run(t, program.With(name.Of("n")))
	if want := "caught outer: interrupted: context deadline exceeded"; x.Value != want {
		t.Errorf("got %v; want %q", x, want)
	}
}

func TestAnInterruptionReachesARunThroughADerivedContextAndIsNotCaughtThere(t *testing.T) {
	var interrupted, after atomic.Bool
	child := Try(func(ctx context.Context) (int, error) {
		derived, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		_, err := Sleep(time.Hour).Run(derived)
		interrupted.Store(err != nil && derived.Err() != nil) // at once, not a moment later
		return 1, nil                                         // swallows it
	}).Tap(func(int) Effect[Unit] { return Call(func() { after.Store(true) }) })
	x := effecttest.Run(t, Gen(func(do Do) (Exit[int], error) {
		f := do.Await(Fork(child))
		do.Await(sleep(10))
		do.Await(f.Interrupt())
		return do.Await(f.Await()), nil
	}))
	if !x.Value.Cause.HasInterruptsOnly() || !interrupted.Load() || after.Load() {
		t.Errorf("the exit is %v, inside interrupted: %v, went on: %v", x.Value, interrupted.Load(), after.Load())
	}
}

func TestRestoreKeepsTheValuesAndServicesOfWhereItRuns(t *testing.T) {
	name := NewService[string]("Name")
	inside := Gen(func(do Do) (string, error) {
		_, deadline := do.Deadline()
		return fmt.Sprint(do.Value(contextKey("span")), do.Await(name.Get()), deadline, context.Cause(do)), nil
	})
	program := Mask(func(restore Restore) Effect[string] {
		return Try(func(ctx context.Context) (string, error) {
			return restore.On(inside).With(name.Of("in")).Run(context.WithValue(ctx, contextKey("span"), "span"))
		})
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	got, err := program.Run(ctx)
	if want := "spanintrue <nil>"; got != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestATimeoutInAFinalizerFiresAfterTheRootsDeadline(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		var took time.Duration
		_, err := Sleep(time.Hour).Ensuring(Try(func(ctx context.Context) (u Unit, _ error) {
			start := time.Now()
			own, cancel := context.WithTimeout(ctx, 50*ms)
			defer cancel()
			<-own.Done()
			took = time.Since(start)
			return
		})).Run(ctx)
		if took != 50*ms || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the timeout took %v, and the run ended with %v", took, err)
		}
	})
}

func TestTheErrorOfACancelledRunIsBothCanceledAndTheCause(t *testing.T) {
	boom := boom("shutdown")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(boom)
	_, err := Sleep(time.Hour).Run(ctx)
	if !errors.Is(err, boom) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheContextOfAFiberThatIsOverIsCancelledAndAwaitsNothing(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		var kept context.Context
		f := Start(t.Context(), Try(func(ctx context.Context) (u Unit, _ error) { kept = ctx; return }))
		<-f.Done()
		if kept.Err() == nil {
			t.Error("the context goes on after its fiber")
		}
		<-kept.Done()
		if _, err := Await(kept, Succeed(1)); err == nil || !errors.Is(err, err) {
			t.Error("Await continued a fiber that is over")
		}
		if x := RunExit(kept, sleep(1)); !x.Cause.HasInterruptsOnly() {
			t.Errorf("a run on it ended with %v", x)
		}
	})
}

func TestADetachedContextContinuesItsFiberOnlyWhileThatRuns(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		var during, after error
		done := make(chan struct{})
		program := Gen(func(do Do) (u Unit, _ error) {
			go func() {
				defer close(done)
				detached := context.WithoutCancel(do)
				_, during = Await(detached, CurrentID())
				time.Sleep(time.Second) // the fiber is over by then
				_, after = Await(detached, CurrentID())
			}()
			do.Await(sleep(10))
			return
		})
		if _, err := program.Run(t.Context()); err != nil {
			t.Error(err)
		}
		<-done
		if during != nil || after == nil {
			t.Errorf("while it ran: %v; after: %v", during, after)
		}
	})
}

func TestARunOnADetachedContextHasItsServicesAfterItsFiber(t *testing.T) {
	name := NewService[string]("Name")
	var kept context.Context
	keep := Try(func(ctx context.Context) (u Unit, _ error) { kept = context.WithoutCancel(ctx); return })
	if _, err := keep.With(name.Of("n")).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := name.Get().Run(kept); got != "n" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAnUninterruptibleRegionHidesTheCancellationOfTheRoot(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	program := Try(func(ctx context.Context) (u Unit, _ error) {
		cancel(boom("root"))
		if ctx.Err() != nil || ctx.Done() != nil || context.Cause(ctx) != nil {
			t.Errorf("it shows: %v, %v", ctx.Err(), context.Cause(ctx))
		}
		return
	})
	if _, err := program.Uninterruptible().Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestADetachedFiberDoesNotShowTheCancellationOfTheRootThatStartedIt(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		f, err := ForkDetach(Try(func(ctx context.Context) (error, error) {
			time.Sleep(time.Second)
			return context.Cause(ctx), ctx.Err()
		})).Run(ctx)
		if err != nil {
			t.Fatal(err)
		}
		cancel(boom("root"))
		<-f.Done()
		if x, _ := f.Poll(); x.Value != nil || x.Cause != nil {
			t.Errorf("got %v", x)
		}
	})
}

func TestContextCauseTellsWhoInterrupted(t *testing.T) {
	causes := func(wrap func(Effect[error]) Effect[error]) func(*testing.T) {
		return func(t *testing.T) {
			x := effecttest.Run(t, Gen(func(do Do) (u Unit, _ error) {
				seen := NewDeferred[error]()
				waits := Try(func(ctx context.Context) (error, error) {
					<-ctx.Done()
					derived, cancel := context.WithCancel(ctx)
					defer cancel()
					seen.CompleteNow(Succeed(context.Cause(derived)))
					return context.Cause(ctx), nil
				})
				f := do.Await(Fork(wrap(waits)))
				do.Await(sleep(10))
				id := do.Await(CurrentID())
				do.Await(f.Interrupt())
				i, ok := errors.AsType[*errors.Interrupt](do.Await(seen.Await()))
				if !ok || i.By != id {
					t.Errorf("the cause is %v; want the interruption by %v", i, id)
				}
				return
			}))
			if x.Cause != nil {
				t.Error(x)
			}
		}
	}
	t.Run("directly", causes(func(e Effect[error]) Effect[error] { return e }))
	t.Run("in a timeout", causes(func(e Effect[error]) Effect[error] { return e.Timeout(time.Hour) }))
	t.Run("in a race", causes(func(e Effect[error]) Effect[error] { return Race(e, Never[error]()) }))
	t.Run("in a worker", causes(func(e Effect[error]) Effect[error] {
		return All([]Effect[error]{e, Never[error]()}, Unbounded).As(error(nil))
	}))
}

func TestATimeoutIsTheDeadlineOfItsContext(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		start := time.Now()
		deadline := func(e Effect[Unit]) (d time.Duration) {
			program := Try(func(ctx context.Context) (u Unit, _ error) {
				at, _ := ctx.Deadline()
				d = at.Sub(start)
				return
			}).AndThen(e)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _ = program.Timeout(time.Second).Timeout(time.Hour).Run(ctx)
			return d
		}
		if d := deadline(Succeed(Unit{})); d != time.Second {
			t.Errorf("the deadline is in %v", d)
		}
	})
}

func TestGoCodeInATimeoutSeesTheDeadlineExceeded(t *testing.T) {
	var direct, derived error
	x := effecttest.Run(t, TryCall(func(ctx context.Context) error {
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		<-own.Done()
		direct, derived = ctx.Err(), own.Err()
		return own.Err()
	}).Timeout(20*ms))
	if direct != context.DeadlineExceeded || derived != context.DeadlineExceeded {
		t.Errorf("the errors are %v and %v", direct, derived)
	}
	if err, ok := x.FindFail(); !ok || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the exit is %v; want a TimeoutError", x)
	}
}

func TestEffectsRunInAnErrgroupInsideATry(t *testing.T) {
	n := NewService[int]("n")
	forkAndJoin := n.Get().FlatMap(func(n int) Effect[int] {
		return Fork(Succeed(n)).FlatMap(func(f *Fiber[int]) Effect[int] { return f.Join() })
	}).Ensuring(Succeed(Unit{}))
	program := func(run func(context.Context) (int, error)) Effect[int] {
		return Try(func(ctx context.Context) (int, error) {
			g, gctx := errgroup.WithContext(ctx)
			var sum atomic.Int64
			for range 50 {
				g.Go(func() error {
					n, err := run(gctx)
					sum.Add(int64(n))
					return err
				})
			}
			err := g.Wait()
			return int(sum.Load()), err
		}).With(n.Of(2))
	}
	t.Run("as runs", func(t *testing.T) {
		if x := effecttest.Run(t, program(func(ctx context.Context) (int, error) { return forkAndJoin.Run(ctx) })); x.Value != 100 {
			t.Errorf("got %v", x)
		}
	})
	t.Run("continuing the fiber", func(t *testing.T) {
		if x := effecttest.Run(t, program(func(ctx context.Context) (int, error) { return Await(ctx, forkAndJoin) })); x.Value != 100 {
			t.Errorf("got %v", x)
		}
	})
}
