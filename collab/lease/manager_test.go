package lease_test

import (
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
)

// LM-3 (S37)
func TestGenerationsGrowAcrossReleases(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		for generation := int64(1); generation <= 3; generation++ {
			l, release := held(do, m, "k")
			if l.Key() != "k" || l.Token() != (lease.Token{Key: "k", Generation: generation}) {
				t.Errorf("got token %v, want k#%d", l.Token(), generation)
			}
			release()
			r := do.Await(m.Read("k")).MustGet()
			if !r.Released() || r.HolderID != "" || r.Generation != generation || r.Revision != 2*generation {
				t.Errorf("after release %d the record is %+v, want a tombstone", generation, r)
			}
		}
	})
}

// LM-3, 4.3.1
func TestReadingAKeyWithoutARecordFindsNothing(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		if r := do.Await(newManager(t, repository).Read("k")); r.IsPresent() {
			t.Errorf("Read = %+v, want nothing", r)
		}
	})
}

// LM-4
func TestALiveHolderThatRenewsIsNeverTakenOver(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m, rival := newManager(t, repository), newManager(t, repository)
		l, _ := held(do, m, "k")
		for range 20 {
			do.Await(effect.Sleep(ttl / 10))
			for _, other := range []*lease.Manager{rival, m} {
				h := failure[*lease.Held](t, do, other.Acquire("k"))
				if h.Key != "k" || h.Generation != 1 || h.Holder != self(t) || h.HolderID == "" || h.RenewedAt.IsZero() {
					t.Errorf("Held is %+v, want this process's first generation", h)
				}
			}
		}
		r := load(t, do, repository, "k")
		if r.Generation != 1 || r.Revision < 6 {
			t.Errorf("after two TTLs the record is %+v, want generation 1, renewed about 8 times", r)
		}
		if l.Context().Err() != nil {
			t.Errorf("the lease was lost: %v", l.Context().Err())
		}
	})
}

// LM-5
func TestASilentHolderIsTakenOverAfterTheObserversOwnTTL(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		me := self(t)
		put(t, do, repository, lease.Record{Key: "k", Generation: 4, Revision: 9, Holder: &me, HolderID: "silent", RenewedAt: time.UnixMilli(1)})
		m := newManager(t, repository)
		failure[*lease.Held](t, do, m.Acquire("k")) // however old renewedAt is
		do.Await(effect.Sleep(ttl - 1))
		failure[*lease.Held](t, do, m.Acquire("k"))
		failure[*lease.Held](t, do, newManager(t, repository).Acquire("k")) // managers observe independently
		do.Await(effect.Sleep(1))
		l, _ := held(do, m, "k")
		if l.Token().Generation != 5 {
			t.Errorf("took generation %d, want 5", l.Token().Generation)
		}
		if want := (lease.Takeover{From: me, Generation: 4, Reason: lease.Silent}); l.Takeover() != mo.Some(want) {
			t.Errorf("Takeover = %+v, want %+v", l.Takeover(), want)
		}
	})
}

// LM-6 (S63), A02
func TestALeaseOfAReusedPidIsTakenAtOnce(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		gone := self(t)
		gone.StartTime--
		put(t, do, repository, lease.Record{Key: "k", Generation: 1, Revision: 1, Holder: &gone, HolderID: "gone", RenewedAt: time.Now()})
		l, _ := held(do, newManager(t, repository), "k")
		if why := l.Takeover().MustGet().Reason; l.Token().Generation != 2 || why != "the holder's pid was reused" {
			t.Errorf("took %v because of %q, want generation 2 because the pid is reused", l.Token(), why)
		}
	})
}

// LM-7 (S62)
func TestALeaseThatWasLostAndWonBackHasANewTokenAndTheOldOneIsRefused(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		old, _ := held(do, m, "k")
		usurp(t, do, repository, "k")
		lost := isLost(t, do, old)
		if lost.Reason != lease.TakenOver || lost.Generation != 1 || lost.By == nil || *lost.By != stranger {
			t.Errorf("lost with %+v, want taken over by %v", lost, stranger)
		}
		failure[*lease.Held](t, do, m.Acquire("k"))
		do.Await(effect.Sleep(ttl))
		won, _ := held(do, m, "k")
		if won.Token().Generation != 3 {
			t.Errorf("won back generation %d, want 3", won.Token().Generation)
		}
		again := failure[*lease.Lost](t, do, old.RunFenced(func(lease.Token) effect.Effect[int] { return effect.Die[int]("ran") }))
		if *again != *lost {
			t.Errorf("the old handle fails with %+v, want the same loss %+v", again, lost)
		}
		if got := do.Await(won.RunFenced(func(token lease.Token) effect.Effect[int] { return effect.Succeed(int(token.Generation)) })); got != 3 {
			t.Errorf("fenced work of the new handle got token %d, want 3", got)
		}
	})
}

