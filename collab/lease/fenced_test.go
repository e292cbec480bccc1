package lease_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
	"github.com/rivus/agentkit/scope"
)

// LM-8 (S64), B08
func TestFencedWorkIsInterruptedOnLossAndTheSuccessorIsLeftAlone(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, release := held(do, newManager(t, repository), "k")
		log := &journal{}
		work := do.Await(effect.Fork(l.RunFenced(func(lease.Token) effect.Effect[int] {
			return log.add("start").AndThen(effect.Never[int]()).OnInterrupt(func([]errors.FiberID) effect.Effect[effect.Unit] { return log.add("interrupted") })
		})))
		do.Await(effect.Sleep(beat / 2))
		successor := usurp(t, do, repository, "k")
		lost := failure[*lease.Lost](t, do, work.Join())
		if lost.Reason != lease.TakenOver || log.String() != "start, interrupted" {
			t.Errorf("work ended with %+v after %q, want it interrupted by the takeover", lost, log)
		}
		failure[*lease.Lost](t, do, l.Release())
		release()
		if r := load(t, do, repository, "k"); r.HolderID != successor.HolderID || r.Revision != successor.Revision {
			t.Errorf("the successor's record was touched: %+v", r)
		}
	})
}

// LM-9, 9.2
func TestFencedWorkDoesNotRunOverAnInvalidRecord(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		r := load(t, do, repository, "k")
		r.Generation, r.Revision = 0, r.Revision+1
		if err := repository.Save(do, r, mo.Some(r.Revision-1)); err != nil {
			t.Fatal(err)
		}
		f := failure[*lease.RepositoryFailure](t, do, l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") }))
		if f.Reason != lease.InvalidRecord || f.Key != "k" {
			t.Errorf("failed with %+v, want invalid-record", f)
		}
	})
}

// LM-10 (S67), 4.6.3
func TestAWriteThatRefusesInterruptionKeepsTheFenceAndItsResultIsDropped(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		log := &journal{}
		work := do.Await(effect.Fork(l.RunFenced(func(lease.Token) effect.Effect[int] {
			return log.add("old:start").AndThen(effect.Sleep(3 * beat)).AndThen(log.add("old:end")).As(1).Uninterruptible()
		})))
		do.Await(effect.Sleep(beat / 10))
		usurp(t, do, repository, "k")
		release, err := repository.Fence(do, "k") // what the successor's fenced work waits for
		if err != nil {
			t.Fatal(err)
		}
		do.Await(log.add("new"))
		if err := release(); err != nil {
			t.Error(err)
		}
		failure[*lease.Lost](t, do, work.Join())
		if log.String() != "old:start, old:end, new" {
			t.Errorf("order is %q, want old:start, old:end, new", log)
		}
	})
}

// LM-11 (S67), 4.6.4
func TestWaitingForAFenceEndsWhenTheLeaseIsLost(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		release, err := repository.Fence(do, "k")
		if err != nil {
			t.Fatal(err)
		}
		work := do.Await(effect.Fork(l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") })))
		do.Await(effect.Sleep(beat / 10))
		usurp(t, do, repository, "k")
		taken := time.Now()
		failure[*lease.Lost](t, do, work.Join())
		if waited := time.Since(taken); waited >= 3*beat {
			t.Errorf("the wait ended %v after the loss, want less than three heartbeats", waited)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	})
}

// LM-12, D06
func TestHeartbeatsGoOnUnderTheFenceAndWhileGuardedWorkEnds(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		rival := newManager(t, repository)
		began := time.Now()
		owner := do.Await(effect.Fork(newManager(t, repository).Acquire("k").FlatMap(func(l *lease.Lease) effect.Effect[effect.Unit] {
			return l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return effect.Sleep(3 * ttl).Uninterruptible() })
		}).Scoped()))
		do.Await(effect.Sleep(ttl / 10))
		owner.InterruptNow()
		l, _ := held(do, rival, "k", lease.Wait)
		if waited := time.Since(began); waited < 3*ttl || waited > 3*ttl+beat {
			t.Errorf("the rival got the lease after %v, want just after the work's %v", waited, 3*ttl)
		}
		if r := load(t, do, repository, "k"); r.Revision < 10 || l.Token().Generation != 2 {
			t.Errorf("the record is %+v with token %v, want it renewed all the while and released once", r, l.Token())
		}
	})
}

// LM-13, 4.6.5, D04
func TestATakeoverThatWasNotNoticedYetIsFoundBeforeFencedWork(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		usurp(t, do, repository, "k")
		e := failure[*lease.FenceRejected](t, do, l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") }))
		if e.Generation != 1 || e.Current != mo.Some[int64](2) {
			t.Errorf("rejected with %+v, want 1 against 2", e)
		}
		if lost := isLost(t, do, l); lost.Reason != lease.TakenOver {
			t.Errorf("the rejection is no loss: %+v", lost)
		}
	})
}

// 4.6.6
func TestFencedWorkAfterTheReleaseIsRejectedByItsOwnTombstone(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, release := held(do, newManager(t, repository), "k")
		release()
		e := failure[*lease.FenceRejected](t, do, l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") }))
		if e.Current != mo.Some[int64](1) || e.Generation != 1 {
			t.Errorf("rejected with %+v, want current equal to its own generation", e)
		}
	})
}

// 4.6.8
func TestResourcesOfFencedWorkCloseBeforeTheFence(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		log := &journal{}
		work := do.Await(effect.Fork(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] {
			return effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] {
				return effect.Sleep(beat).AndThen(log.add("closed"))
			})
		})))
		do.Await(effect.Sleep(beat / 10))
		release, err := repository.Fence(do, "k")
		if err != nil {
			t.Fatal(err)
		}
		do.Await(log.add("fence"))
		_ = release()
		do.Await(work.Join())
		if log.String() != "closed, fence" {
			t.Errorf("order is %q, want closed, fence", log)
		}
	})
}

