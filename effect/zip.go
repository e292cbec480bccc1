package effect

// Pair is two values.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Zip runs a and then b and has both values.
func Zip[A, B any](a Effect[A], b Effect[B]) Effect[Pair[A, B]] {
	return a.ZipWith(b, func(first A, second B) Pair[A, B] { return Pair[A, B]{first, second} })
}

// ZipWith runs e and then o, and has what f makes of both values.
func (e Effect[A]) ZipWith[B, C any](o Effect[B], f func(A, B) C) Effect[C] {
	return e.FlatMap(func(a A) Effect[C] {
		return o.Map(func(b B) C { return f(a, b) })
	})
}

// All runs the effects and has their values in order. See [ForEach].
func All[A any](effects []Effect[A], options ...CollectOption) Effect[[]A] {
	return ForEach(effects, func(e Effect[A]) Effect[A] { return e }, options...)
}
