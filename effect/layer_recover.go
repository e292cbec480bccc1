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
	return l.recovered(func(c *errors.Cause) (*Layer, *errors.Cause) {
		if err, ok := typedFail(c); ok {
			return h(err), nil
		}
		return nil, c.Elect()
	})
}

// CatchTag is [Layer.Catch] for the failures with this tag.
func (l *Layer) CatchTag(tag string, h func(errors.Tagged) *Layer) *Layer {
	return l.recovered(func(c *errors.Cause) (*Layer, *errors.Cause) {
		if err, ok := typedFail(c); ok {
			if t, ok := errors.AsType[errors.Tagged](err); ok && t.Tag() == tag {
				return h(t), nil
			}
		}
		return nil, c.Elect()
	})
}

// CatchCause is [Layer.Catch] for every cause.
func (l *Layer) CatchCause(h func(*errors.Cause) *Layer) *Layer {
	return l.recovered(func(c *errors.Cause) (*Layer, *errors.Cause) { return h(c), nil })
}

// OrDie is l with its failures as defects.
func (l *Layer) OrDie() *Layer {
	return l.recovered(func(c *errors.Cause) (*Layer, *errors.Cause) {
		if err, ok := typedFail(c); ok {
			return nil, errors.DieCause(err)
		}
		return nil, c.Elect()
	})
}

// TapError is l, with the effect that f makes of its failure run when building fails.
func (l *Layer) TapError[B any](f func(error) Effect[B]) *Layer {
	return l.Catch(func(err error) *Layer {
		return LayerDiscard(f(err)).followedBy(LayerDiscard(Fail[Unit](err)))
	})
}

// followedBy builds l and then o.
func (l *Layer) followedBy(o *Layer) *Layer {
	return &Layer{build: func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		if _, c := l.build(v, m); c != nil {
			return nil, c
		}
		return o.build(v, m)
	}}
}

// recovered is l with the layer that pick makes of the cause why it cannot be built, or with another cause.
func (l *Layer) recovered(pick func(*errors.Cause) (*Layer, *errors.Cause)) *Layer {
	return &Layer{gives: l.gives, needs: l.needs, build: func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		out, c := l.buildApart(v, m)
		switch {
		case v.uncatchable():
			return nil, v.skip(c)
		case c == nil:
			return out, nil
		}
		next, c := pick(c)
		if next == nil {
			return nil, c
		}
		return next.build(v, m)
	}}
}

// buildApart builds l into the scope of v, and keeps nothing there when it does not succeed.
func (l *Layer) buildApart(v *env, m *MemoMap) (out []Binding, _ *errors.Cause) {
	s := v.scope.Fork()
	e := Effect[Unit]{eval: func(w *env) (u Unit, c *errors.Cause) {
		out, c = l.build(w, m)
		return u, c
	}}
	_, c := e.guard(v.with(s, v.services), func(_ Unit, c *errors.Cause) *errors.Cause {
		if c = v.leave(c); c == nil {
			return nil
		}
		return meet(c, passed(s.Close(v.mask(), scope.Exit{Cause: c})))
	})
	return out, c
}
