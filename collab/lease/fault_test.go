package lease_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

var errDisk = errors.New("the disk is broken")

func on(p *platform.Platform) func(*lease.Config) {
	return func(c *lease.Config) { c.Platform = p }
}

// LM-14
func TestAHolderThatCannotBeLookedUpIsJudgedByTheTTL(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		holder := fake.Processes.Start(7)
		fake.Processes.Fail(7, syscall.EACCES)
		store := lease.NewMemory()
		put(t, do, store, lease.Record{Key: "k", Generation: 1, Revision: 1, Holder: &holder, HolderID: "x"})
		m := newManager(t, store, on(fake.Platform()))
		failure[*lease.Held](t, do, m.Acquire("k"))
		fake.Processes.Kill(7) // dead, but still nobody can tell
		do.Await(effect.Sleep(ttl - 1))
		failure[*lease.Held](t, do, m.Acquire("k"))
		do.Await(effect.Sleep(1))
		held(do, m, "k")
	})
}

// 4.2.3, 0.9
func TestAProcessThatCannotIdentifyItselfHoldsNoLease(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		fake.Processes.Fail(fake.Processes.PID(), errors.ErrUnsupported)
		store := lease.NewMemory()
		f := failure[*lease.RepositoryFailure](t, do, newManager(t, store, on(fake.Platform())).Acquire("k"))
		if f.Reason != lease.Unavailable || !errors.Is(f, errors.ErrUnsupported) {
			t.Errorf("failed with %+v, want unavailable", f)
		}
		if _, found, _ := store.Load(do, "k"); found {
			t.Error("it left a record")
		}
	})
}

// conflicting lets somebody else write first, n times.
func conflicting(n int) func(context.Context, lease.Record, func() error) error {
	return func(_ context.Context, r lease.Record, save func() error) error {
		if n--; n >= 0 {
			return &lease.RevisionConflict{Key: r.Key}
		}
		return save()
	}
}

// LM-17, LM-18, LM-19
func TestAnAttemptStartsOverUpToSevenTimesWhenOthersAreFaster(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		for _, conflicts := range []int{1, 7} {
			store := &faultyStore{Repository: lease.NewMemory()}
			store.failSaves(conflicting(conflicts))
			held(do, newManager(t, store), "k")
			if r := load(t, do, store, "k"); r.Revision != 1 || store.saves.Load() != int64(conflicts)+1 {
				t.Errorf("after %d conflicts: %d saves, record %+v; want one write", conflicts, store.saves.Load(), r)
			}
		}
		store := &faultyStore{Repository: lease.NewMemory()}
		store.failSaves(conflicting(8))
		f := failure[*lease.RepositoryFailure](t, do, newManager(t, store).Acquire("k"))
		if _, found, _ := store.Load(do, "k"); f.Reason != lease.Busy || found {
			t.Errorf("after eight conflicts: %+v, record found %v; want busy and nothing written", f, found)
		}
	})
}

// 9.3
func TestOnlyAConflictIsALostRace(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		store.failSaves(func(context.Context, lease.Record, func() error) error { return errDisk })
		f := failure[*lease.RepositoryFailure](t, do, newManager(t, store).Acquire("k", lease.Wait))
		if f.Reason != lease.IO || !errors.Is(f, errDisk) || store.saves.Load() != 1 {
			t.Errorf("failed with %+v after %d saves, want the disk's error after one", f, store.saves.Load())
		}
		store.failSaves(func(context.Context, lease.Record, func() error) error { panic("bug") })
		defect(t, do, newManager(t, store).Acquire("k"))
	})
}

// D01 for an acquisition
func TestAnAcquisitionThatWasAppliedAlthoughItFailedIsHeld(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error { return errors.Join(save(), errDisk) })
		l, release := held(do, newManager(t, store), "k")
		if l.Token().Generation != 1 {
			t.Errorf("got %v, want generation 1", l.Token())
		}
		release()
		if r := load(t, do, store, "k"); !r.Released() {
			t.Errorf("the record is %+v, want a tombstone: the release was applied too", r)
		}
	})
}

// D01: recognised although neither the write nor the look after it could be confirmed
func TestAWaitingAcquisitionRecognisesWhatItWroteInAnEarlierAttempt(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		busy := &lease.RepositoryFailure{Key: "k", Reason: lease.Busy, Message: "busy"}
		store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error {
			_ = save()
			store.failLoads(func(context.Context, func() (lease.Record, bool, error)) (lease.Record, bool, error) {
				store.failLoads(nil)
				return lease.Record{}, false, errDisk
			})
			store.failSaves(nil)
			return busy
		})
		l, _ := held(do, newManager(t, store), "k", lease.Wait)
		if l.Token().Generation != 1 || store.saves.Load() != 1 {
			t.Errorf("got %v after %d saves, want the first write recognised", l.Token(), store.saves.Load())
		}
	})
}

