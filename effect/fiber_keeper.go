package effect

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// keeper owns fibers until they are over: what [FiberSet], [FiberMap] and [FiberHandle] have in common.
type keeper[A any] struct {
	mu     sync.Mutex
	closed bool
	fibers map[*Fiber[A]]struct{} // those included that have been replaced and have not stopped yet
	joined *Deferred[Unit]
}

// place is where a collection finds a fiber: a key, say. Its functions are called with the keeper's lock held.
type place[A any] struct {
	get func() *Fiber[A] // nil: nobody is there
	set func(*Fiber[A])
}

// keeping is a place that a fiber has, or had.
type keeping[A any] struct {
	by *keeper[A]
	at place[A]
	o  RunOption
}

// leave tells the keepers of a fiber that it is over, before anybody else can see it: who has seen the end of a fiber finds
// it in no collection.
func (f *Fiber[A]) leave() {
	f.core.exited.mu.Lock()
	f.leaving = true
	keepers := f.keepers
	f.keepers = nil
	f.core.exited.mu.Unlock()
	for _, k := range keepers {
		k.by.left(f, k)
	}
}

// kept makes k a keeping of the fiber.
func (f *Fiber[A]) kept(k keeping[A]) {
	f.core.exited.mu.Lock()
	leaving := f.leaving
	if !leaving {
		f.keepers = append(f.keepers, k)
	}
	f.core.exited.mu.Unlock()
	if leaving {
		k.by.left(f, k)
	}
}

// open makes k ready, and closes it with the surrounding scope.
func (k *keeper[A]) open(v *env, op string) *errors.Cause {
	if v.scope == nil {
		return errors.DieCause(&NoScope{op})
	}
	k.fibers, k.joined = map[*Fiber[A]]struct{}{}, NewDeferred[Unit]()
	return v.addFinalizer(v.scope, func(scope.Exit) Effect[Unit] {
		return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, k.close(v) }}
	})
}

// close interrupts all fibers at once and waits for them.
func (k *keeper[A]) close(v *env) *errors.Cause {
	k.mu.Lock()
	k.closed = true
	fibers := slices.Collect(maps.Keys(k.fibers))
	k.mu.Unlock()
	c := stopAll(v, fibers, v.fiber.id)
	k.joined.CompleteNow(Effect[Unit]{})
	return c
}

// stopAll interrupts fibers, all at once, and waits for them.
func stopAll[A any](v *env, fibers []*Fiber[A], by errors.FiberID) *errors.Cause {
	for _, f := range fibers {
		f.core.interrupt(errors.Interrupt{By: by})
	}
	for _, f := range fibers {
		if &f.core == v.fiber { // it stops itself, and cannot wait for that
			continue
		}
		if c := f.core.exited.await(v); c != nil {
			return c
		}
	}
	return v.leave(nil)
}

// add gives f the place, and interrupts who was there; false if k is closed or f is not wanted.
func (k *keeper[A]) add(f *Fiber[A], at place[A], o RunOption) bool {
	k.mu.Lock()
	old := at.get()
	switch {
	case k.closed, old != nil && old != f && o.onlyIfMissing:
		k.mu.Unlock()
		return false
	case old == f:
		k.mu.Unlock()
		return true
	}
	at.set(f)
	k.fibers[f] = struct{}{}
	k.mu.Unlock()
	if old != nil {
		old.InterruptNow()
	}
	f.kept(keeping[A]{k, at, o})
	return true
}

// left is called when f is over.
func (k *keeper[A]) left(f *Fiber[A], at keeping[A]) {
	k.mu.Lock()
	closed := k.closed
	delete(k.fibers, f)
	if at.at.get() == f {
		at.at.set(nil)
	}
	k.mu.Unlock()
	if c := f.exit.Cause; c != nil && !closed && at.o.counts(c) {
		k.joined.CompleteNow(FailCause[Unit](c))
	}
}