// 4.6.1
func TestFencedWorkKeepsItsOwnResultFailureAndDefect(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		l, _ := held(do, newManager(t, lease.NewMemory()), "k")
		if got := do.Await(l.RunFenced(func(token lease.Token) effect.Effect[int] { return effect.Succeed(int(token.Generation)) })); got != 1 {
			t.Errorf("got %d, want 1", got)
		}
		broken := errors.New("broken")
		if _, err := effect.Await(do, l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Fail[int](broken) })); !errors.Is(err, broken) {
			t.Errorf("got %v, want the work's failure", err)
		}
		defect(t, do, l.RunFenced(func(lease.Token) effect.Effect[int] { panic("bug") }))
		if l.Context().Err() != nil {
			t.Error("the lease is gone")
		}
	})
}

// 0.14
func TestFencedWorkInsideFencedWorkOfOneKeyIsRefused(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		l, _ := held(do, m, "k")
		other, _ := held(do, m, "other")
		nested := l.RunFenced(func(lease.Token) effect.Effect[int] {
			return other.RunFenced(func(lease.Token) effect.Effect[int] {
				return l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") })
			})
		})
		if e := failure[*lease.Reentrant](t, do, nested); e.Key != "k" || e.Generation != 1 || e.Operation != "run fenced" {
			t.Errorf("refused with %+v", e)
		}
		// One after the other, and side by side, they are all right.
		do.Await(effect.ForEachDiscard([]int{1, 2, 3}, func(int) effect.Effect[effect.Unit] {
			return l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return effect.Sleep(beat / 10) })
		}, effect.Concurrency(2)))
	})
}

// 0.14
func TestWaitingForALeaseThatTheSameFiberHoldsIsRefused(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		l, _ := held(do, m, "k")
		if e := failure[*lease.Reentrant](t, do, m.Acquire("k", lease.Wait)); e.Operation != "acquire" || e.Generation != 1 {
			t.Errorf("refused with %+v", e)
		}
		failure[*lease.Reentrant](t, do, l.WhileHeld(m.Acquire("k", lease.Wait).Scoped()))
		// Another fiber may wait for it.
		waiter := do.Await(effect.Fork(m.Acquire("k", lease.Wait).Scoped()))
		do.Await(effect.Sleep(beat))
		do.Await(l.Release())
		if token := do.Await(waiter.Join()).Token(); token.Generation != 2 {
			t.Errorf("the waiter got %v, want generation 2", token)
		}
	})
}

func TestWorkWhileHeldIsInterruptedOnLossAndElseKeepsItsResult(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, _ := held(do, newManager(t, repository), "k")
		if got := do.Await(l.WhileHeld(effect.Sleep(ttl).As(7))); got != 7 {
			t.Errorf("got %d, want the work's result", got)
		}
		usurp(t, do, repository, "k")
		failure[*lease.Lost](t, do, l.WhileHeld(effect.Never[int]()))
		ran := false
		failure[*lease.Lost](t, do, l.WhileHeld(effect.Sync(func() int { ran = true; return 0 })))
		if ran {
			t.Error("work started although the lease was lost")
		}
	})
}

func TestTheLeasesContextIsDoneOnLossWithTheLossAsItsCause(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := lease.NewMemory()
		type key struct{}
		var ctx context.Context
		do.Await(effect.Try(func(c context.Context) (effect.Unit, error) {
			return effect.Await(context.WithValue(c, key{}, "value"), newManager(t, store).Acquire("k").Map(func(l *lease.Lease) effect.Unit {
				ctx = l.Context()
				return effect.Unit{}
			}))
		}))
		if ctx.Err() != nil || ctx.Value(key{}) != "value" {
			t.Errorf("the context is %v with value %v", ctx.Err(), ctx.Value(key{}))
		}
		usurp(t, do, store, "k")
		<-ctx.Done()
		if lost, ok := errors.AsType[*lease.Lost](context.Cause(ctx)); !ok || lost.Reason != lease.TakenOver {
			t.Errorf("its cause is %v, want the loss", context.Cause(ctx))
		}
	})
}

// lateClock can jump, as the clock does for a process that was stopped and has not come to its timers yet.
type lateClock struct {
	platform.Clock
	late atomic.Int64
}

func (c *lateClock) Monotonic() time.Duration {
	return c.Clock.Monotonic() + time.Duration(c.late.Load())
}

func (c *lateClock) Boot() time.Duration { return c.Clock.Boot() + time.Duration(c.late.Load()) }

// 4.6.4, 7.8: its record is still its own, but from now on anybody may take it
func TestFencedWorkDoesNotStartWhenTheLeaseHasExpiredBehindTheFence(t *testing.T) {
	for range 50 {
		virtual(t, func(t *testing.T, do effect.Do) {
			fake := platformtest.New()
			p := fake.Platform()
			clock := &lateClock{Clock: p.Clock}
			p.Clock = clock
			store := &faultyStore{Repository: lease.NewMemory()}
			l, _ := held(do, newManager(t, store, on(p)), "k")
			store.failLoads(func(_ context.Context, load func() (lease.Record, bool, error)) (lease.Record, bool, error) {
				defer clock.late.Store(int64(ttl))
				return load()
			})
			ran := false
			lost := failure[*lease.Lost](t, do, l.RunFenced(func(lease.Token) effect.Effect[int] {
				return effect.Sync(func() int { ran = true; return 1 })
			}))
			if ran || lost.Reason != lease.Expired {
				t.Errorf("the work ran: %v, and the loss is %+v", ran, lost)
			}
		})
	}
}
