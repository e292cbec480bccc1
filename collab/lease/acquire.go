package lease

import (
	"context"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/scope"
)

// AcquireOption changes how a lease is acquired.
type AcquireOption int

// Wait makes an acquisition wait, without a limit of its own, while the lease is held or the store is busy.
const Wait AcquireOption = 1

// maxTurns is how often an attempt starts over because another writer was faster.
const maxTurns = 8

// Acquire takes the lease of key and holds it, renewing it, until the surrounding scope closes.
//
// A lease that is free, that a dead process left behind, or that its holder has not renewed for a whole TTL as seen by this
// manager, is taken at once. It fails with [*Held] while another holder, this process included, has the lease and [Wait] is not
// given; with [*KeyInvalid]; with [*RepositoryFailure] when the store cannot do its part; with [*Reentrant] where waiting could
// never end, because this very fiber holds the key; and it is a defect where no scope surrounds it.
//
// Interruption ends it between attempts and while the store is read, never between taking the lease and
// registering its release: an interrupted Acquire holds nothing.
func (m *Manager) Acquire(key string, options ...AcquireOption) effect.Effect[*Lease] {
	wait := false
	for _, o := range options {
		wait = wait || o == Wait
	}
	return effect.Mask(func(restore effect.Restore) effect.Effect[*Lease] {
		return effect.Gen(func(do effect.Do) (*Lease, error) {
			if err := ValidateKey(key); err != nil {
				return nil, err
			}
			do.Await(effect.CurrentScope()) // none is a defect, better found now
			a := &acquisition{manager: m, key: key, holderID: newHolderID(), restore: restore, fiber: do.Await(effect.CurrentID())}
			for {
				l, err := a.attempt(do)
				if err == nil {
					do.Await(m.keep(l))
					return l, nil
				}
				if !wait || !worthRetrying(err) {
					return nil, err
				}
				if own := m.heldAround(do, key, a.fiber); own != nil {
					return nil, &Reentrant{Key: key, Generation: own.token.Generation, Operation: "acquire"}
				}
				do.Await(restore.On(m.watch(key)))
			}
		})
	})
}

// worthRetrying tells failures that time may cure.
func worthRetrying(err error) bool {
	switch e := err.(type) {
	case *Held:
		return true
	case *RepositoryFailure:
		return e.Reason == Busy
	}
	return false
}

// keep starts what a held lease needs, and has it released with the surrounding scope.
func (m *Manager) keep(l *Lease) effect.Effect[effect.Unit] {
	return m.join(l).AndThen(effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] {
		return effect.TryCall(func(ctx context.Context) error {
			_ = l.releaseOnce(ctx) // the lease then ends by its TTL, or with the process
			return nil
		})
	}))
}

// acquisition is one call of Acquire.
type acquisition struct {
	manager  *Manager
	key      string
	holderID string
	restore  effect.Restore
	fiber    errors.FiberID

	// doubt is a record that was written, or not: the store reported an error.
	doubt mo.Option[written]
}

// written is a record and the time at which its write began.
type written struct {
	record Record
	began  time.Duration
}

// attempt tries to take the lease once, starting over when another writer was faster.
func (a *acquisition) attempt(do effect.Do) (*Lease, error) {
	m := a.manager
	for range maxTurns {
		stored := do.Await(a.restore.On(effect.Try(func(ctx context.Context) (mo.Option[Record], error) {
			return m.loadValid(ctx, a.key)
		})))
		self, err := m.config.Platform.Processes.Self()
		if err != nil {
			return nil, unidentified(a.key, err)
		}
		if w, ok := a.doubt.Get(); ok && stored.OrEmpty().heldBy(w.record.Generation, a.holderID) {
			return a.lease(stored.OrEmpty(), w.began, nil), nil
		}
		takeover, err := m.mayTake(stored)
		if err != nil {
			return nil, err
		}
		next := acquired(stored, a.key, self, a.holderID, m.wallClock())
		began := m.config.Platform.Clock.Monotonic()
		err = m.repository.Save(do, next, revisionOf(stored))
		switch err.(type) {
		case nil:
			return a.lease(next, began, takeover), nil
		case *RevisionConflict:
			continue
		}
		// The write may have been applied all the same. Then the lease is ours, and nobody else could take it for a whole TTL.
		if now, failed := m.load(do, a.key); failed == nil && now.OrEmpty().heldBy(next.Generation, a.holderID) {
			return a.lease(now.OrEmpty(), began, takeover), nil
		}
		a.doubt = mo.Some(written{next, began})
		return nil, asRepositoryFailure(a.key, err)
	}
	return nil, &RepositoryFailure{Key: a.key, Reason: Busy, Message: "other writers were faster eight times in a row"}
}

// revisionOf is the revision to write over.
func revisionOf(stored mo.Option[Record]) mo.Option[int64] {
	record, found := stored.Get()
	return mo.TupleToOption(record.Revision, found)
}

// mayTake decides over the stored record. It returns how the lease is taken from its holder, if it has one, or fails with
// *Held, or *RepositoryFailure where this process has no identity to compare the holder's with.
func (m *Manager) mayTake(stored mo.Option[Record]) (*Takeover, error) {
	record, found := stored.Get()
	if !found || record.Released() {
		return nil, nil
	}
	fresh, judgement := m.observe(record), platform.Judgement{Reason: Silent}
	if fresh {
		var err error
		if judgement, err = platform.ObserveHolder(m.config.Platform.Processes, *record.Holder); err != nil {
			return nil, unidentified(record.Key, err)
		}
	}
	if !CanAcquire(record, judgement.Liveness, fresh) {
		return nil, &Held{Key: record.Key, Generation: record.Generation, Holder: *record.Holder, HolderID: record.HolderID, RenewedAt: record.RenewedAt}
	}
	return &Takeover{From: *record.Holder, Generation: record.Generation, Reason: judgement.Reason}, nil
}

// unidentified refuses to hold leases where processes cannot be told apart: nobody could see that the holder is dead.
func unidentified(key string, err error) error {
	return &RepositoryFailure{Key: key, Reason: Unavailable, Message: "this process cannot identify itself, and leases need that; a process lock does not", Cause: err}
}

// lease is the handle of a record that this acquisition wrote.
func (a *acquisition) lease(record Record, began time.Duration, takeover *Takeover) *Lease {
	return newLease(a.manager, record, began, a.fiber, takeover)
}
