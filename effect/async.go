package effect

import (
	"runtime"
	"time"

	"github.com/rivus/agentkit/errors"
)

// Async is the effect of an operation that calls back (Effect's callback, v3's async). register starts it; the first call of
// resume, from any goroutine and also at once, gives the effect that it ends with, and later ones do nothing.
//
// The canceller that register returns runs only when the fiber is interrupted first, and is waited for.
func Async[A any](register func(resume func(Effect[A])) (canceller Effect[Unit])) Effect[A] {
	return Effect[A]{step: func(v *env) (zero A, _ *errors.Cause, _ step[A]) {
		resumed := make(chan Effect[A], 1)
		canceller := register(func(e Effect[A]) {
			select {
			case resumed <- e:
			default:
			}
		})
		var e Effect[A]
		w := v.fiber.watched.Load()
		w.begin()
		select {
		case e = <-resumed:
			w.end()
		case <-v.Done():
			w.end()
			select {
			case e = <-resumed: // it was over before: there is nothing to cancel
			default:
				_, c := canceller.protect(v.mask())
				return zero, meet(v.pending(), c), nil
			}
		}
		if v.stopped() {
			return zero, v.pending(), nil
		}
		return e.tail(v)
	}}
}

// Sleep waits for d. Zero and less is no wait.
func Sleep(d time.Duration) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, v.pause(d) }}
}

func (v *env) pause(d time.Duration) *errors.Cause {
	if d <= 0 {
		return nil
	}
	if w := v.fiber.watched.Load(); w != nil {
		w.begin()
		defer w.end()
	}
	if v.done == nil {
		time.Sleep(d)
		return nil
	}
	if v.tied(d) {
		return v.pauseToDeadline(d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-v.done.Done():
	}
	if v.stopped() {
		return v.pending()
	}
	return nil
}

// Never is the effect that waits until it is interrupted.
func Never[A any]() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		s := v.sleeper()
		defer s.rest()
		return a, v.sleep(s)
	}}
}

// YieldNow lets other fibers run. Fibers are goroutines: programs do not need it to be fair.
func YieldNow() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		runtime.Gosched()
		if v.stopped() {
			return u, v.pending()
		}
		return u, nil
	}}
}
