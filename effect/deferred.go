package effect

import "github.com/rivus/agentkit/errors"

// Deferred is a variable that is set once and can be waited for. All waiters see the same outcome.
type Deferred[A any] struct {
	set    event
	effect Effect[A]
}

// NewDeferred is a Deferred that is not set.
func NewDeferred[A any]() *Deferred[A] { return &Deferred[A]{} }

// Await ends as the Deferred was set, once it is. Waiting can be interrupted.
func (d *Deferred[A]) Await() Effect[A] {
	return Effect[A]{step: func(v *env) (zero A, _ *errors.Cause, _ step[A]) {
		if c := d.set.await(v); c != nil {
			return zero, c, nil
		}
		return d.effect.tail(v)
	}}
}

// Succeed sets it to the value a; false when it was set before, as with all that set it.
func (d *Deferred[A]) Succeed(a A) Effect[bool] { return d.CompleteWith(Succeed(a)) }

// Fail sets it to a failure.
func (d *Deferred[A]) Fail(err error) Effect[bool] { return d.CompleteWith(Fail[A](err)) }

// Die sets it to a defect.
func (d *Deferred[A]) Die(defect any) Effect[bool] { return d.CompleteWith(Die[A](defect)) }

// FailCause sets it to a cause.
func (d *Deferred[A]) FailCause(c *errors.Cause) Effect[bool] { return d.CompleteWith(FailCause[A](c)) }

// Done sets it to an exit.
func (d *Deferred[A]) Done(x Exit[A]) Effect[bool] { return d.CompleteWith(x.Effect()) }

// Interrupt sets it to an interruption by the current fiber.
func (d *Deferred[A]) Interrupt() Effect[bool] {
	return CurrentID().Map(func(id errors.FiberID) bool {
		return d.CompleteNow(FailCause[A](errors.InterruptCause(id)))
	})
}

// Complete is [Into]. When d is set already, e does not run.
func (d *Deferred[A]) Complete(e Effect[A]) Effect[bool] {
	return Suspend(func() Effect[bool] {
		if _, isSet := d.Poll(); isSet {
			return Succeed(false)
		}
		return Into(e, d)
	})
}

// CompleteWith sets it to e itself, which each waiter then runs.
func (d *Deferred[A]) CompleteWith(e Effect[A]) Effect[bool] {
	return Effect[bool]{eval: func(*env) (bool, *errors.Cause) { return d.CompleteNow(e), nil }}
}

// CompleteNow is [Deferred.CompleteWith] for plain Go.
func (d *Deferred[A]) CompleteNow(e Effect[A]) bool {
	d.set.mu.Lock()
	isFirst := !d.set.happenedLocked()
	if isFirst {
		d.effect = e
		d.set.happenLocked()
	}
	d.set.mu.Unlock()
	return isFirst
}

// Poll is the effect that it was set to, for plain Go; false when it is not set. (Effect's poll is an effect of an option:
// such a method's type would contain itself.)
func (d *Deferred[A]) Poll() (e Effect[A], isSet bool) {
	d.set.mu.Lock()
	defer d.set.mu.Unlock()
	return d.effect, d.set.happenedLocked()
}

// IsDone tells whether it is set.
func (d *Deferred[A]) IsDone() Effect[bool] {
	return Sync(func() bool {
		_, isSet := d.Poll()
		return isSet
	})
}

// Into runs e and sets d to its exit, also when e is interrupted; the effect tells whether it was set now.
func Into[A any](e Effect[A], d *Deferred[A]) Effect[bool] {
	return Mask(func(restore Restore) Effect[bool] {
		return restore.On(e).MatchCauseEffect(d.FailCause, d.Succeed)
	})
}
