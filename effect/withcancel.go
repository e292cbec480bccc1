package effect

import (
	"context"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
)

// WithCancel is the effect that f makes, on a fiber of its own that shares the goroutine. What it forks ends with it.
//
// cancel, which plain Go may call at any time and from any goroutine, interrupts it, as the cancellation of a context would
// with that cause. The effect then ends as interrupted, and so does WithCancel; around it that is an outcome that can be caught.
// Further calls, and those after the end, do nothing. (It is to effects what context.WithCancelCause is to contexts.)
//
// It can be interrupted so also where WithCancel itself cannot be. A panic of f is a defect.
func WithCancel[A any](f func(cancel context.CancelCauseFunc) Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		s := &cancellable{}
		e := Effect[A]{step: func(w *env) (A, *errors.Cause, step[A]) {
			e := f(s.cancel)
			return e.tail(w)
		}}
		return e.apart(v, &s.side)
	}}
}

// cancellable is a side that plain Go can interrupt, once.
type cancellable struct {
	side
	cancelled atomic.Bool
}

func (s *cancellable) cancel(cause error) {
	if s.cancelled.Swap(true) {
		return
	}
	if cause == nil {
		cause = context.Canceled
	}
	s.fiber.interrupt(errors.Interrupt{Kind: context.Canceled, Err: cause})
}

// apart runs e as s, a fiber that shares the goroutine of region v.
func (e *Effect[A]) apart(v *env, s *side) (A, *errors.Cause) {
	s.open(v)
	v.watch(&s.fiber, "part of a fiber")
	defer func() {
		s.fiber.unwatch()
		s.fiber.settle()
	}()
	a, c := e.life(&s.env)
	if v.kept = c == nil && s.env.kept; v.skips(c) {
		return *new(A), v.pending()
	}
	return a, c
}
