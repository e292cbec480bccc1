package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Run runs e and returns its value, or its cause as a *errors.Cause.
//
// The cancellation or deadline of ctx interrupts e. The error then satisfies errors.Is with context.Canceled or
// context.DeadlineExceeded, and with the context's [context.Cause].
//
// Run is a boundary: e has a fiber of its own, on the goroutine of the caller, and what e started is over when Run returns.
// Called inside an effect it inherits the values, services and interruptibility of ctx, but not the surrounding scope; only
// [scope.Into] gives it one. To continue the surrounding fiber and scope, use [Await].
func (e Effect[A]) Run(ctx context.Context) (A, error) {
	a, c := e.boundary(ctx)
	return a, c.AsError()
}

// RunExit is [Effect.Run] for those who want the exit.
func RunExit[A any](ctx context.Context, e Effect[A]) Exit[A] {
	a, c := e.boundary(ctx)
	return Exit[A]{Value: a, Cause: c}
}

func (e *Effect[A]) boundary(ctx context.Context) (A, *errors.Cause) {
	r := &struct { // one allocation
		fiber fiber
		env   env
	}{}
	r.fiber.id, r.fiber.root = newID(), true
	r.env.become(&r.fiber, ctx)
	if r.env.services.watcher() != nil {
		return e.watchedRun(&r.env, ctx)
	}
	return e.root(&r.env)
}

// root is life for a fiber at a boundary.
func (e *Effect[A]) root(v *env) (A, *errors.Cause) {
	if v.crossBoundary() {
		own := *e
		return onFreshStack(v, func() (A, *errors.Cause) { return own.life(v) })
	}
	return e.life(v)
}

// Await runs e in the fiber, the scope and the region of ctx, which must come from a running effect: the direct style of
// functions that an effect calls, as in
//
//	func load(ctx context.Context, id int) (*User, error) {
//		repo, err := effect.Await(ctx, Repo.Get())
//		...
//
// A context without a running fiber is a defect. ctx may be derived: what interrupts it, interrupts e.
func Await[A any](ctx context.Context, e Effect[A]) (A, error) {
	v, exact := envOf(ctx)
	if v == nil || v.fiber.ended() {
		return *new(A), errors.DieCause(errNoFiber)
	}
	w := &env{} // of its own: ctx may be in the hands of several goroutines
	w.continueIn(v, ctx, exact)
	a, c := e.await(w)
	return a, c.AsError()
}

func (e *Effect[A]) await(v *env) (a A, c *errors.Cause) {
	if v.crossBoundary() {
		own := *e
		return onFreshStack(v, func() (A, *errors.Cause) { return own.awaitHere(v) })
	}
	return e.awaitHere(v)
}

func (e *Effect[A]) awaitHere(v *env) (a A, c *errors.Cause) {
	if v.stopped() {
		return a, v.pending()
	}
	return e.protect(v)
}

var errNoFiber = errors.New("effect.Await: the context carries no running fiber; run the effect with its Run method, " +
	"or pass on the context that Try, Gen or a finalizer was given")

// boundaries is how many nested boundaries share a goroutine's stack.
const boundaries = 256

// crossBoundary is for a region that has just become one of its own. It tells whether to go on on a fresh stack, which is once
// in a while.
func (v *env) crossBoundary() bool {
	v.room = fullRoom
	v.nested++
	return v.nested%boundaries == 0
}

// envOf is the region that ctx comes from; exact when ctx is the region itself rather than derived from it.
func envOf(ctx context.Context) (v *env, exact bool) {
	switch c := ctx.(type) {
	case nil:
		return nil, false
	case *env:
		return c, true
	case *goContext:
		return (*env)(c), true
	case Do:
		return &c.env, true
	}
	v, _ = ctx.Value(envKey{}).(*env)
	return v, false
}

// continueIn makes w the region that ctx stands for: v, or v as the Go code that derived ctx changed it.
func (w *env) continueIn(v *env, ctx context.Context, exact bool) {
	w.fiber, w.open, w.services, w.masked, w.scope, w.nested = v.fiber, v.open, v.services, v.masked, v.scope, v.nested
	if exact {
		w.done, w.values = v.done, v.values
		return
	}
	w.surround(ctx)
	if !v.masked {
		w.open = w.done
	}
	if s, ok := scope.From(ctx); ok {
		w.scope = s
	}
}

// surround gives w the cancellation and the values of ctx.
func (w *env) surround(ctx context.Context) {
	w.values = surround(ctx)
	if ctx.Done() != nil {
		w.done = ctx
	}
}

// become makes w the region of f, a fiber that starts at a boundary with ctx.
func (w *env) become(f *fiber, ctx context.Context) {
	if ctx == nil {
		panic("effect: nil context")
	}
	if v, exact := envOf(ctx); v != nil {
		w.continueIn(v, ctx, exact)
		f.host = v.fiber
	} else {
		w.surround(ctx)
		w.open = w.done
	}
	w.fiber = f
	w.scope, _ = scope.From(ctx)
}
