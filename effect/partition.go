package effect

import (
	"fmt"

	"github.com/samber/mo"
)

// Partitioned is what became of the items of [Partition], each list in the order of the items.
type Partitioned[B any] struct {
	Successes []B     // in the order of their items
	Failures  []error // in the order of their items
}

// Partition runs the effect that f makes of each item, all of them whatever fails, and has the values and the failures apart
// (Effect's partition, whose pair has the successes first since version 4.1). Defects and interruptions stop it as they stop
// [ForEach].
func Partition[A, B any](items []A, f func(A) Effect[B], options ...CollectOption) Effect[Partitioned[B]] {
	results := ForEach(items, func(a A) Effect[mo.Result[B]] { return ResultOf(f(a)) }, options...)
	return results.Map(func(results []mo.Result[B]) (p Partitioned[B]) {
		for _, r := range results {
			if b, err := r.Get(); err != nil {
				p.Failures = append(p.Failures, err)
			} else {
				p.Successes = append(p.Successes, b)
			}
		}
		return p
	})
}

// ValidationError is the failure of [Validate]: what failed, in the order of the items.
type ValidationError struct {
	Failures []error // one at least
	Items    int     // how many items there were
}

// Error counts the failures and gives the first.
func (e *ValidationError) Error() string {
	return fmt.Sprintf("%d of %d items failed, the first with: %v; Failures has them all", len(e.Failures), e.Items, e.Failures[0])
}

// Tag is "ValidationError".
func (e *ValidationError) Tag() string { return "ValidationError" }

// Unwrap lets errors.Is and errors.As see the failures.
func (e *ValidationError) Unwrap() []error { return e.Failures }

// Validate runs the effect that f makes of each item, all of them whatever fails, and has their values, or the failure
// [ValidationError] with all the failures there were (Effect's validate, v3's validateAll). Defects and interruptions stop it as
// they stop [ForEach].
func Validate[A, B any](items []A, f func(A) Effect[B], options ...CollectOption) Effect[[]B] {
	return Partition(items, f, options...).FlatMap(func(p Partitioned[B]) Effect[[]B] {
		if len(p.Failures) > 0 {
			return Fail[[]B](&ValidationError{p.Failures, len(items)})
		}
		return Succeed(p.Successes)
	})
}
