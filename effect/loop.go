package effect

import "github.com/rivus/agentkit/errors"

// Forever runs e again and again until it does not succeed, or the fiber is interrupted. It never has a value; its type is e's so
// that it fits wherever e does. Between two runs the fiber can be interrupted, also when e itself never waits.
func Forever[A any](e Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (zero A, _ *errors.Cause) {
		for {
			if _, c := e.deeper(v); c != nil {
				return zero, c
			}
			if v.halted() {
				return zero, v.pending()
			}
		}
	}}
}

// Eventually runs e again and again until it succeeds. Defects and interruptions end it. It does not wait between two runs:
// where e fails for a while, say because a server is away, retry it on a schedule instead.
func Eventually[A any](e Effect[A]) Effect[A] {
	return e.Catch(func(error) Effect[A] { return YieldNow().AndThen(Eventually(e)) })
}

// WhileLoop runs the effect that body makes, and then step with its value, for as long as while holds (Effect's whileLoop). A nil
// step is none. Between two rounds the fiber can be interrupted.
func WhileLoop[A any](while func() bool, body func() Effect[A], step func(A)) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		for while() {
			e := body()
			a, c := e.deeper(v)
			if c != nil {
				return u, c
			}
			if v.halted() {
				return u, v.pending()
			}
			if step != nil {
				step(a)
			}
		}
		return u, nil
	}}
}

// Iterate starts with the value initial and replaces it by that of the effect which body makes of it, for as long as while holds
// (v3's iterate). It has the first value that while does not hold for.
func Iterate[A any](initial A, while func(A) bool, body func(A) Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (zero A, _ *errors.Cause) {
		a := initial
		for while(a) {
			e := body(a)
			var c *errors.Cause
			if a, c = e.deeper(v); c != nil {
				return zero, c
			}
			if v.halted() {
				return zero, v.pending()
			}
		}
		return a, nil
	}}
}

// Replicate runs e n times and has the values in order. See [ForEach] for the options. An n below zero is none.
func Replicate[A any](e Effect[A], n int, options ...CollectOption) Effect[[]A] {
	return ForEach(make([]Unit, max(n, 0)), func(Unit) Effect[A] { return e }, options...)
}
