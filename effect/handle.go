package effect

import (
	"context"
	"fmt"
	"slices"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Fiber is a running effect. All its methods may be called from any goroutine.
type Fiber[A any] struct {
	core   fiber
	env    env
	exit   Exit[A]      // set when core.exited has happened
	home   *scope.Scope // the scope it is in, at entry
	entry  scope.Entry
	unhook func() bool // from the context that interrupts it

	// Guarded by the lock of core.exited.
	observers []*func(Exit[A])
	keepers   []keeping[A]
	leaving   bool // the keepers have been told
}

// newFiber is a fiber that inherits from region v. It runs when main is called.
func newFiber[A any](v *env, l launch) *Fiber[A] {
	f := &Fiber[A]{}
	f.core.id, f.core.name = newID(), l.name
	w := &f.env
	w.fiber, w.values, w.scope, w.services, w.room = &f.core, v.values, v.scope, v.services, fullRoom
	w.open = f.core.asContext()
	if l.masked {
		w.masked = true
	} else {
		w.done = w.open
	}
	v.watch(&f.core, "fiber")
	return f
}

// main is the fiber's goroutine.
func (f *Fiber[A]) main(e Effect[A]) {
	f.exit.Cause = goexit // unless life returns
	defer f.publish()
	f.env.label()
	f.exit.Value, f.exit.Cause = e.life(&f.env)
}

// refuse ends a fiber that nobody will own: its effect does not start, whatever its interruptibility, and it is over at once.
func (f *Fiber[A]) refuse(by errors.FiberID) {
	f.core.interrupt(errors.Interrupt{By: by})
	f.core.end()
	f.exit.Cause = errors.InterruptCause(by)
	f.publish()
}

// publish makes the exit visible and lets go of everything that held the fiber, its parent last.
func (f *Fiber[A]) publish() {
	defer f.letGo() // also when an observer panics
	f.leave()
	f.core.unwatch()
	f.core.settle() // first: who sees the exit finds the context cancelled
	f.core.exited.mu.Lock()
	observers := f.observers
	f.observers = nil
	f.core.exited.happenLocked()
	f.core.exited.mu.Unlock()
	if f.unhook != nil {
		f.unhook()
	}
	for _, observe := range observers {
		(*observe)(f.exit)
	}
}

func (f *Fiber[A]) letGo() {
	if f.home != nil {
		f.home.Remove(&f.entry)
	}
	if parent := f.core.parent.Swap(nil); parent != nil {
		parent.release(&f.core)
	}
	f.home, f.unhook = nil, nil // a handle that somebody keeps holds none of them
}

// Finalize makes a fiber the finalizer of its scope: it interrupts the fiber and waits for it. A fiber that closes its own
// scope goes on. Programs do not call it.
func (f *Fiber[A]) Finalize(ctx context.Context, _ scope.Exit) error {
	by := errors.InternalFiber
	if v, _ := envOf(ctx); v != nil {
		if f.core.hosts(v.fiber) {
			return nil
		}
		by = v.fiber.id
	}
	f.core.interrupt(errors.Interrupt{By: by})
	<-f.Done()
	return nil
}

// ID names the fiber.
func (f *Fiber[A]) ID() errors.FiberID { return f.core.id }

// String is the fiber's name, if it has one, and its number.
func (f *Fiber[A]) String() string {
	if f.core.name != "" {
		return fmt.Sprintf("fiber %s (%q)", f.core.id, f.core.name)
	}
	return fmt.Sprintf("fiber %s", f.core.id)
}

// Done is closed when the fiber is over.
func (f *Fiber[A]) Done() <-chan struct{} { return f.core.exited.done() }

// Poll is the fiber's exit, if it is over.
func (f *Fiber[A]) Poll() (x Exit[A], over bool) {
	if f.core.exited.over() {
		return f.exit, true
	}
	return x, false
}

// InterruptNow asks the fiber to stop and does not wait: for plain Go (Effect's interruptUnsafe).
func (f *Fiber[A]) InterruptNow() {
	f.core.interrupt(errors.Interrupt{By: errors.InternalFiber})
}

// Observe calls observer with the fiber's exit when it is over, on the fiber's goroutine, or at once when it is over already.
// remove takes it back; it has no effect once the fiber is over. The observer must not block, and a panic in it is not recovered
// (Effect's addObserver).
func (f *Fiber[A]) Observe(observer func(Exit[A])) (remove func()) {
	exited := &f.core.exited
	exited.mu.Lock()
	if exited.happenedLocked() {
		exited.mu.Unlock()
		observer(f.exit)
		return func() {}
	}
	defer exited.mu.Unlock()
	f.observers = append(f.observers, &observer)
	return func() {
		exited.mu.Lock()
		defer exited.mu.Unlock()
		if i := slices.Index(f.observers, &observer); i >= 0 {
			f.observers = slices.Delete(f.observers, i, i+1)
		}
	}
}

// Await is the fiber's exit, once it is over. Interrupting who waits does not touch the fiber. A fiber that waits for itself is
// the defect [SelfWait].
func (f *Fiber[A]) Await() Effect[Exit[A]] {
	return Effect[Exit[A]]{eval: f.await}
}

func (f *Fiber[A]) await(v *env) (x Exit[A], _ *errors.Cause) {
	if c := f.core.refuseSelf(v); c != nil {
		return x, c
	}
	if c := f.core.exited.await(v); c != nil {
		return x, c
	}
	return f.exit, nil
}

// Join ends as the fiber ended. That the fiber was interrupted is then an outcome that can be caught. A fiber that joins itself
// is the defect [SelfWait].
func (f *Fiber[A]) Join() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		x, c := f.await(v)
		if c != nil {
			return a, c
		}
		return x.Value, x.Cause
	}}
}

// Interrupt asks the fiber to stop and waits until it is over, finalizers included. The waiting can be interrupted; the fiber
// stops all the same. A fiber may interrupt itself: it does not wait, and the interruption arrives at once, or where the
// uninterruptible region around it ends.
func (f *Fiber[A]) Interrupt() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		return u, f.interruptAs(v, v.fiber.id)
	}}
}

// InterruptAs is [Fiber.Interrupt] in the name of another fiber.
func (f *Fiber[A]) InterruptAs(by errors.FiberID) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, f.interruptAs(v, by) }}
}

func (f *Fiber[A]) interruptAs(v *env, by errors.FiberID) *errors.Cause {
	f.core.interrupt(errors.Interrupt{By: by})
	return f.waitEnd(v)
}

// waitEnd waits until the fiber, which was interrupted, is over.
func (f *Fiber[A]) waitEnd(v *env) *errors.Cause {
	if f.core.hosts(v.fiber) {
		return v.leave(nil)
	}
	return f.core.exited.await(v)
}

// InterruptFork asks the fiber to stop, in the name of the current one, and does not wait.
func (f *Fiber[A]) InterruptFork() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		f.core.interrupt(errors.Interrupt{By: v.fiber.id})
		return u, nil
	}}
}

// CurrentID is the number of the current fiber.
func CurrentID() Effect[errors.FiberID] {
	return Effect[errors.FiberID]{eval: func(v *env) (errors.FiberID, *errors.Cause) { return v.fiber.id, nil }}
}