// D01
func TestARenewalThatWasAppliedAlthoughItFailedIsNoLoss(t *testing.T) {
	lostAnswer := func() error { return errDisk }
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		l, _ := held(do, newManager(t, store), "k")
		store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error {
			store.failSaves(nil)
			return errors.Join(save(), lostAnswer())
		})
		many := &faultyRenewer{Renewer: lease.NewMemory()}
		l2, _ := held(do, newManager(t, many), "k")
		many.failRenewals(func(_ context.Context, renew func() ([]int, error)) ([]int, error) {
			many.failRenewals(nil)
			_, _ = renew()
			return nil, lostAnswer()
		})
		do.Await(effect.Sleep(2 * ttl))
		for _, r := range []lease.Record{load(t, do, store, "k"), load(t, do, many, "k")} {
			if r.Revision < 8 {
				t.Errorf("the revision is %d, want renewals to go on", r.Revision)
			}
		}
		if l.Context().Err() != nil || l2.Context().Err() != nil {
			t.Error("the lease was lost")
		}
	})
}

// C07 (a)
func TestOneFailedRenewalIsNoLossAlsoWithTheTightestTiming(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		var events []lease.Event
		m := newManager(t, store, func(c *lease.Config) {
			c.Heartbeat = ttl / 2
			c.OnEvent = func(e lease.Event) { events = append(events, e) }
		})
		l, release := held(do, m, "k")
		store.failSaves(func(context.Context, lease.Record, func() error) error { store.failSaves(nil); return syscall.EIO })
		do.Await(effect.Sleep(3 * ttl))
		if l.Context().Err() != nil {
			t.Fatalf("the lease was lost: %v", context.Cause(l.Context()))
		}
		release()
		synctest.Wait() // the heartbeat reports events too
		failed := events[1].(lease.RenewFailed)
		if len(events) != 3 || failed.Failures != 1 || !errors.Is(failed.Err, syscall.EIO) {
			t.Errorf("the events are %+v, want acquired, one failed renewal, released", events)
		}
	})
}

// C07 (b), 4.4.4 and 0.12
func TestALossIsDeclaredBeforeAnybodyCouldTakeTheLeaseWhateverTheStoreDoes(t *testing.T) {
	onExpiry := map[string]func(context.Context) error{
		"fails for ever":     func(context.Context) error { return syscall.ENOSPC },
		"panics":             func(context.Context) error { panic("bug") },
		"hangs for a minute": func(context.Context) error { time.Sleep(time.Minute); return nil },
		"hangs until told":   func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	}
	for name, fault := range onExpiry {
		t.Run(name, func(t *testing.T) {
			virtual(t, func(t *testing.T, do effect.Do) {
				store, many := &faultyStore{Repository: lease.NewMemory()}, &faultyRenewer{Renewer: lease.NewMemory()}
				l, _ := held(do, newManager(t, store), "k")
				l2, _ := held(do, newManager(t, many), "k")
				began := time.Now()
				store.failSaves(func(ctx context.Context, _ lease.Record, _ func() error) error { return fault(ctx) })
				many.failRenewals(func(ctx context.Context, _ func() ([]int, error)) ([]int, error) { return nil, fault(ctx) })
				rival := newManager(t, store)
				failure[*lease.Held](t, do, rival.Acquire("k"))
				for _, l := range []*lease.Lease{l, l2} {
					work := l.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Never[int]() })
					if lost := failure[*lease.Lost](t, do, work); lost.Reason != lease.Expired {
						t.Errorf("lost with %q, want expired", lost.Reason)
					}
				}
				if after := time.Since(began); after >= ttl || after < ttl/2 {
					t.Errorf("the loss came after %v, want shortly before the TTL of %v", after, ttl)
				}
				failure[*lease.Held](t, do, rival.Acquire("k"))
				store.failSaves(nil)
				do.Await(effect.Sleep(ttl / 5))
				held(do, rival, "k")
			})
		})
	}
}

// 4.4.3
func TestAFailedRenewalIsTriedAgainAtTheNextHeartbeatNotEarlier(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		var at []time.Duration
		began := time.Now()
		held(do, newManager(t, store, func(c *lease.Config) { c.TTL = time.Minute; c.Heartbeat = 15 * time.Second }), "k")
		store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error {
			at = append(at, time.Since(began))
			if len(at) <= 2 {
				return errDisk
			}
			return save()
		})
		do.Await(effect.Sleep(61 * time.Second))
		synctest.Wait() // the heartbeat writes to at
		if len(at) != 4 || at[0] != 15*time.Second || at[1] != 30*time.Second || at[2] != 45*time.Second {
			t.Errorf("renewals were tried at %v, want every 15 s", at)
		}
	})
}

