package lease_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
)

func TestAManagerRenewsAllItsLeasesInOneStepPerBeat(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		const leases = 1000
		store := &faultyRenewer{Renewer: do.Await(lease.OpenSQLite(t.TempDir() + "/leases.db"))}
		m := newManager(t, store)
		for i := range leases {
			do.Await(m.Acquire(fmt.Sprint("k", i)))
		}
		do.Await(effect.Sleep(ttl + beat/2))
		if n := store.renewals.Load(); n != 4 {
			t.Errorf("%d renewal steps in four beats, want 4", n)
		}
		for _, i := range []int{0, 1, leases / 2, leases - 1} {
			if r := load(t, do, store, fmt.Sprint("k", i)); r.Revision != 5 {
				t.Errorf("lease %d is at revision %d, want 5", i, r.Revision)
			}
		}
	})
}

func TestLosingOneLeaseOfManyLeavesTheOthersAlone(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		var leases []*lease.Lease
		for i := range 5 {
			leases = append(leases, do.Await(m.Acquire(fmt.Sprint("k", i))))
		}
		usurp(t, do, repository, "k2")
		isLost(t, do, leases[2])
		do.Await(leases[4].Release())
		do.Await(effect.Sleep(2 * ttl))
		for _, i := range []int{0, 1, 3} {
			if leases[i].Context().Err() != nil {
				t.Errorf("lease %d was lost too", i)
			}
		}
		if r := load(t, do, repository, "k4"); !r.Released() || r.Revision > 8 {
			t.Errorf("a released lease was written: %+v", r)
		}
	})
}

// The row of a key that was deleted while nobody held it, as an operator may, can have become another key's.
func TestRenewalsFindTheRowOfAKeyThatWasDeletedBetweenTwoHoldings(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		path := t.TempDir() + "/leases.db"
		store := do.Await(lease.OpenSQLite(path))
		m := newManager(t, store)
		_, release := held(do, m, "k")
		do.Await(effect.Sleep(beat + beat/2))
		release()
		execute(t, path, "DELETE FROM lease_record WHERE key = 'k'")
		held(do, newManager(t, store, func(c *lease.Config) { c.TTL, c.Heartbeat = time.Hour, time.Minute }), "b")
		held(do, m, "k")
		do.Await(effect.Sleep(2*beat + beat/2))
		if k, b := load(t, do, store, "k"), load(t, do, store, "b"); k.Revision != 3 || b.Revision != 1 {
			t.Errorf("after two beats of k its revision is %d and that of b %d, want 3 and 1", k.Revision, b.Revision)
		}
	})
}

// A record whose counter is worn out can be written no more. That is the end of its lease, not of those beside it.
func TestALeaseThatCanBeRenewedNoMoreLeavesTheOthersAlone(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		put(t, do, repository, lease.Record{Key: "worn", Generation: 1, Revision: lease.MaxCounter - 2, RenewedAt: time.UnixMilli(1)})
		m := newManager(t, repository)
		fine, _ := held(do, m, "fine")
		worn, _ := held(do, m, "worn")
		if lost := isLost(t, do, worn); lost.Reason != lease.Expired {
			t.Errorf("lost with %q, want expired", lost.Reason)
		}
		do.Await(effect.Sleep(2 * ttl))
		if fine.Context().Err() != nil {
			t.Error("the other lease was lost")
		}
		if r := load(t, do, repository, "worn"); r.Validate() != nil {
			t.Errorf("the record became %+v", r)
		}
	})
}

// A write that hangs for one lease must not cost another one, where leases are written one at a time.
func TestAHangingWriteOfOneLeaseDelaysNoOther(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		m := newManager(t, store)
		stuck, _ := held(do, m, "stuck")
		fine, _ := held(do, m, "fine")
		store.failSaves(func(ctx context.Context, r lease.Record, save func() error) error {
			if r.Key == "stuck" && !r.Released() {
				<-ctx.Done()
				return ctx.Err()
			}
			return save()
		})
		if lost := isLost(t, do, stuck); lost.Reason != lease.Expired {
			t.Errorf("lost with %q, want expired", lost.Reason)
		}
		do.Await(effect.Sleep(2 * ttl))
		if fine.Context().Err() != nil {
			t.Error("the other lease was lost")
		}
	})
}

// 4.2.7
func TestAWaitingAcquisitionWritesNothingUntilItCanTakeTheLease(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		holder := newManager(t, store)
		l, _ := held(do, holder, "k")
		waiting := &faultyStore{Repository: store}
		waiter := do.Await(effect.Fork(newManager(t, waiting).Acquire("k", lease.Wait).Scoped()))
		do.Await(effect.Sleep(5 * ttl))
		if n := waiting.saves.Load(); n != 0 {
			t.Errorf("%d writes while the lease was held", n)
		}
		released := time.Now()
		do.Await(l.Release())
		token := do.Await(waiter.Join()).Token()
		if waited := time.Since(released); token.Generation != 2 || waited > 50*time.Millisecond {
			t.Errorf("got %v %v after the release", token, waited)
		}
	})
}

