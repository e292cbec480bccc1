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
// finalizers, and parts that cannot be interrupted, prolong it. With a d of zero or less e has until it first waits,
// or for a millisecond.
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
	t.around.deadline, t.around.limit = time.Now().Add(d), d
	if d <= 0 {
		d = grace
	}
	t.around.timer = time.AfterFunc(d, t.expire)
}

// grace is how long an effect may go on after its deadline that does not wait: as soon as it waits, the standard context is made,
// and that has expired.
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

// tied tells whether a pause of d ends at the very instant of the deadline of the region's fiber. That happens in virtual time.
func (v *env) tied(d time.Duration) bool {
	a := v.fiber.around
	return a != nil && a.timer != nil && v.done == v.fiber.asContext() && time.Now().Add(d).Equal(a.deadline)
}

// pauseToDeadline is pause for d, which ends at the deadline of the region's fiber. A timeout is a race with a sleep, and of two
// that end at one instant the one that began first wins: a pause with which the effect begins, and then the effect goes on until
// it waits again; else the deadline.
func (v *env) pauseToDeadline(d time.Duration) *errors.Cause {
	f, a := v.fiber, v.fiber.around
	if d != a.limit || !a.timer.Stop() {
		<-v.done.Done()
		return v.pending()
	}
	var stop <-chan struct{}
	if a.outer != nil {
		stop = a.outer.Done()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-stop:
	}
	f.mu.Lock()
	if f.state.Load()&standard == 0 {
		a.timer.Reset(max(time.Until(a.deadline), grace))
	}
	f.mu.Unlock()
	if v.stopped() {
		return v.pending()
	}
	return nil
}
