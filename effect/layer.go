package effect

import (
	"slices"

	"github.com/rivus/agentkit/errors"
)

// Layer is a recipe for services: how to build them, what they need, and how they are released. It is a value, and building it
// twice within one program gives the same services: a layer is memoised by its identity, so keep it in a variable.
//
// Give it to an effect with [Effect.Provide]. Layers that need others are fed with [Layer.Provide]; [Layer.Missing] says
// what is still needed, before anything is built.
type Layer struct {
	gives []*key
	needs []*key
	build builder
	maker *maker // what makes it anew, of a layer that is not made of others
}

// builder builds in region v, into its scope.
type builder func(v *env, m *MemoMap) ([]Binding, *errors.Cause)

// Layer is the layer that makes the service by an effect, which may acquire resources and read other services (Effect's
// Layer.effect, v3's Layer.scoped). They are released when the last user of the layer has gone.
//
// What the effect reads is not known before it runs: declare it with [Layer.Needing], or use [LayerOf1] and its kin, for
// [Layer.Missing] to know.
func (k *Service[S]) Layer(build Effect[S]) *Layer {
	return memoised(func(v *env) ([]Binding, *errors.Cause) {
		s, c := build.exec(v)
		return []Binding{k.Of(s)}, c
	}, k)
}

// LayerOf1 is the layer of a service that is made of another one. The compiler checks the edge, and [Layer.Missing] knows it.
func LayerOf1[S, A any](k *Service[S], a *Service[A], build func(A) Effect[S]) *Layer {
	return k.Layer(a.Get().FlatMap(build)).Needing(a)
}

// LayerOf2 is [LayerOf1] with two needs.
func LayerOf2[S, A, B any](k *Service[S], a *Service[A], b *Service[B], build func(A, B) Effect[S]) *Layer {
	return k.Layer(a.Get().FlatMap(func(a A) Effect[S] {
		return b.Get().FlatMap(func(b B) Effect[S] { return build(a, b) })
	})).Needing(a, b)
}

// LayerOf3 is [LayerOf1] with three needs.
func LayerOf3[S, A, B, C any](
	k *Service[S], a *Service[A], b *Service[B], c *Service[C], build func(A, B, C) Effect[S],
) *Layer {
	return k.Layer(Gen(func(do Do) (S, error) {
		return do.Await(build(do.Await(a.Get()), do.Await(b.Get()), do.Await(c.Get()))), nil
	})).Needing(a, b, c)
}

// LayerOf4 is [LayerOf1] with four needs.
func LayerOf4[S, A, B, C, D any](
	k *Service[S], a *Service[A], b *Service[B], c *Service[C], d *Service[D], build func(A, B, C, D) Effect[S],
) *Layer {
	return k.Layer(Gen(func(do Do) (S, error) {
		return do.Await(build(do.Await(a.Get()), do.Await(b.Get()), do.Await(c.Get()), do.Await(d.Get()))), nil
	})).Needing(a, b, c, d)
}

// LayerOfServices is the layer of a set of services that an effect makes (Effect's Layer.effectContext). What it gives is known
// before it runs as far as gives says.
func LayerOfServices(build Effect[Services], gives ...Key) *Layer {
	return memoised(func(v *env) ([]Binding, *errors.Cause) {
		s, c := build.exec(v)
		return s.top.bindings(), c
	}, gives...)
}

// LayerDiscard is the layer that runs an effect and gives nothing (Effect's Layer.effectDiscard). Its finalizers belong to the
// layer.
func LayerDiscard[A any](e Effect[A]) *Layer {
	return memoised(func(v *env) ([]Binding, *errors.Cause) {
		_, c := e.exec(v)
		return nil, c
	})
}

// LayerUnwrap is the layer that an effect makes (Effect's Layer.unwrap). What it gives is known before it runs as far as gives
// says.
func LayerUnwrap(e Effect[*Layer], gives ...Key) *Layer {
	var made hidden[*Layer]
	maker := memoised(func(v *env) ([]Binding, *errors.Cause) {
		l, c := e.exec(v)
		return []Binding{made.of(l)}, c
	})
	return &Layer{gives: keysOf(gives), build: func(v *env, m *MemoMap) ([]Binding, *errors.Cause) {
		out, c := maker.build(v, m)
		if c != nil {
			return nil, c
		}
		inner, _ := made.in((*binding)(nil).bind(out))
		return inner.build(v, m)
	}}
}

// LayerSuspend is the layer that f makes when it is built (Effect's Layer.suspend). What it gives is known before as far as
// gives says.
func LayerSuspend(f func() *Layer, gives ...Key) *Layer { return LayerUnwrap(Sync(f), gives...) }

// maker makes the services of a layer, in region v. It is the layer's identity.
type maker struct {
	make func(v *env) ([]Binding, *errors.Cause)
}

// memoised is a layer of which one MemoMap builds one.
func memoised(make func(*env) ([]Binding, *errors.Cause), gives ...Key) *Layer {
	made := &maker{make}
	return &Layer{gives: keysOf(gives), maker: made, build: func(v *env, m *MemoMap) ([]Binding, *errors.Cause) { return m.get(v, made) }}
}

func keysOf(keys []Key) (out []*key) {
	for _, k := range keys {
		out = append(out, k.identity())
	}
	return out
}

// Needing is l with a declaration of what its building reads besides, for [Layer.Missing].
func (l *Layer) Needing(keys ...Key) *Layer {
	return &Layer{gives: l.gives, needs: union(l.needs, keysOf(keys)), build: l.build, maker: l.maker}
}

// Missing names the services that l needs and nothing within it gives, in the order in which they are needed. Whatever surrounds
// the effect that l is provided to must have them, or building is the defect [ServiceNotFound].
//
// It knows what is declared: by [LayerOf1] and its kin, and by [Layer.Needing].
func (l *Layer) Missing() []string { return namesOf(l.needs) }

// Gives names the services that l is known to give.
func (l *Layer) Gives() []string { return namesOf(l.gives) }

func namesOf(keys []*key) (out []string) {
	for _, k := range keys {
		if k.name != "" {
			out = append(out, k.name)
		}
	}
	return out
}

// union is a and then what b adds.
func union(a, b []*key) []*key {
	out := slices.Clone(a)
	for _, k := range b {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func without(a, b []*key) (out []*key) {
	for _, k := range a {
		if !slices.Contains(b, k) {
			out = append(out, k)
		}
	}
	return out
}
