package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
)

// Uninterruptible is e as a region that is not interrupted. An interruption waits for its end, and then replaces its success,
// or follows its failure.
func (e Effect[A]) Uninterruptible() Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		if v.masked && v.done == nil {
			return e.deeper(v)
		}
		a, c := e.protect(v.mask())
		return a, v.leave(c)
	}}
}

// Interruptible is e as a window that can be interrupted, also inside an uninterruptible region. With an interruption pending it
// does not start.
func (e Effect[A]) Interruptible() Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		if !v.masked {
			return e.deeper(v)
		}
		return e.window(v, v.open)
	}}
}

// window runs e where done interrupts it.
func (e *Effect[A]) window(v *env, done context.Context) (a A, c *errors.Cause) {
	w := v.unmask(done)
	if w.stopped() {
		return a, w.pending()
	}
	return e.deeper(w)
}

// Restore puts effects back into the interruptibility outside the mask that it was made by.
type Restore struct{ outer *env }

// On is e with the interruptibility outside the mask; where that is uninterruptible too, nothing changes. It keeps the values,
// services and scope of where it runs.
func (r Restore) On[A any](e Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		if r.outer.masked {
			return e.deeper(v.mask())
		}
		return e.window(v, r.outer.done)
	}}
}

// Mask is the effect that f makes, as a region that is not interrupted but for the parts f restores (Effect's
// uninterruptibleMask).
func Mask[A any](f func(Restore) Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		a, c := call(v.mask(), func() Effect[A] { return f(Restore{v}) })
		return a, v.leave(c)
	}}
}

// InterruptibleMask is the effect that f makes, as a window that can be interrupted but for the parts f restores.
func InterruptibleMask[A any](f func(Restore) Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := Suspend(func() Effect[A] { return f(Restore{v}) })
		return e.window(v, v.open)
	}}
}
