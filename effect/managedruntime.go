package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// ManagedRuntime runs effects with the services of a layer: for programs whose main loop is not an effect, such as the handlers
// of a server. The layer is built by the first run, once, and released by [ManagedRuntime.Dispose]. That it cannot be built is
// remembered: every run then ends with that failure.
type ManagedRuntime struct {
	services *Cached[Services]
	fibers   *scope.Scope // what runs
	layer    *scope.Scope // what was built
}

// NewManagedRuntime is a runtime for the services of l. Those of a [MemoMap] are shared with the other builds that use it.
func NewManagedRuntime(l *Layer, shared ...*MemoMap) *ManagedRuntime {
	m := NewMemoMap()
	if len(shared) > 0 {
		m = shared[0]
	}
	r := &ManagedRuntime{fibers: scope.NewParallel(), layer: scope.New()}
	r.services = NewCached(LayerBuildWith(l, m).InScope(r.layer))
	return r
}

// Run runs e and returns its value, or its cause as a *errors.Cause. See [Effect.Run].
func (r *ManagedRuntime) Run[A any](ctx context.Context, e Effect[A]) (A, error) {
	return r.RunExit(ctx, e).Get()
}

// RunExit is [ManagedRuntime.Run] for those who want the exit.
func (r *ManagedRuntime) RunExit[A any](ctx context.Context, e Effect[A]) Exit[A] {
	f := r.Start(ctx, e)
	<-f.Done()
	return f.exit
}

// Start runs e in the background. See [Start]. Disposing of the runtime interrupts it.
func (r *ManagedRuntime) Start[A any](ctx context.Context, e Effect[A], options ...ForkOption) *Fiber[A] {
	f := start[A](ctx, options)
	e = r.Provide(e)
	if r.fibers.Attach(&f.env, &f.entry, f) {
		f.home = r.fibers
	} else {
		e = Die[A](errDisposed)
	}
	f.unhook = context.AfterFunc(ctx, func() {
		f.core.interrupt(errors.Interrupt{Kind: ctx.Err(), Err: context.Cause(ctx)})
	})
	go f.main(e)
	return f
}

const errDisposed = "ManagedRuntime disposed"

// Provide is e with the services of the runtime: for effects that are run elsewhere.
func (r *ManagedRuntime) Provide[A any](e Effect[A]) Effect[A] {
	return r.Services().FlatMap(e.WithServices)
}

// Services are the services of the runtime, which it builds if need be.
func (r *ManagedRuntime) Services() Effect[Services] {
	return Suspend(func() Effect[Services] {
		if _, disposed := r.layer.Exit(); disposed {
			return Die[Services](errDisposed)
		}
		return r.services.Get()
	})
}

// Dispose interrupts what runs, waits for it, and then releases the layer. It returns what went wrong in finalizers, as a
// *errors.Cause. What is run later is a defect; disposing again does nothing.
func (r *ManagedRuntime) Dispose(ctx context.Context) error {
	_, err := r.DisposeEffect().Run(ctx)
	return err
}

// DisposeEffect is [ManagedRuntime.Dispose] as an effect, which cannot be interrupted.
func (r *ManagedRuntime) DisposeEffect() Effect[Unit] {
	return CloseScope(r.fibers, scope.Exit{Value: Unit{}}).Ensuring(CloseScope(r.layer, scope.Exit{Value: Unit{}}))
}
