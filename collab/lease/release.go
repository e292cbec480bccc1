package lease

import (
	"context"

	"github.com/rivus/agentkit/effect"
)

// Release gives the lease back now: it stops renewing, waits for a renewal in flight, and writes a tombstone over the
// record if it is still this acquisition's. After it nothing is written for the lease any more, and the closing of the
// scope does nothing.
//
// It fails with [*Lost] when the lease was no longer held, and with [*RepositoryFailure] when the store could not be written: the lease
// then ends by its TTL, or with the process. Every call has the outcome of the first. It cannot be interrupted. (The release by
// the scope is the same, but silent.)
func (l *Lease) Release() effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error {
		return l.releaseOnce(ctx)
	}).Uninterruptible()
}

func (l *Lease) releaseOnce(ctx context.Context) error {
	m := l.manager
	m.mu.Lock()
	first := !l.releasing
	loss := l.loss
	if first {
		if loss == nil {
			l.retireLocked()
		}
		l.releasing = true
	}
	m.mu.Unlock()
	if !first {
		<-l.released
		return l.outcome
	}
	defer close(l.released)
	l.cancel(context.Canceled)
	l.heart.leave()
	l.outcome = l.entomb(ctx)
	if loss != nil {
		l.outcome = loss.AsError()
	}
	if l.outcome == nil {
		m.emit(Released{Token: l.token})
	}
	return l.outcome
}

// entomb writes the tombstone, if the record is still this acquisition's.
func (l *Lease) entomb(ctx context.Context) error {
	m := l.manager
	var doubt error
	for range maxTurns {
		stored, err := m.loadValid(ctx, l.token.Key)
		if err != nil {
			return err
		}
		record, found := stored.Get()
		switch {
		case found && record.heldBy(l.token.Generation, l.holderID):
		case doubt != nil && found && record.Released() && record.Generation == l.token.Generation:
			return nil // the write was applied although it failed
		default:
			return &Lost{Key: l.token.Key, Generation: l.token.Generation, Reason: lossReason(stored), By: record.Holder}
		}
		if doubt != nil {
			return doubt
		}
		err = m.repository.Save(ctx, released(record, m.wallClock()), revisionOf(stored))
		if err == nil {
			return nil
		}
		if _, conflict := err.(*RevisionConflict); !conflict {
			doubt = asRepositoryFailure(l.token.Key, err)
		}
	}
	return &RepositoryFailure{Key: l.token.Key, Reason: Busy, Message: "other writers move the record all the time"}
}
