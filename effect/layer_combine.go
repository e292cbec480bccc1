package effect

import (
	"slices"

	"github.com/rivus/agentkit/errors"
)

// LayerMerge is several layers as one. They are built at once and released at once; where two give the same service, the
// last one wins (Effect's Layer.mergeAll). Of none it is the layer that gives nothing (Layer.empty).
//
// The first that does not succeed interrupts the others, and what they acquired is released.
func LayerMerge(layers ...*Layer) *Layer {
	if len(layers) == 1 {
		return layers[0]
	}
	out := &Layer{}
	for _, l := range layers {
		out.gives, out.needs = union(out.gives, l.gives), union(out.needs, l.needs)
	}
	layers = slices.Clone(layers)
	var makers []*maker
	var made, composed []int // which layers have makers, and which are made of others
	for i, l := range layers {
		if l.maker == nil {
			composed = append(composed, i)
		} else {
			made, makers = append(made, i), append(makers, l.maker)
		}
	}
	out.build = func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		given := make([][]Binding, len(layers))
		build := func(v *env, k int) (c *errors.Cause) {
			if k < len(composed) {
				i := composed[k]
				given[i], c = layers[i].build(v.with(v.scope.Fork(), v.services), m)
				return c
			}
			got, c := m.gather(v, makers)
			for k, bindings := range got {
				given[made[k]] = bindings
			}
			return c
		}
		w := v.with(v.scope.ForkParallel(), v.services)
		var c *errors.Cause
		switch {
		case len(layers) == 0:
		case len(composed) == 0:
			c = build(w, 0)
		case len(makers) == 0:
			c = forEach(w, len(composed), []CollectOption{Unbounded}, build)
		default:
			c = forEach(w, len(composed)+1, []CollectOption{Unbounded}, build)
		}
		if c != nil {
			return nil, unique(c) // several may have waited for the same one that failed
		}
		return slices.Concat(given...), nil
	}
	return out
}

func unique(c *errors.Cause) (out *errors.Cause) {
	for _, r := range c.Reasons() {
		out = out.Combine(errors.NewCause(r))
	}
	return out
}

// Merge is l and others as one. See [LayerMerge].
func (l *Layer) Merge(others ...*Layer) *Layer { return LayerMerge(append([]*Layer{l}, others...)...) }

// Provide is l, built with what deps give, which is not visible outside. The deps are built first and released last.
func (l *Layer) Provide(deps ...*Layer) *Layer { return l.feed(deps, false) }

// ProvideMerge is [Layer.Provide] that gives the services of deps as well.
func (l *Layer) ProvideMerge(deps ...*Layer) *Layer { return l.feed(deps, true) }

func (l *Layer) feed(deps []*Layer, visible bool) *Layer {
	d := LayerMerge(deps...)
	out := &Layer{gives: l.gives, needs: union(d.needs, without(l.needs, d.gives))}
	if visible {
		out.gives = union(d.gives, l.gives)
	}
	out.build = func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		below, c := d.build(v, m)
		if c != nil {
			return nil, c
		}
		if v.stopped() {
			return nil, v.pending()
		}
		above, c := l.build(v.with(v.scope, v.services.bind(below)), m)
		if c != nil || !visible {
			return above, c
		}
		return slices.Concat(below, above), nil
	}
	return out
}

// Fresh is l as a layer that shares nothing: it, and all that it is made of, is built anew wherever it is used.
func (l *Layer) Fresh() *Layer {
	return &Layer{gives: l.gives, needs: l.needs, build: func(v *env, _ *MemoMap) ([]Binding, *errors.Cause) {
		return l.build(v, NewMemoMap())
	}}
}
