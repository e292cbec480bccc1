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
	out.build = func(v *env, m *MemoMap) (all []Binding, _ *errors.Cause) {
		made := make([][]Binding, len(layers))
		parent := v.scope.ForkParallel()
		c := forEach(v, len(layers), []CollectOption{Unbounded}, func(v *env, i int) (c *errors.Cause) {
			made[i], c = layers[i].build(v.with(parent.Fork(), v.services), m)
			return c
		})
		if c != nil {
			return nil, unique(c) // several may have waited for the same one that failed
		}
		return slices.Concat(made...), nil
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