// 4.4.2, 3.5.1
func TestALossIsNamedByWhatBecameOfTheRecord(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		for want, change := range map[lease.LossReason]func(*lease.Record){
			lease.TakenOver:         func(r *lease.Record) { r.Generation++; r.HolderID = "x" },
			lease.ReleasedElsewhere: func(r *lease.Record) { r.Holder, r.HolderID = nil, "" },
			lease.Missing:           nil,
		} {
			store := lease.NewMemory()
			faulty := &faultyStore{Repository: store}
			l, _ := held(do, newManager(t, faulty), "k")
			r := load(t, do, store, "k")
			r.Revision++
			if change != nil {
				change(&r)
			} else {
				faulty.hidden.Store(true)
			}
			if err := store.Save(do, r, mo.Some(r.Revision-1)); err != nil {
				t.Fatal(err)
			}
			if lost := isLost(t, do, l); lost.Reason != want {
				t.Errorf("lost with %q, want %q", lost.Reason, want)
			}
		}
	})
}

// LM-16 and 0.8: a typed failure here
func TestAnInvalidKeyIsATypedFailure(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		m := newManager(t, repository)
		for _, key := range []string{"", "a\x00b", "\xff"} {
			if e := failure[*lease.KeyInvalid](t, do, m.Acquire(key, lease.Wait)); e.Key != key {
				t.Errorf("KeyInvalid names %q, want %q", e.Key, key)
			}
			failure[*lease.KeyInvalid](t, do, m.Read(key))
		}
	})
}

// 4.2.9
func TestAcquiringWithoutAScopeIsADefectAndTakesNothing(t *testing.T) {
	store := lease.NewMemory()
	_, err := newManager(t, store).Acquire("k").Run(t.Context())
	if err == nil {
		t.Fatal("Acquire without a scope succeeded")
	}
	if _, found, _ := store.Load(t.Context(), "k"); found {
		t.Error("it left a record")
	}
}

// 4.2.8, 4.4.5
func TestClosingTheScopeReleasesAndLostStaysPending(t *testing.T) {
	onEveryStore(t, func(t *testing.T, do effect.Do, repository lease.Repository) {
		l, release := held(do, newManager(t, repository), "k")
		waiter := do.Await(effect.Fork(l.Lost()))
		release()
		if !load(t, do, repository, "k").Released() {
			t.Error("the record is no tombstone")
		}
		if l.Context().Err() == nil {
			t.Error("the context of a released lease is not done")
		}
		do.Await(effect.Sleep(10 * ttl))
		if exit, over := waiter.Poll(); over {
			t.Errorf("Lost ended with %v after a normal release", exit)
		}
		if r := load(t, do, repository, "k"); r.Revision != 2 {
			t.Errorf("something was written after the release: %+v", r)
		}
	})
}

// 4.1.3
func TestAcquiringForgetsWhatWasObserved(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		store := lease.NewMemory()
		m := newManager(t, store)
		me := self(t)
		silent := lease.Record{Key: "k", Generation: 1, Revision: 1, Holder: &me, HolderID: "silent"}
		put(t, do, store, silent)
		failure[*lease.Held](t, do, m.Acquire("k"))
		do.Await(effect.Sleep(ttl))
		_, release := held(do, m, "k")
		release()
		// The same revision again, as after a restore from a backup: it must be watched for a whole TTL.
		r := load(t, do, store, "k")
		silent.Generation, silent.Revision = 9, 9
		if err := store.Save(do, silent, mo.Some(r.Revision)); err != nil {
			t.Fatal(err)
		}
		failure[*lease.Held](t, do, m.Acquire("k"))
	})
}
