package effect

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/errors"
)

// TimeoutError is the failure of [Effect.Timeout].
type TimeoutError struct{ After time.Duration }

// Error says after how long.
func (e *TimeoutError) Error() string { return fmt.Sprintf("Operation timed out after '%s'", e.After) }

// Tag is "TimeoutError".
func (e *TimeoutError) Tag() string { return "TimeoutError" }

// Is lets a timeout satisfy errors.Is with context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout is e, or the failure [TimeoutError] if it has not ended after d. It then interrupts e and waits for it, so that
// finalizers, and parts that cannot be interrupted, prolong it.
func (e Effect[A]) Timeout(d time.Duration) Effect[A] {
	return e.TimeoutOrElse(d, func() Effect[A] { return Fail[A](&TimeoutError{d}) })
}

// TimeoutOrElse is e, or the effect that f makes if e has not ended after d. See [Effect.Timeout].
func (e Effect[A]) TimeoutOrElse[F ~func() Effect[A]](d time.Duration, f F) Effect[A] {
	return Effect[A]{step: func(v *env) (zero A, _ *errors.Cause, _ step[A]) {
		t := &struct { // one allocation
			side  side
			token errors.Interrupt
		}{}
		t.token.By = v.fiber.id
		ctx, cancel := context.WithTimeoutCause(v.base(), d, &t.token)
		t.side.fiber.id = newID()
		t.side.env = env{fiber: &t.side.fiber, done: ctx, open: ctx, values: v.values, scope: v.scope,
			services: v.services, nested: v.nested, room: v.room}
		a, c := e.life(&t.side.env)
		expired := context.Cause(ctx) == error(&t.token)
		cancel()
		switch {
		case v.uncatchable():
			return zero, c.WithoutFails().Combine(v.pending()), nil
		case expired:
			next := f()
			return next.tail(v)
		}
		return a, c, nil
	}}
}
