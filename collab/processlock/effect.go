package processlock

import (
	"context"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Acquire takes the lock at path for as long as the surrounding scope lives. Acquisitions of one path inside this process
// take turns in the order in which they asked.
//
// It fails as [Take] does: with [*Held] when somebody else holds the lock and options.Wait is not set, [*PathInvalid],
// [*PermissionDenied], [*Failure], [*ConfigInvalid], *platform.LockKindTooLate, and without SQLite
// *platform.IdentityUnavailable. Without a scope it is a defect.
//
// An interruption ends it at once, whether it waits or is inside an attempt; an interrupted acquisition holds nothing.
// When the scope closes the lock is released in silence; [Lock.Release], called before, reports what it found.
func Acquire(path string, options Options) effect.Effect[*Lock] {
	return effect.Mask(func(restore effect.Restore) effect.Effect[*Lock] {
		// Taking is interrupted through its context, not around it: an interruption that arrives as Take returns must
		// find the lock registered with the scope.
		take := restore.On(effect.Context()).FlatMap(func(open context.Context) effect.Effect[*Lock] {
			return effect.Suspend(func() effect.Effect[*Lock] {
				lock, err := Take(open, path, options)
				switch {
				case err == nil:
					return effect.Succeed(lock)
				case open.Err() != nil && errors.Is(err, open.Err()):
					return restore.On(effect.Never[*Lock]()) // ends as the interruption that is pending
				default:
					return effect.Fail[*Lock](err)
				}
			})
		})
		return effect.AcquireRelease(take, func(lock *Lock, _ scope.Exit) effect.Effect[effect.Unit] {
			return effect.Call(func() {
				_ = lock.Release() // whoever wants to know releases it himself
			})
		})
	})
}

// IsHeld reports whether another process, or an acquisition in this one, holds the lock at path. It takes nothing, writes
// nothing and waits for nothing; see [Probe], which it is the effect of, also for how it fails.
func IsHeld(path string, options Options) effect.Effect[bool] {
	return effect.Try(func(ctx context.Context) (bool, error) { return Probe(ctx, path, options) })
}
