package effect

import "github.com/rivus/agentkit/errors"

// OnExit runs the effect that f makes of e's exit, however e ended: on a value, a failure, a defect, an interruption, and also
// when e ends its goroutine. That effect cannot be interrupted, and whoever interrupts waits for it.
//
// If it does not succeed, its reasons come after those of e.
func (e Effect[A]) OnExit[B any](f func(Exit[A]) Effect[B]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		return e.guard(v, func(a A, c *errors.Cause) *errors.Cause {
			_, added := call(v.mask(), func() Effect[B] { return f(Exit[A]{Value: a, Cause: c}) })
			return v.leave(meet(c, added))
		})
	}}
}

// meet is what becomes of two causes that come together: of a body and its finalizer, or of two sides.
func meet(a, b *errors.Cause) *errors.Cause {
	if a == nil || b == nil {
		return a.Combine(b)
	}
	return a.Combine(b).Elect()
}

// Ensuring runs finalizer however e ended. See [Effect.OnExit].
func (e Effect[A]) Ensuring[B any](finalizer Effect[B]) Effect[A] {
	return e.OnExit(func(Exit[A]) Effect[B] { return finalizer })
}

// OnError runs the effect that f makes of e's cause when e does not succeed. See [Effect.OnExit].
func (e Effect[A]) OnError[B any](f func(*errors.Cause) Effect[B]) Effect[A] {
	return e.OnExit(func(x Exit[A]) (none Effect[B]) {
		if x.Cause != nil {
			return f(x.Cause)
		}
		return none
	})
}

// OnInterrupt runs the effect that f makes of the interrupting fibers when an interruption is among e's reasons: of the fiber
// itself, or of another one that e joined. See [Effect.OnExit].
func (e Effect[A]) OnInterrupt[B any](f func(by []errors.FiberID) Effect[B]) Effect[A] {
	return e.OnExit(func(x Exit[A]) (none Effect[B]) {
		if x.Cause.HasInterrupts() {
			return f(x.Cause.Interruptors())
		}
		return none
	})
}

// OnExitIf is [Effect.OnExit] for the exits that the predicate holds for.
func (e Effect[A]) OnExitIf[B any](predicate func(Exit[A]) bool, f func(Exit[A]) Effect[B]) Effect[A] {
	return e.OnExit(func(x Exit[A]) (none Effect[B]) {
		if predicate(x) {
			return f(x)
		}
		return none
	})
}

// OnErrorIf is [Effect.OnError] for the causes that the predicate holds for.
func (e Effect[A]) OnErrorIf[B any](predicate func(*errors.Cause) bool, f func(*errors.Cause) Effect[B]) Effect[A] {
	return e.OnError(func(c *errors.Cause) (none Effect[B]) {
		if predicate(c) {
			return f(c)
		}
		return none
	})
}
