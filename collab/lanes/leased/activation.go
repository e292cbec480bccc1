package leased

import (
	"context"
	"log/slog"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// activate is the activation of a lane of this process: the work, if this process gets the lease and finds a note.
//
// Why no wake is lost: a note is made before the lease is asked for. Who is refused the lease was so after its note, so the
// holder, who looks for notes after it has released, sees it. A holder that does not come to that is dead, and then the scan of
// a live process finds the note. A note is taken away only by the ticket it had before an activation began.
func (l *Lanes) activate(key string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		held, err := effect.Await(do, l.config.Leases.Acquire(l.config.LeaseKey(key)))
		if other, refused := errors.AsType[*lease.Held](err); refused {
			return none, &HeldElsewhere{Key: key, Holder: other.Holder}
		}
		do.Check(err)
		ticket, found, err := l.config.Wakes.Find(do, key)
		do.Check(err)
		if !found {
			l.served.Store(key, nil)
			return none, &Served{Key: key}
		}
		// It runs before the lease is released: finalizers run last in, first out.
		do.Await(effect.AddFinalizer(func(exit scope.Exit) effect.Effect[effect.Unit] {
			if leavesNote(exit.Cause, held) {
				return effect.Effect[effect.Unit]{}
			}
			return effect.Try(func(ctx context.Context) (effect.Unit, error) {
				if err := l.config.Wakes.Settle(ctx, key, ticket); err != nil {
					return none, err
				}
				l.served.Store(key, nil)
				return none, nil
			})
		}))
		return do.Await(held.WhileHeld(effect.Suspend(func() effect.Effect[effect.Unit] { return l.config.Activate(key, held) }))), nil
	})
}

// leavesNote tells whether work that ended with this cause has to be done again: because its lease was lost, or this process
// closed its lanes.
func leavesNote(cause *errors.Cause, held *lease.Lease) bool {
	if lost, ok := errors.AsType[*lease.Lost](cause.AsError()); ok && lost.Key == held.Key() {
		return true
	}
	stopped, ok := errors.AsType[lanes.ActivationInterrupted[string]](cause.AsError())
	return ok && stopped.Reason == lanes.StopClose
}

// onExit passes on what ran. Then, the lease being released, it looks for notes that were made while this process held it;
// where the activation did not come to its end, that is left to the scan, lest a broken store is tried without a pause.
func (l *Lanes) onExit(exit lanes.ActivationExit[string]) effect.Effect[effect.Unit] {
	_, look := l.served.LoadAndDelete(exit.LaneKey())
	report := effect.Suspend(func() (none effect.Effect[effect.Unit]) {
		if l.config.Lanes.OnExit == nil || leftToAnother(exit) {
			return none
		}
		return l.config.Lanes.OnExit(exit)
	})
	if !look {
		return report
	}
	return report.Ensuring(effect.TryCall(func(ctx context.Context) (err error) {
		_, found, err := l.config.Wakes.Find(ctx, exit.LaneKey())
		if found {
			_, _ = l.local.WakeNow(exit.LaneKey()) // where it is refused, the scan finds the note, here or elsewhere
		}
		return err
	}))
}

// leftToAnother tells whether an activation did not run because another process serves its key.
func leftToAnother(exit lanes.ActivationExit[string]) bool {
	_, held := errors.AsType[*HeldElsewhere](exit.Err())
	_, served := errors.AsType[*Served](exit.Err())
	return held || served
}

func (l *Lanes) warn(message string, attributes ...any) {
	logger := l.config.Lanes.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.Warn(message, attributes...)
}
