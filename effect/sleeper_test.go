package effect_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func TestManyGoroutinesWaitInTheNameOfOneFiber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const waiters = 50
		set, never := NewDeferred[int](), NewDeferred[int]()
		var woken, interrupted atomic.Int64
		f := Start(t.Context(), Try(func(ctx context.Context) (int, error) {
			var all sync.WaitGroup
			for i := range waiters {
				all.Go(func() {
					if n, err := Await(ctx, set.Await()); n == 1 && err == nil {
						woken.Add(1)
					}
				})
				all.Go(func() {
					wait := never.Await()
					if i%2 == 0 { // one waits for the same after it has waited for another
						wait = set.Await().AndThen(wait)
					}
					if _, err := Await(ctx, wait); errors.Is(err, context.Canceled) {
						interrupted.Add(1)
					}
				})
			}
			all.Wait()
			return 0, ctx.Err()
		}))
		synctest.Wait()
		set.CompleteNow(Succeed(1))
		synctest.Wait()
		if woken.Load() != waiters || interrupted.Load() != 0 {
			t.Errorf("%d were woken and %d interrupted; want all %d that wait for what was set", woken.Load(), interrupted.Load(), waiters)
		}
		f.InterruptNow()
		<-f.Done()
		if interrupted.Load() != waiters {
			t.Errorf("%d were interrupted with the fiber; want all %d", interrupted.Load(), waiters)
		}
	})
}

// uncomparable is a context that panics when it is compared.
type uncomparable struct {
	context.Context
	_ []int
}

func TestARootThatWaitsAgainAndAgainIsInterruptedByItsContext(t *testing.T) {
	for name, wrap := range map[string]func(context.Context) context.Context{
		"standard":     func(ctx context.Context) context.Context { return ctx },
		"uncomparable": func(ctx context.Context) context.Context { return uncomparable{Context: ctx} },
	} {
		for waits := range 4 {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() {
					_, err := Gen(func(do Do) (u Unit, _ error) {
						for range waits {
							turn := NewDeferred[int]()
							do.Await(Fork(Sleep(ms).AndThen(turn.Succeed(1))))
							do.Await(turn.Await())
						}
						do.Await(NewDeferred[int]().Await())
						return
					}).Run(wrap(ctx))
					done <- err
				}()
				synctest.Wait()
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("%s context, after %d waits: %v; want it interrupted", name, waits, err)
				}
			})
		}
	}
}

// hooked is a context that counts what waits for its end.
type hooked struct {
	context.Context
	hooks *atomic.Int64
}

// Value hides the standard cancellation, which would be hooked without being asked.
func (c hooked) Value(any) any { return nil }

func (c hooked) AfterFunc(f func()) (stop func() bool) {
	c.hooks.Add(1)
	remove := context.AfterFunc(c.Context, f)
	return func() bool {
		c.hooks.Add(-1)
		return remove()
	}
}

func TestNothingStaysOnTheContextOfARootThatHasWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		own := hooked{ctx, &atomic.Int64{}}
		most := int64(0)
		_, err := Gen(func(do Do) (u Unit, _ error) {
			for range 5 {
				turn := NewDeferred[int]()
				do.Await(Fork(Sleep(ms).AndThen(turn.Succeed(1))))
				do.Await(turn.Await())
				most = max(most, own.hooks.Load())
			}
			return
		}).Run(own)
		if most != 1 || own.hooks.Load() != 0 || err != nil {
			t.Errorf("%d hooks on the context meanwhile and %d after it (%v); want 1 and 0", most, own.hooks.Load(), err)
		}
	})
}

func TestAFiberThatWasInterruptedWhileItWaitedIsNotWokenByWhatItLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left, next := NewDeferred[int](), NewDeferred[int]()
		f := Start(t.Context(), left.Await().OnExit(func(Exit[int]) Effect[int] { return next.Await() }))
		synctest.Wait()
		f.InterruptNow()
		synctest.Wait()
		left.CompleteNow(Succeed(1))
		synctest.Wait()
		if _, over := f.Poll(); over {
			t.Error("the finalizer did not wait for its own")
		}
		next.CompleteNow(Succeed(2))
		<-f.Done()
	})
}
