package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// What to do when a layer cannot be built. What it had acquired is released before a handler runs.

// Catch is l, or the layer that h makes of the failure to build it. Defects and interruptions pass.
//
// Before anything is built, the fallback is taken to give what l gives.
func (l *Layer) Catch(h func(error) *Layer) *Layer {
	return l.altered(func(e Effect[[]Binding], m *MemoMap) Effect[[]Binding] {
		return e.Catch(func(err error) Effect[[]Binding] { return h(err).building(m) })
	})
}

// CatchTag is [Layer.Catch] for the failures with this tag.
func (l *Layer) CatchTag(tag string, h func(errors.Tagged) *Layer) *Layer {
	return l.altered(func(e Effect[[]Binding], m *MemoMap) Effect[[]Binding] {
		return e.CatchTag(tag, func(err errors.Tagged) Effect[[]Binding] { return h(err).building(m) })
	})
}

// CatchCause is [Layer.Catch] for every cause.
func (l *Layer) CatchCause(h func(*errors.Cause) *Layer) *Layer {
	return l.altered(func(e Effect[[]Binding], m *MemoMap) Effect[[]Binding] {
		return e.CatchCause(func(c *errors.Cause) Effect[[]Binding] { return h(c).building(m) })
	})
}

// OrDie is l with its failures as defects.
func (l *Layer) OrDie() *Layer {
	return l.altered(func(e Effect[[]Binding], _ *MemoMap) Effect[[]Binding] { return e.OrDie() })
}

// TapError is l, with the effect that f makes of its failure run when building fails.
func (l *Layer) TapError[B any](f func(error) Effect[B]) *Layer {
	return l.altered(func(e Effect[[]Binding], _ *MemoMap) Effect[[]Binding] { return e.TapError(f) })
}

// altered is l with its building changed.
func (l *Layer) altered(f func(e Effect[[]Binding], m *MemoMap) Effect[[]Binding]) *Layer {
	return &Layer{gives: l.gives, needs: l.needs, build: func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		e := f(l.building(m), m)
		return e.exec(v)
	}}
}

// building is the effect that builds l into the scope around it, and keeps nothing there when it does not succeed.
func (l *Layer) building(m *MemoMap) Effect[[]Binding] {
	return Effect[[]Binding]{eval: func(v *env) ([]Binding, *errors.Cause) {
		s := v.scope.Fork()
		e := Effect[[]Binding]{eval: func(w *env) ([]Binding, *errors.Cause) { return l.build(w, m) }}
		return e.guard(v.with(s, v.services), func(out []Binding, c *errors.Cause) *errors.Cause {
			if c = v.leave(c); c == nil {
				return nil
			}
			return meet(c, passed(s.Close(v.mask(), scope.Exit{Cause: c})))
		})
	}}
}