// run starts e as a fiber that k keeps, with what surrounds v; it is nobody's child. Where it is not wanted it is a fiber that
// was interrupted before it began.
func (k *keeper[A]) run(v *env, e Effect[A], at place[A], options []RunOption) (f *Fiber[A], kept bool) {
	o := runOptions(options)
	f = newFiber[A](v, launch{name: o.name})
	return f, k.start(f, e, at, o)
}

// runOrInterrupt is run that ends as interrupted when k is closed.
func (k *keeper[A]) runOrInterrupt(v *env, e Effect[A], at place[A], options []RunOption) (*Fiber[A], *errors.Cause) {
	f, kept := k.run(v, e, at, options)
	if !kept && k.isClosed() {
		return nil, errors.InterruptCause(v.fiber.id)
	}
	return f, nil
}

// runNow is run with what surrounds ctx.
func (k *keeper[A]) runNow(ctx context.Context, e Effect[A], at place[A], options []RunOption) *Fiber[A] {
	o := runOptions(options)
	f := start[A](context.WithoutCancel(ctx), nil)
	f.core.name = o.name
	k.start(f, e, at, o)
	return f
}

func (k *keeper[A]) start(f *Fiber[A], e Effect[A], at place[A], o RunOption) (kept bool) {
	f.core.root = true // it begins at once: replaced right away, it still runs to its first step
	if k.add(f, at, o) {
		go f.main(e)
		return true
	}
	f.InterruptNow()
	f.core.root = false // not even that
	f.main(e)           // it does not run, and is over
	return false
}

// hold keeps a fiber that runs already, or interrupts it.
func (k *keeper[A]) hold(f *Fiber[A], at place[A], options []RunOption) Effect[Unit] {
	return Call(func() {
		if !k.add(f, at, runOptions(options)) {
			f.InterruptNow()
		}
	})
}

func (k *keeper[A]) isClosed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closed
}

// clear interrupts the fibers that the collection finds, all at once, and waits for them.
func (k *keeper[A]) clear(found func() []*Fiber[A]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		k.mu.Lock()
		var fibers []*Fiber[A]
		if !k.closed {
			fibers = found()
		}
		k.mu.Unlock()
		return u, stopAll(v, fibers, errors.InternalFiber)
	}}
}

// awaitEmpty waits until the collection finds no fiber.
func (k *keeper[A]) awaitEmpty(found func() []*Fiber[A]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		for {
			k.mu.Lock()
			var fibers []*Fiber[A]
			if !k.closed {
				fibers = found()
			}
			k.mu.Unlock()
			if len(fibers) == 0 {
				return u, nil
			}
			for _, f := range fibers {
				if c := f.core.exited.await(v); c != nil {
					return u, c
				}
			}
		}
	}}
}

// RunOption changes how a collection runs a fiber.
type RunOption struct {
	onlyIfMissing, propagate bool
	name                     string
}

// OnlyIfMissing leaves a fiber alone that is there already: the effect does not run, and its fiber was interrupted before it
// began. It means nothing to a [FiberSet].
var OnlyIfMissing = RunOption{onlyIfMissing: true}

// PropagateInterruption makes Join end with the interruption of the fiber too, unless the collection itself interrupts it.
var PropagateInterruption = RunOption{propagate: true}

// RunNamed gives the fiber a name for messages and dumps.
func RunNamed(name string) RunOption { return RunOption{name: name} }

func runOptions(options []RunOption) (all RunOption) {
	for _, o := range options {
		all.onlyIfMissing = all.onlyIfMissing || o.onlyIfMissing
		all.propagate = all.propagate || o.propagate
		if o.name != "" {
			all.name = o.name
		}
	}
	return all
}

// counts tells whether Join ends with the cause of a fiber.
func (o RunOption) counts(c *errors.Cause) bool {
	if o.propagate {
		return !slices.Contains(c.Interruptors(), errors.InternalFiber)
	}
	return !c.HasInterruptsOnly()
}