// 4.4.2
func TestAConflictWhoseRecordCannotBeReadIsATakeoverUnlessTheRevisionMayBeItsOwn(t *testing.T) {
	broken := func(context.Context, func() (lease.Record, bool, error)) (lease.Record, bool, error) {
		return lease.Record{}, false, errDisk
	}
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		l, _ := held(do, newManager(t, store), "k")
		usurp(t, do, store, "k")
		store.failLoads(broken)
		if lost := isLost(t, do, l); lost.Reason != lease.TakenOver {
			t.Errorf("lost with %q, want taken-over", lost.Reason)
		}

		store = &faultyStore{Repository: lease.NewMemory()}
		l, _ = held(do, newManager(t, store), "k")
		store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error {
			store.failSaves(nil)
			return errors.Join(save(), errDisk)
		})
		do.Await(effect.Sleep(beat + beat/2)) // the renewal is in doubt now
		store.failLoads(broken)
		do.Await(effect.Sleep(beat))
		store.failLoads(nil)
		do.Await(effect.Sleep(2 * ttl))
		if l.Context().Err() != nil {
			t.Errorf("lost with %v, want the doubt resolved", context.Cause(l.Context()))
		}
	})
}

// 4.4.5
func TestACrashOfTheHeartbeatSurfacesThroughLost(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		m := newManager(t, store, func(c *lease.Config) {
			c.OnEvent = func(e lease.Event) {
				if _, ok := e.(lease.RenewFailed); ok {
					panic("bug in the listener")
				}
			}
		})
		l, _ := held(do, m, "k")
		store.failSaves(func(context.Context, lease.Record, func() error) error { return errDisk })
		if cause := defect(t, do, l.Lost()); !strings.Contains(cause.Error(), "bug in the listener") {
			t.Errorf("Lost ended with %v, want the listener's defect", cause)
		}
		if l.Context().Err() == nil {
			t.Error("the lease's context is not done")
		}
		store.failSaves(nil)
	})
}

// D04
func TestAfterASuspendTheHolderVerifiesAndTheObserverWaitsAWholeTTL(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		store := lease.NewMemory()
		holder := newManager(t, store, on(fake.Platform()))
		fake.Processes.Start(2000)
		observer := newManager(t, store, on(fake.As(2000)))
		silent := fake.Processes.Start(3000)
		put(t, do, store, lease.Record{Key: "silent", Generation: 1, Revision: 1, Holder: &silent, HolderID: "x"})
		failure[*lease.Held](t, do, observer.Acquire("silent"))

		var losses int
		mine, _ := held(do, holder, "mine")
		stolen, _ := held(do, newManager(t, store, on(fake.Platform()), func(c *lease.Config) {
			c.OnEvent = func(e lease.Event) {
				if _, ok := e.(*lease.Lost); ok {
					losses++
				}
			}
		}), "stolen")
		do.Await(effect.Sleep(beat / 2))
		usurp(t, do, store, "stolen")
		fake.Clock.Suspend(10 * time.Minute)

		ran := do.Await(mine.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Succeed(1) }))
		failure[*lease.FenceRejected](t, do, stolen.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") }))
		isLost(t, do, stolen)
		failure[*lease.Held](t, do, observer.Acquire("silent"))
		failure[*lease.Held](t, do, observer.Acquire("mine"))
		do.Await(effect.Sleep(ttl - 1))
		failure[*lease.Held](t, do, observer.Acquire("silent"))
		do.Await(effect.Sleep(1))
		held(do, observer, "silent")
		do.Await(effect.Sleep(2 * ttl))
		synctest.Wait()
		if ran != 1 || losses != 1 || mine.Context().Err() != nil {
			t.Errorf("ran %d, %d losses, mine %v; want the verified lease kept and one loss", ran, losses, mine.Context().Err())
		}
	})
}

// 3.1.1
func TestTheWallClockDecidesNothing(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		store := lease.NewMemory()
		l, _ := held(do, newManager(t, store, on(fake.Platform())), "k")
		fake.Processes.Start(2000)
		rival := newManager(t, store, on(fake.As(2000)))
		for _, step := range []time.Duration{24 * time.Hour, -48 * time.Hour} {
			failure[*lease.Held](t, do, rival.Acquire("k"))
			fake.Clock.StepWall(step)
			do.Await(effect.Sleep(beat))
			failure[*lease.Held](t, do, rival.Acquire("k"))
		}
		if l.Context().Err() != nil {
			t.Error("the lease was lost")
		}
	})
}
