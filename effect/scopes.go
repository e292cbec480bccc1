package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Effects over scopes that the program holds in its hand. Most programs need [Effect.Scoped] only.

// CurrentScope is the scope that surrounds the effect. Without one it is the defect [NoScope].
func CurrentScope() Effect[*scope.Scope] {
	return Effect[*scope.Scope]{eval: func(v *env) (*scope.Scope, *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"CurrentScope"})
		}
		return v.scope, nil
	}}
}

// AddFinalizerTo registers the effect that f makes with s. On a closed scope it runs at once.
func AddFinalizerTo(s *scope.Scope, f func(scope.Exit) Effect[Unit]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) { return u, v.addFinalizer(s, f) }}
}

// CloseScope closes s with exit. It cannot be interrupted.
func CloseScope(s *scope.Scope, exit scope.Exit) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		return u, v.leave(passed(s.Close(v.mask(), exit)))
	}}
}

// InScope is e with s as its scope, which stays open (Effect's Scope.provide, v3's Scope.extend).
func (e Effect[A]) InScope(s *scope.Scope) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		return e.deeper(v.with(s, v.services))
	}}
}

// UseScope is e with s as its scope, which closes with e's exit (Effect's Scope.use).
func (e Effect[A]) UseScope(s *scope.Scope) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		r := &region{}
		r.enter(v, s)
		return e.closing(v, &r.in, s)
	}}
}

// ScopedWith hands a new scope to f and closes it with the exit of what f makes (Effect's scopedWith). It is not the ambient
// scope of that effect.
func ScopedWith[A any](f func(*scope.Scope) Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		s := scope.New()
		e := Suspend(func() Effect[A] { return f(s) })
		return e.closing(v, v, s)
	}}
}
