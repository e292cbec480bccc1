package effect

import (
	"context"
	"fmt"
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Fiber is a running effect. All its methods may be called from any goroutine.
type Fiber[A any] struct {
	core   fiber
	env    env
	done   chan struct{}
	exit   Exit[A]      // set when done is closed
	parent *fiber       // the fiber it is a child of
	home   *scope.Scope // the scope it is in, at entry
	entry  scope.Entry
	unhook func() bool // from the context that interrupts it

	mu        sync.Mutex
	observers []func(Exit[A])
	keepers   []keeping[A]
	leaving   bool // the keepers have been told
}

// newFiber is a fiber that inherits from region v. It runs when main is called.
func newFiber[A any](v *env, l launch) *Fiber[A] {
	f := &Fiber[A]{done: make(chan struct{})}
	f.core.id, f.core.name = newID(), l.name
	w := &f.env
	w.fiber, w.values, w.scope, w.services, w.room = &f.core, v.values, v.scope, v.services, fullRoom
	w.open = f.core.asContext()
	if l.masked {
		w.masked = true
	} else {
		w.done = w.open
	}
	return f
}

// main is the fiber's goroutine.
func (f *Fiber[A]) main(e Effect[A]) {
	f.exit.Cause = goexit // unless life returns
	defer f.publish()
	f.exit.Value, f.exit.Cause = e.life(&f.env)
}

// publish makes the exit visible and lets go of everything that held the fiber.
func (f *Fiber[A]) publish() {
	if !f.core.ended() { // runtime.Goexit came from where nothing looks at exits: the children have not been stopped
		f.core.end()
	}
	f.leave()
	f.mu.Lock()
	observers := f.observers
	f.observers = nil
	close(f.done)
	f.mu.Unlock()
	if f.unhook != nil {
		f.unhook()
	}
	if f.home != nil {
		f.home.Remove(&f.entry)
	}
	if f.parent != nil {
		f.parent.release(&f.core)
	}
	f.core.settle()
	for _, observe := range observers {
		observe(f.exit)
	}
}

// Finalize makes a fiber the finalizer of its scope: it interrupts the fiber and waits for it. Programs do not call it.
func (f *Fiber[A]) Finalize(ctx context.Context, _ scope.Exit) error {
	by := errors.InternalFiber
	if v, _ := envOf(ctx); v != nil {
		by = v.fiber.id
	}
	f.core.interrupt(errors.Interrupt{By: by})
	<-f.done
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
func (f *Fiber[A]) Done() <-chan struct{} { return f.done }

// Poll is the fiber's exit, if it is over.
func (f *Fiber[A]) Poll() (x Exit[A], over bool) {
	select {
	case <-f.done:
		return f.exit, true
	default:
		return x, false
	}
}

// InterruptNow asks the fiber to stop and does not wait: for plain Go (Effect's interruptUnsafe).
func (f *Fiber[A]) InterruptNow() {
	f.core.interrupt(errors.Interrupt{By: errors.InternalFiber})
}

// Observe calls f with the fiber's exit when it is over, on the fiber's goroutine, or at once when it is over already. It must
// not block (Effect's addObserver).
func (f *Fiber[A]) Observe(observer func(Exit[A])) {
	f.mu.Lock()
	if x, over := f.Poll(); over {
		f.mu.Unlock()
		observer(x)
		return
	}
	f.observers = append(f.observers, observer)
	f.mu.Unlock()
}

// Await is the fiber's exit, once it is over. Interrupting who waits does not touch the fiber.
func (f *Fiber[A]) Await() Effect[Exit[A]] {
	return Effect[Exit[A]]{eval: func(v *env) (x Exit[A], c *errors.Cause) {
		if c := v.wait(f.done); c != nil {
			return x, c
		}
		return f.exit, nil
	}}
}

// Join ends as the fiber ended. That the fiber was interrupted is then an outcome that can be caught.
func (f *Fiber[A]) Join() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
		if c := v.wait(f.done); c != nil {
			return a, c
		}
		return f.exit.Value, f.exit.Cause
	}}
}

// Interrupt asks the fiber to stop and waits until it is over, finalizers included. The waiting can be interrupted; the fiber
// stops all the same. A fiber may interrupt itself: the interruption then arrives at once.
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
	if &f.core == v.fiber {
		return v.leave(nil)
	}
	return v.wait(f.done)
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
