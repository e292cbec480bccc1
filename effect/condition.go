package effect

import "github.com/samber/mo"

// When runs condition, and then e if it is true; without it the value is none. A failure of the condition is the end (Effect's
// when, v3's whenEffect).
func When[A any](e Effect[A], condition Effect[bool]) Effect[mo.Option[A]] {
	return condition.FlatMap(func(hold bool) Effect[mo.Option[A]] {
		if hold {
			return AsSome(e)
		}
		return Succeed(mo.None[A]())
	})
}

// FilterOrFail is e, or the failure that orFail makes of its value, when the predicate does not hold for it. With a nil orFail
// the failure is [NoSuchElementError].
func (e Effect[A]) FilterOrFail[F ~func(A) error](predicate func(A) bool, orFail F) Effect[A] {
	return e.FilterOrElse(predicate, func(a A) Effect[A] {
		if orFail == nil {
			return Fail[A](&NoSuchElementError{"FilterOrFail"})
		}
		return Fail[A](orFail(a))
	})
}

// FilterOrElse is e, or the effect that orElse makes of its value, when the predicate does not hold for it.
func (e Effect[A]) FilterOrElse[F ~func(A) Effect[A]](predicate func(A) bool, orElse F) Effect[A] {
	return e.FlatMap(func(a A) Effect[A] {
		if predicate(a) {
			return Succeed(a)
		}
		return orElse(a)
	})
}
