package effect

import "github.com/rivus/agentkit/errors"

// Map is e with f applied to its value. f must not block; a panic in it is a defect.
func (e Effect[A]) Map[B any](f func(A) B) Effect[B] {
	if eval := e.eval; eval != nil { // the common case without the loop of exec
		return Effect[B]{eval: func(v *env) (zero B, _ *errors.Cause) {
			var a A
			var c *errors.Cause
			room := v.room
			if v.room = room - frame[A](); v.room >= 0 {
				a, c = eval(v)
			} else {
				a, c = hop(v, Effect[A]{eval: eval})
			}
			v.room = room
			if c != nil {
				return zero, c
			}
			return f(a), nil
		}}
	}
	return Effect[B]{eval: func(v *env) (zero B, _ *errors.Cause) {
		e := e
		a, c := e.deeper(v)
		if c != nil {
			return zero, c
		}
		return f(a), nil
	}}
}

// FlatMap runs e and then the effect that f makes of its value. Between the two the fiber can be interrupted.
//
// Recursion through f costs no stack.
func (e Effect[A]) FlatMap[B any](f func(A) Effect[B]) Effect[B] {
	if first := e.step; first != nil { // as in a chain: the loop of exec without its call
		return Effect[B]{step: func(v *env) (B, *errors.Cause, step[B]) {
			var a A
			var c *errors.Cause
			room := v.room
			if v.room = room - frame[A](); v.room >= 0 {
				var next step[A]
				for a, c, next = first(v); next != nil; {
					a, c, next = next(v)
				}
			} else {
				a, c = hop(v, Effect[A]{step: first})
			}
			v.room = room
			return then(v, a, c, f)
		}}
	}
	return Effect[B]{step: func(v *env) (B, *errors.Cause, step[B]) {
		e := e
		a, c := e.deeper(v)
		return then(v, a, c, f)
	}}
}

// then goes on with what f makes of a, unless c or an interruption ends it here.
func then[A, B any](v *env, a A, c *errors.Cause, f func(A) Effect[B]) (zero B, _ *errors.Cause, _ step[B]) {
	if c != nil {
		return zero, c, nil
	}
	if v.done != nil && v.done.Err() != nil && !v.kept {
		return zero, v.pending(), nil
	}
	v.kept = false // see halted
	next := f(a)
	if next.eval != nil {
		b, c := next.eval(v)
		return b, c, nil
	}
	return next.value, nil, next.step
}

// AndThen runs e and then o, and has the value of o.
func (e Effect[A]) AndThen[B any](o Effect[B]) Effect[B] {
	return e.FlatMap(func(A) Effect[B] { return o })
}

// Tap runs e and then the effect that f makes of its value, and has the value of e.
func (e Effect[A]) Tap[B any](f func(A) Effect[B]) Effect[A] {
	return e.FlatMap(func(a A) Effect[A] {
		return f(a).Map(func(B) A { return a })
	})
}

// As is e with the value b in place of its own.
func (e Effect[A]) As[B any](b B) Effect[B] { return e.Map(func(A) B { return b }) }

// AsUnit is e without its value.
func (e Effect[A]) AsUnit() Effect[Unit] { return e.As(Unit{}) }