// 4.2.7, 4.2.8
func TestInterruptingAnAcquisitionLeavesNothingHeld(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		for after := time.Duration(0); after < 40*time.Millisecond; after += 3 * time.Millisecond {
			store := &faultyStore{Repository: lease.NewMemory()}
			slow := func() { time.Sleep(10 * time.Millisecond) }
			store.failLoads(func(_ context.Context, load func() (lease.Record, bool, error)) (lease.Record, bool, error) {
				slow()
				return load()
			})
			store.failSaves(func(_ context.Context, _ lease.Record, save func() error) error { slow(); return save() })
			f := do.Await(effect.Fork(newManager(t, store).Acquire("k").Scoped()))
			do.Await(effect.Sleep(after))
			do.Await(f.Interrupt())
			if r, found, _ := store.Repository.Load(do, "k"); found && !r.Released() {
				t.Errorf("interrupted after %v, the lease is still held", after)
			}
		}
	})
}

func TestAnExplicitReleaseReportsWhatItFoundAndTheScopesIsSilent(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := &faultyStore{Repository: lease.NewMemory()}
		l, release := held(do, newManager(t, store), "k")
		store.failSaves(func(context.Context, lease.Record, func() error) error { return errDisk })
		first := failure[*lease.RepositoryFailure](t, do, l.Release())
		store.failSaves(nil)
		if second := failure[*lease.RepositoryFailure](t, do, l.Release()); first.Reason != lease.IO || *second != *first {
			t.Errorf("the releases failed with %+v and %+v, want the same io failure", first, second)
		}
		release()

		l, release = held(do, newManager(t, store), "gone")
		store.hidden.Store(true)
		if lost := failure[*lease.Lost](t, do, l.Release()); lost.Reason != lease.Missing {
			t.Errorf("lost with %q, want missing", lost.Reason)
		}
		release()
		store.hidden.Store(false)
	})
}

func TestEventsTellWhatHappensToTheLeasesOfAManager(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := lease.NewMemory()
		var events []lease.Event
		m := newManager(t, store, func(c *lease.Config) { c.OnEvent = func(e lease.Event) { events = append(events, e) } })
		dead := self(t)
		dead.StartTime--
		put(t, do, store, lease.Record{Key: "k", Generation: 1, Revision: 1, Holder: &dead, HolderID: "x"})
		_, release := held(do, m, "k")
		release()
		l, _ := held(do, m, "k")
		usurp(t, do, store, "k")
		isLost(t, do, l)
		synctest.Wait() // the heartbeat reports the loss after it has declared it
		if len(events) != 4 {
			t.Fatalf("the events are %+v, want four", events)
		}
		acquired, _ := events[0].(lease.Acquired)
		if acquired.Token.Generation != 2 || acquired.Takeover == nil || acquired.Takeover.From != dead {
			t.Errorf("the first event is %+v", events[0])
		}
		if events[1] != (lease.Released{Token: acquired.Token}) {
			t.Errorf("the second event is %+v", events[1])
		}
		if lost, ok := events[3].(*lease.Lost); !ok || lost.Generation != 3 {
			t.Errorf("the last event is %+v", events[3])
		}
	})
}

// Rows that lie close together are renewed by going over all rows there. Whatever else lies there, and wherever they lie, those
// and only those are renewed that are at their revision.
func TestRenewalsOfManyRowsAreExactWhereverTheyLie(t *testing.T) {
	mine, other := self(t), self(t)
	other.PID++
	for name, c := range map[string]struct {
		every     int                       // of how many rows one is renewed
		between   *platform.ProcessIdentity // who holds the others
		conflicts []int
	}{
		"all":                             {every: 1},
		"with free rows between":          {every: 2},
		"with another's rows between":     {every: 2, between: &other},
		"with rows of the holder between": {every: 2, between: &mine},
		"far apart":                       {every: 9},
		"one at another revision":         {every: 1, conflicts: []int{17}},
		"the first and last at another":   {every: 2, conflicts: []int{0, 39}},
		"far apart and at another":        {every: 9, conflicts: []int{3, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, func(t *testing.T, do effect.Do) {
				const count = 40
				store := do.Await(lease.OpenSQLite(t.TempDir() + "/leases.db"))
				record := func(i int, holder *platform.ProcessIdentity) lease.Record {
					r := lease.Record{Key: fmt.Sprint("k", i), Generation: 1, Revision: int64(1 + i%3), Holder: holder, RenewedAt: time.UnixMilli(1)}
					if holder != nil {
						r.HolderID = "id"
					}
					return r
				}
				var batch []lease.Record
				for i := range count * c.every {
					if i%c.every != 0 {
						put(t, do, store, record(i, c.between))
						continue
					}
					r := record(i, &mine)
					put(t, do, store, r)
					if slices.Contains(c.conflicts, len(batch)) {
						r.Revision++
					}
					r.Revision++
					r.RenewedAt = time.UnixMilli(5)
					batch = append(batch, r)
				}
				rand.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
				conflicts, err := store.Renew(do, batch)
				if err != nil || len(conflicts) != len(c.conflicts) {
					t.Errorf("conflicts %v (%v); want %d", conflicts, err, len(c.conflicts))
				}
				for i := range count * c.every {
					key := fmt.Sprint("k", i)
					at := slices.IndexFunc(batch, func(r lease.Record) bool { return r.Key == key })
					renewed := at >= 0 && !slices.Contains(conflicts, at)
					got := load(t, do, store, key)
					want := record(i, nil).Revision
					if renewed {
						want++
					}
					if got.Revision != want || got.RenewedAt.Equal(time.UnixMilli(5)) != renewed {
						t.Errorf("%s is at revision %d, renewed at %v; renewed should be %v", key, got.Revision, got.RenewedAt.UnixMilli(), renewed)
					}
				}
			})
		})
	}
}
