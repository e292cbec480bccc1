package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// task is work of the library's own on a fiber that belongs to nobody.
//
// Its type mentions no effect: the compiler makes all methods of every type of effects that a generic function mentions, anew in
// each package that uses it. What the library does for itself therefore goes through this one, which is not generic.
type task struct {
	core *fiber
	env  *env                 // of the fiber
	run  func() *errors.Cause // on the goroutine that calls it, once
}

// task is body as a fiber that inherits from region v, and acquires into the scope s if there is one.
func (v *env) task(l launch, s *scope.Scope, body func(*env) *errors.Cause) *task {
	f := newFiber[Unit](v, l)
	if s != nil {
		f.env.scope = s
	}
	return &task{&f.core, &f.env, func() *errors.Cause {
		f.main(Effect[Unit]{eval: func(w *env) (u Unit, _ *errors.Cause) { return u, body(w) }})
		return f.exit.Cause
	}}
}

// closing is the task that closes a scope; it is not interrupted.
func (v *env) closing(s *scope.Scope, exit scope.Exit) *errors.Cause {
	return v.task(launch{masked: true}, nil, func(w *env) *errors.Cause { return passed(s.Close(w, exit)) }).run()
}

// inBackground runs body now, on a goroutine that belongs to no effect, as a fiber that is not interrupted. Nobody is there to see
// how it ends: what goes wrong is logged with what body was for.
func (v *env) inBackground(purpose string, body func(*env) *errors.Cause) {
	if c := v.task(launch{masked: true, name: purpose}, nil, body).run(); c != nil {
		v.unhandled(purpose, c)
	}
}

// unhandled reports a cause that no effect can be given.
func (v *env) unhandled(purpose string, c *errors.Cause) {
	v.logger().ErrorContext(v, "effect: could not "+purpose, "cause", c)
}
