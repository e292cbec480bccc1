package effect

import (
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// ScopedRef is a variable whose value owns resources (Effect's ScopedRef). Setting it acquires the new value before it releases
// the old one; the scope around [NewScopedRef] releases the last one.
type ScopedRef[A any] struct {
	turn    turn // of those who set it
	current atomic.Pointer[scoped[A]]
	closed  bool // guarded by turn
}

// scoped is a value with what it acquired.
type scoped[A any] struct {
	value A
	scope *scope.Scope
}

// NewScopedRef is a variable with the value that acquire makes. It cannot be interrupted, and fails as acquire does. Without a
// scope around it is the defect [NoScope].
func NewScopedRef[A any](acquire Effect[A]) Effect[*ScopedRef[A]] {
	return Effect[*ScopedRef[A]]{eval: func(v *env) (*ScopedRef[A], *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"NewScopedRef"})
		}
		r := &ScopedRef[A]{}
		if c := r.replace(v, acquire); c != nil {
			return nil, v.leave(c)
		}
		return r, v.leave(v.addFinalizer(v.scope, r.close))
	}}
}

// Get is the value.
func (r *ScopedRef[A]) Get() Effect[A] { return Sync(r.Now) }

// Now is the value, for plain Go.
func (r *ScopedRef[A]) Now() A { return r.current.Load().value }

// Set makes acquire's value the value, and then releases the old one. If acquire does not succeed, the value stays, and Set ends
// like acquire. Setters come one after the other; one that is at it cannot be interrupted. When the owner has closed it is an
// interruption.
func (r *ScopedRef[A]) Set(acquire Effect[A]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		if c := r.turn.take(v); c != nil {
			return u, c
		}
		defer r.turn.give()
		if r.closed {
			return u, errors.InterruptCause(v.fiber.id)
		}
		return u, v.leave(r.replace(v, acquire))
	}}
}

func (r *ScopedRef[A]) replace(v *env, acquire Effect[A]) *errors.Cause {
	m := v.mask()
	next := &scoped[A]{scope: scope.New()}
	_, c := acquire.guard(m.with(next.scope, v.services), func(a A, c *errors.Cause) *errors.Cause {
		if c != nil {
			return meet(c, passed(next.scope.Close(m, scope.Exit{Cause: c})))
		}
		next.value = a
		if old := r.current.Swap(next); old != nil {
			return passed(old.scope.Close(m, released))
		}
		return nil
	})
	return c
}

// close releases the last value with the exit of the owner.
func (r *ScopedRef[A]) close(exit scope.Exit) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		if c := r.turn.take(v); c != nil {
			return u, c
		}
		defer r.turn.give()
		r.closed = true
		return u, passed(r.current.Load().scope.Close(v, exit))
	}}
}
