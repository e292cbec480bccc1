package effect

import "github.com/rivus/agentkit/errors"

// Pair is two values.
type Pair[A, B any] struct {
	First  A // of the left effect
	Second B // of the right effect
}

// Zip runs a and then b and has both values. With Concurrency(2) or [Unbounded] both run at once, and the first that does not
// succeed interrupts the other: see [ForEach].
func Zip[A, B any](a Effect[A], b Effect[B], options ...CollectOption) Effect[Pair[A, B]] {
	return a.ZipWith(b, func(first A, second B) Pair[A, B] { return Pair[A, B]{first, second} }, options...)
}

// ZipWith runs e and then o, and has what f makes of both values. The options are those of [Zip].
func (e Effect[A]) ZipWith[B, C any](o Effect[B], f func(A, B) C, options ...CollectOption) Effect[C] {
	if len(options) == 0 {
		return e.FlatMap(func(a A) Effect[C] {
			return o.Map(func(b B) C { return f(a, b) })
		})
	}
	return Effect[C]{eval: func(v *env) (zero C, _ *errors.Cause) {
		var a A
		var b B
		c := forEach(v, 2, options, func(v *env, i int) (c *errors.Cause) {
			if i == 0 {
				a, c = e.deeper(v)
			} else {
				b, c = o.deeper(v)
			}
			return c
		})
		if c != nil {
			return zero, c
		}
		return f(a, b), nil
	}}
}
