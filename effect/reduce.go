package effect

import "github.com/rivus/agentkit/errors"

// Reduce goes through the items in order: f makes the effect that has the next result of the one before and the item.
func Reduce[A, B any](items []A, first B, f func(B, A) Effect[B]) Effect[B] {
	return Effect[B]{eval: func(v *env) (zero B, _ *errors.Cause) {
		result := first
		for _, a := range items {
			if v.halted() {
				return zero, v.pending()
			}
			e := f(result, a)
			next, c := e.deeper(v)
			if c != nil {
				return zero, c
			}
			result = next
		}
		return result, nil
	}}
}
