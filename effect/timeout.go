package effect

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// TimeoutError is the failure of [Effect.Timeout].
type TimeoutError struct {
	After time.Duration // how long it had
}

// Error says after how long.
func (e *TimeoutError) Error() string { return fmt.Sprintf("Operation timed out after '%s'", e.After) }

// Tag is "TimeoutError".
func (e *TimeoutError) Tag() string { return "TimeoutError" }

// Is lets a timeout satisfy errors.Is with context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout is e, or the failure [TimeoutError] if it has not ended after d. It then interrupts e and waits for it, so that
// finalizers, and parts that cannot be interrupted, prolong it. With a d of zero or less e has until it first waits; a
// millisecond if it never does.
//
// e can be interrupted by the timeout also where Timeout itself cannot be.
func (e Effect[A]) Timeout(d time.Duration) Effect[A] {
	return e.TimeoutOrElse(d, func() Effect[A] { return Fail[A](&TimeoutError{d}) })
}

// TimeoutOption is e's value, or none if e has not ended after d. See [Effect.Timeout].
func TimeoutOption[A any](e Effect[A], d time.Duration) Effect[mo.Option[A]] {
	return e.Map(mo.Some[A]).TimeoutOrElse(d, func() Effect[mo.Option[A]] { return Succeed(mo.None[A]()) })
}

// TimeoutOrElse is e, or the effect that f makes if e has not ended after d. See [Effect.Timeout].
func (e Effect[A]) TimeoutOrElse[F ~func() Effect[A]](d time.Duration, f F) Effect[A] {
	return Effect[A]{step: func(v *env) (zero A, _ *errors.Cause, _ step[A]) {
		e := e
		t := &timed{}
		t.open(v, d)
		defer t.close() // also on runtime.Goexit
		a, c := e.life(&t.env)
		v.kept = c == nil && t.env.kept
		switch {
		case v.skips(c):
			return zero, v.skip(c), nil
		case c != nil && t.fired(): // a success came before the deadline
			next := f()
			return next.tail(v)
		}
		return a, c, nil
	}}
}

// timed is a fiber with a deadline, on the goroutine of the region around it.
type timed struct{ side }

func (t *timed) open(v *env, d time.Duration) {
	t.side.open(v)
	t.fiber.watched.Store(v.fiber.watched.Load()) // it is shown as a part of the fiber around it
	t.around.token.By = v.fiber.id
	t.around.deadline = time.Now().Add(d)
	if d <= 0 {
		d = grace
	}
	t.around.timer = time.AfterFunc(d, t.expire)
}

// grace is for an effect without time that never waits. One that waits finds the standard context, made then, expired.
const grace = time.Millisecond

func (t *timed) expire() { t.fiber.interruptBy(t.around.token, interrupted|expired) }

// fired tells whether the deadline interrupted the fiber.
func (t *timed) fired() bool {
	switch s := t.fiber.state.Load(); {
	case s&standard != 0:
		return context.Cause(t.fiber.standard) == error(&t.around.token)
	default:
		return s&expired != 0
	}
}

func (t *timed) close() {
	if t.around.timer != nil {
		t.around.timer.Stop()
	}
	t.fiber.settle()
}
