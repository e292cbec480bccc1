package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Provide is e with the services of the layers, merged (Effect's provide). They are built before e and released after it, with
// e's exit. If they cannot be built, e does not run.
//
// A Provide within e shares the layers that this one has built. To share none, see [Effect.ProvideLocal] and [Layer.Fresh].
func (e Effect[A]) Provide[L interface{ *Layer }](layers ...L) Effect[A] {
	return provide(e, mergeOf(layers), (*MemoMap).child)
}

// ProvideLocal is [Effect.Provide] that shares no layer with a Provide around it.
func (e Effect[A]) ProvideLocal[L interface{ *Layer }](layers ...L) Effect[A] {
	return provide(e, mergeOf(layers), func(*MemoMap) *MemoMap { return NewMemoMap() })
}

func mergeOf[L interface{ *Layer }](layers []L) *Layer {
	all := make([]*Layer, len(layers))
	for i, l := range layers {
		all[i] = l
	}
	return LayerMerge(all...)
}

func provide[A any](e Effect[A], l *Layer, within func(*MemoMap) *MemoMap) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		m := within(currentMemo(v.services))
		s := scope.New()
		program := Effect[A]{eval: func(w *env) (a A, c *errors.Cause) {
			out, c := l.build(w, m)
			if c != nil {
				return a, c
			}
			if w.stopped() {
				return a, w.pending()
			}
			return e.among(w, w.with(v.scope, w.services.bind(out)))
		}}
		return program.closing(v, v.with(s, m.around(v.services)), s)
	}}
}

// LayerBuild builds l into the surrounding scope and has its services (Effect's Layer.build). Without a scope it is the defect
// [NoScope]. What had been acquired when building does not succeed is released at once.
func LayerBuild(l *Layer) Effect[Services] {
	return Effect[Services]{eval: func(v *env) (s Services, _ *errors.Cause) {
		if v.scope == nil {
			return s, errors.DieCause(&NoScope{"LayerBuild"})
		}
		e := LayerBuildWith(l, currentMemo(v.services).child())
		return e.exec(v)
	}}
}

// LayerBuildWith is [LayerBuild] that shares what m has built, and shares through m what it builds (Effect's buildWithMemoMap).
func LayerBuildWith(l *Layer, m *MemoMap) Effect[Services] {
	return Effect[Services]{eval: func(v *env) (s Services, _ *errors.Cause) {
		if v.scope == nil {
			return s, errors.DieCause(&NoScope{"LayerBuildWith"})
		}
		out, c := l.buildApart(v.with(v.scope, m.around(v.services)), m)
		if c != nil {
			return s, c
		}
		return Services{m.around(nil).bind(out)}, nil
	}}
}

// Launch builds l and keeps it until it is interrupted: for programs that are all layers (Effect's Layer.launch).
func (l *Layer) Launch() Effect[Unit] { return Never[Unit]().Provide(l) }
