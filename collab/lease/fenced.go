package lease

import (
	"context"
	"sync/atomic"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// RunFenced runs work(token) as the only fenced work of the key, of all processes that share the store, and only while the
// lease is held.
//
// It waits for the key's fence, then reads the record once more, and only then starts the work, in a scope of its own. When the
// lease is lost the work is interrupted, and the fence is given back once the work has really ended, finalizers and uninterruptible
// parts included: no successor's fenced work starts before. Renewals go on all the while. The result is the work's own, or:
//   - [*Lost] when the lease is lost before the work starts (also while waiting for the fence) or while it runs;
//   - [*FenceRejected] when the record shows another generation, or that the lease was released;
//   - [*RepositoryFailure] when the store cannot be read, or holds an invalid record;
//   - [*Reentrant] inside fenced work of the same key.
//
// The fence is as good as a check by the protected resource itself only if every writer goes through this repository on
// this machine. A resource that can compare should keep the highest token it has seen; see [CheckFence] and
// [AdmitToken].
func (l *Lease) RunFenced[A any](work func(Token) effect.Effect[A]) effect.Effect[A] {
	return effect.Context().FlatMap(func(ctx context.Context) effect.Effect[A] {
		if outer := holdingOf(ctx).find(l.manager, l.token.Key, true); outer != nil {
			return effect.Fail[A](&Reentrant{Key: l.token.Key, Generation: outer.lease.token.Generation, Operation: "run fenced"})
		}
		f := &fence{lease: l}
		body := effect.Try(f.enter).FlatMap(func(effect.Unit) effect.Effect[A] {
			return effect.Suspend(func() effect.Effect[A] { return work(l.token) }).Scoped()
		})
		return during(l, ctx, true, body).Ensuring(effect.Try(f.leave))
	})
}

// WhileHeld runs work, and interrupts it when the lease is lost; the result is then [*Lost]. It takes no fence and reads nothing:
// hand the token on to what the work writes to.
func (l *Lease) WhileHeld[A any](work effect.Effect[A]) effect.Effect[A] {
	return effect.Context().FlatMap(func(ctx context.Context) effect.Effect[A] {
		return during(l, ctx, false, work)
	})
}

// during runs work raced against the loss of l.
func during[A any](l *Lease, ctx context.Context, fenced bool, work effect.Effect[A]) effect.Effect[A] {
	l.expireIfDue()
	select {
	case <-l.lost:
		return effect.FailCause[A](l.loss)
	default:
	}
	h := &holding{lease: l, fenced: fenced, outer: holdingOf(ctx)}
	return effect.RaceFirst(work.With(holdings.Of(h)), untilLost[A](l)).
		Ensuring(effect.Call(func() { h.over.Store(true) }))
}

// fence is one passage through the fence of a key.
type fence struct {
	lease   *Lease
	release func() error
	found   mo.Option[mo.Option[Record]] // what refused the token, if something did
}

// enter waits for the fence and verifies the lease behind it.
func (f *fence) enter(ctx context.Context) (effect.Unit, error) {
	l, m := f.lease, f.lease.manager
	release, err := m.repository.Fence(ctx, l.token.Key)
	if err != nil {
		return effect.Unit{}, m.storeFailure(ctx, l.token.Key, err)
	}
	f.release = release
	stored, err := m.loadValid(ctx, l.token.Key)
	if err != nil {
		return effect.Unit{}, err
	}
	record, found := stored.Get()
	if found && record.heldBy(l.token.Generation, l.holderID) {
		l.expireIfDue() // a process that was stopped may be here before its timers are
		select {
		case <-l.lost: // the race with the loss would come to this too, but the work might have begun before
			return effect.Unit{}, l.loss
		default:
			return effect.Unit{}, nil
		}
	}
	f.found = mo.Some(stored)
	return effect.Unit{}, &FenceRejected{Key: l.token.Key, Generation: l.token.Generation, Current: mo.TupleToOption(record.Generation, found)}
}

// leave gives the fence back. A record that refused the token is a loss, and that is known before the next renewal.
func (f *fence) leave(context.Context) (effect.Unit, error) {
	if stored, refused := f.found.Get(); refused {
		record, _ := stored.Get()
		f.lease.lose(lossReason(stored), &record)
	}
	if f.release == nil {
		return effect.Unit{}, nil
	}
	if err := f.release(); err != nil {
		return effect.Unit{}, asRepositoryFailure(f.lease.token.Key, err)
	}
	return effect.Unit{}, nil
}

// holding says that an effect runs inside RunFenced or WhileHeld, and what surrounds that.
type holding struct {
	lease  *Lease
	fenced bool
	outer  *holding
	over   atomic.Bool // a detached fiber can see it after its end
}

var holdings = effect.NewService[*holding]("lease.holding")

func holdingOf(ctx context.Context) *holding {
	h, _ := holdings.From(ctx)
	return h
}

// find returns the innermost holding of a key.
func (h *holding) find(m *Manager, key string, fenced bool) *holding {
	for ; h != nil; h = h.outer {
		if h.lease.manager == m && h.lease.token.Key == key && (h.fenced || !fenced) && !h.over.Load() {
			return h
		}
	}
	return nil
}

// heldAround returns the live lease of key that the fiber itself holds: it acquired it, or runs inside it.
func (m *Manager) heldAround(ctx context.Context, key string, fiber errors.FiberID) *Lease {
	m.mu.Lock()
	own := m.held[key]
	m.mu.Unlock()
	if own == nil {
		return nil
	}
	if own.owner == fiber {
		return own
	}
	if h := holdingOf(ctx).find(m, key, false); h != nil && h.lease == own {
		return own
	}
	return nil
}
