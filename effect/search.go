package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Filter has the items for which the effect that keep makes is true, in order. See [ForEach] for how they run.
func Filter[A any](items []A, keep func(A) Effect[bool], options ...CollectOption) Effect[[]A] {
	return ForEach(items, keep, options...).Map(func(kept []bool) (out []A) {
		for i, k := range kept {
			if k {
				out = append(out, items[i])
			}
		}
		return out
	})
}

// FindFirst has the first item for which the effect that is makes is true, and does not look at those after it.
func FindFirst[A any](items []A, is func(A) Effect[bool]) Effect[mo.Option[A]] {
	return Effect[mo.Option[A]]{eval: func(v *env) (none mo.Option[A], _ *errors.Cause) {
		for _, a := range items {
			if v.halted() {
				return none, v.pending()
			}
			e := is(a)
			found, c := e.deeper(v)
			if c != nil {
				return none, c
			}
			if found {
				return mo.Some(a), nil
			}
		}
		return none, nil
	}}
}

// Head has the first value of e's list, or fails with [NoSuchElementError] when it is empty.
func Head[A any](e Effect[[]A]) Effect[A] {
	return e.FlatMap(func(list []A) Effect[A] {
		if len(list) == 0 {
			return Fail[A](&NoSuchElementError{"Head"})
		}
		return Succeed(list[0])
	})
}
