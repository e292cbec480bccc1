package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// NoScope is the defect of an effect that needs a scope where none surrounds it.
type NoScope struct {
	Op string // what needed the scope
}

// Error names both remedies.
func (e *NoScope) Error() string {
	return "effect." + e.Op + ": no scope surrounds this effect; end its life with Scoped(), " +
		"or run it with a context from scope.Into or scope.Do"
}

// AcquireRelease acquires a resource and registers its release with the surrounding scope, as one step: neither can be
// interrupted, and no interruption comes between them. The release gets the exit that the scope closes with.
//
// A failed acquire registers nothing. Without a scope it is the defect [NoScope].
func AcquireRelease[A any](acquire Effect[A], release func(A, scope.Exit) Effect[Unit]) Effect[A] {
	return acquireRelease(acquire, release, false)
}

// AcquireReleaseInterruptible is [AcquireRelease] with an acquire that can be interrupted, which must then clean up after
// itself.
func AcquireReleaseInterruptible[A any](acquire Effect[A], release func(A, scope.Exit) Effect[Unit]) Effect[A] {
	return acquireRelease(acquire, release, true)
}

func acquireRelease[A any](acquire Effect[A], release func(A, scope.Exit) Effect[Unit], interruptible bool) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
		if v.scope == nil {
			return a, errors.DieCause(&NoScope{"AcquireRelease"})
		}
		m := v.mask()
		if interruptible {
			a, c = acquire.deeper(v)
		} else {
			a, c = acquire.deeper(m)
		}
		if c == nil {
			r := &resource[A]{region: m, value: a, release: release}
			c = passed(v.scope.Register(m, &r.Entry, r))
		}
		return a, v.leave(c)
	}}
}

// resource is what a scope releases: one allocation.
type resource[A any] struct {
	scope.Entry
	region  *env // of the acquisition: the release sees its services and values
	value   A
	release func(A, scope.Exit) Effect[Unit]
}

// Finalize releases the resource. The scope recovers its panics.
func (r *resource[A]) Finalize(ctx context.Context, exit scope.Exit) error {
	w := r.region.finalizing(ctx)
	defer func(room int32) { w.room = room }(w.room)
	e := r.release(r.value, exit)
	_, c := e.deeper(w)
	return c.AsError()
}

// finalizing is the region of a finalizer that was registered in v and runs now, with ctx: the fiber that closes the scope,
// uninterruptible, and the services, values and scope of the registration.
func (v *env) finalizing(ctx context.Context) *env {
	kernel, here := ctx.(*env) // on this goroutine, that is
	if here && kernel.masked && kernel.done == nil &&
		kernel.values == v.values && kernel.scope == v.scope && kernel.services == v.services {
		return kernel
	}
	// Field by field: the goroutine of the registration may still be using v.
	w := &env{values: v.values, scope: v.scope, services: v.services, masked: true, room: fullRoom}
	if here {
		w.room = kernel.room
	}
	if closer, _ := envOf(ctx); closer != nil {
		w.fiber, w.open, w.nested = closer.fiber, closer.open, closer.nested
	} else { // plain Go closes the scope
		w.fiber = &fiber{id: newID()}
	}
	return w
}

// passed is the cause that a scope's error is.
func passed(err error) *errors.Cause {
	if err == nil {
		return nil
	}
	return err.(*errors.Cause)
}

// AcquireUseRelease acquires, uses and releases. Only the use can be interrupted; the release gets its exit (Effect's
// acquireUseRelease).
func AcquireUseRelease[A, B any](acquire Effect[A], use func(A) Effect[B], release func(A, Exit[B]) Effect[Unit]) Effect[B] {
	return Mask(func(restore Restore) Effect[B] {
		return acquire.FlatMap(func(a A) Effect[B] {
			return restore.On(Suspend(func() Effect[B] { return use(a) })).
				OnExit(func(x Exit[B]) Effect[Unit] { return release(a, x) })
		})
	})
}

// AddFinalizer registers the effect that f makes with the surrounding scope. On a closed scope it runs at once.
func AddFinalizer(f func(scope.Exit) Effect[Unit]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		if v.scope == nil {
			return u, errors.DieCause(&NoScope{"AddFinalizer"})
		}
		return u, v.addFinalizer(v.scope, f)
	}}
}

func (v *env) addFinalizer(s *scope.Scope, f func(scope.Exit) Effect[Unit]) *errors.Cause {
	m := v.mask()
	r := &resource[Unit]{region: m, release: func(_ Unit, x scope.Exit) Effect[Unit] { return f(x) }}
	return passed(s.Register(m, &r.Entry, r))
}

// Scoped is e with a scope of its own, which closes with e's exit.
func (e Effect[A]) Scoped() Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		r := &struct { // one allocation
			scope scope.Scope
			region
		}{}
		r.enter(v, &r.scope)
		return e.closing(v, &r.in, &r.scope)
	}}
}

// region is a region with its masked twin, where both will be needed.
type region struct{ in, masked env }

// enter makes r region v with the scope s.
func (r *region) enter(v *env, s *scope.Scope) {
	r.in = *v
	r.in.scope, r.in.twin = s, nil
	if !v.masked || v.done != nil {
		r.masked = r.in
		r.masked.done, r.masked.masked = nil, true
		r.in.twin = &r.masked
	}
}

// closing runs e in w and then closes s, leaving for v.
func (e *Effect[A]) closing(v, w *env, s *scope.Scope) (A, *errors.Cause) {
	return e.guard(w, func(a A, c *errors.Cause) *errors.Cause {
		return v.leave(meet(c, passed(s.Close(w.mask(), exitForScope(a, c)))))
	})
}
