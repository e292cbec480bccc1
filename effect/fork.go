package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// ForkOption changes how a fiber is started.
type ForkOption struct {
	interruptibility interruptibility
	name             string
}

type interruptibility uint8

const (
	interruptible interruptibility = iota + 1
	uninterruptible
	inherited
)

// ForkUninterruptible starts the fiber as one that is not interrupted. It keeps its success although an interruption is pending.
var ForkUninterruptible = ForkOption{interruptibility: uninterruptible}

// ForkInherit starts the fiber with the interruptibility of where it is forked. Without it a fiber can be interrupted, also when
// it is forked in an uninterruptible region.
var ForkInherit = ForkOption{interruptibility: inherited}

// ForkNamed gives the fiber a name for messages and dumps.
func ForkNamed(name string) ForkOption { return ForkOption{name: name} }

// launch is how a fiber is started, from its options.
type launch struct {
	masked bool
	name   string
}

func (v *env) launch(options []ForkOption) (l launch) {
	for _, o := range options {
		if o.interruptibility != 0 {
			l.masked = o.interruptibility == uninterruptible || o.interruptibility == inherited && v.masked
		}
		if o.name != "" {
			l.name = o.name
		}
	}
	return l
}

// Fork starts e on a goroutine of its own, as a child of the current fiber: it is interrupted and awaited when that fiber's
// program is over (Effect's forkChild, v3's fork). A child that fails does not touch its parent.
func Fork[A any](e Effect[A], options ...ForkOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		f := newFiber[A](v, v.launch(options))
		if !v.fiber.adopt(&f.core) { // the parent is over
			f.refuse(v.fiber.id)
			return f, nil
		}
		f.core.parent.Store(v.fiber)
		go f.main(e)
		return f, nil
	}}
}

// ForkDetach starts e on a goroutine of its own, as a fiber that belongs to nobody (Effect's forkDetach, v3's forkDaemon).
func ForkDetach[A any](e Effect[A], options ...ForkOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		f := newFiber[A](v, v.launch(options))
		go f.main(e)
		return f, nil
	}}
}

// ForkScoped starts e on a goroutine of its own, as a fiber of the surrounding scope: it is interrupted and awaited at its place
// among the scope's finalizers. Without a scope it is the defect [NoScope].
func ForkScoped[A any](e Effect[A], options ...ForkOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"ForkScoped"})
		}
		return forkIn(v, v.scope, e, v.launch(options)), nil
	}}
}

// ForkIn is [ForkScoped] for the scope s. On a closed scope the fiber does not start, and ends as interrupted.
func ForkIn[A any](s *scope.Scope, e Effect[A], options ...ForkOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		return forkIn(v, s, e, v.launch(options)), nil
	}}
}

func forkIn[A any](v *env, s *scope.Scope, e Effect[A], l launch) *Fiber[A] {
	f := newFiber[A](v, l)
	f.home = s
	if !s.Attach(v, &f.entry, f) {
		f.refuse(v.fiber.id)
		return f
	}
	go f.main(e)
	return f
}

// Start runs e in the background, as a fiber at a boundary (see [Effect.Run]; Effect's runFork).
//
// It is for the edges of a program. Inside an effect, [Fork] gives the fiber an owner.
//
// The cancellation of ctx interrupts it; the deadline does so when it passes, and is not visible inside.
func Start[A any](ctx context.Context, e Effect[A], options ...ForkOption) *Fiber[A] {
	f := start[A](ctx, options)
	f.unhook = context.AfterFunc(ctx, func() {
		f.core.interrupt(errors.Interrupt{Kind: ctx.Err(), Err: context.Cause(ctx)})
	})
	go f.main(e)
	return f
}

// StartIn runs e in the background as a fiber of the scope s, with the values and services of ctx: how plain Go, such as a
// callback, starts work on behalf of an effect that keeps its context (see [Context]). What interrupts ctx does not interrupt
// it; the closing of s does. On a closed scope it does not start, and ends as interrupted.
func StartIn[A any](ctx context.Context, s *scope.Scope, e Effect[A], options ...ForkOption) *Fiber[A] {
	f := start[A](context.WithoutCancel(ctx), options)
	f.env.scope = s
	f.home = s
	if !s.Attach(&f.env, &f.entry, f) {
		f.refuse(errors.InternalFiber)
		return f
	}
	go f.main(e)
	return f
}

func start[A any](ctx context.Context, options []ForkOption) *Fiber[A] {
	var at env
	at.become(&fiber{id: 0}, ctx)
	f := newFiber[A](&at, at.launch(options))
	f.core.root = true
	return f
}

// Context is the context that surrounds the effect, for [StartIn] and other plain Go. It may be used by any goroutine; what
// it stands for is over with the fiber.
func Context() Effect[context.Context] {
	return Effect[context.Context]{eval: func(v *env) (context.Context, *errors.Cause) { return v.onGoroutine(), nil }}
}
