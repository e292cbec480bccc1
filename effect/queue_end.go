package effect

import "github.com/rivus/agentkit/errors"

// Done is the failure of a take from a queue that was ended, and of a receive from a channel that was closed.
type Done struct{}

// Error says that there are no more values.
func (*Done) Error() string { return "no more values: the source has ended; stop taking from it" }

// Tag is "Done".
func (*Done) Tag() string { return "Done" }

// Is makes all of them the same.
func (*Done) Is(target error) bool {
	_, ok := target.(*Done)
	return ok
}

func isDone(c *errors.Cause) bool {
	err, _ := c.FindFail()
	_, ok := errors.AsType[*Done](err)
	return ok
}

// End ends the queue: what is left is still taken, and then takers fail with [*Done]. It tells whether the queue was open.
func (q *Queue[A]) End() Effect[bool] { return Sync(q.EndNow) }

// Fail ends the queue: what is left is still taken, and then takers fail with err. It tells whether the queue was open.
func (q *Queue[A]) Fail(err error) Effect[bool] { return q.FailCause(errors.FailCause(err)) }

// FailCause ends the queue: what is left is still taken, and then takers end with c. It tells whether the queue was open.
func (q *Queue[A]) FailCause(c *errors.Cause) Effect[bool] {
	return Sync(func() bool { return q.FailCauseNow(c) })
}

// Interrupt ends the queue: what is left is still taken, and then takers end as interrupted by the current fiber. It tells
// whether the queue was open.
func (q *Queue[A]) Interrupt() Effect[bool] {
	return CurrentID().Map(func(id errors.FiberID) bool { return q.FailCauseNow(errors.InterruptCause(id)) })
}

// Shutdown ends the queue at once: it drops what is left, refuses those who wait to offer, and interrupts those who wait to take.
// It tells whether the queue was not over before.
func (q *Queue[A]) Shutdown() Effect[bool] { return Sync(q.ShutdownNow) }

// Await waits until the queue is over. After [Queue.End] it succeeds, else it ends with the cause.
func (q *Queue[A]) Await() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		if c := q.over.await(v); c != nil {
			return u, c
		}
		if isDone(q.cause) {
			return u, nil
		}
		return u, q.cause
	}}
}

// IntoQueue runs e and ends q as e ended: by [Queue.End] after a success. The effect tells whether q was open. q ends also when
// e is interrupted.
func (e Effect[A]) IntoQueue[B any](q *Queue[B]) Effect[bool] {
	return Mask(func(restore Restore) Effect[bool] {
		return restore.On(e).MatchCauseEffect(q.FailCause, func(A) Effect[bool] { return q.End() })
	})
}

// EndNow is [Queue.End] for plain Go.
func (q *Queue[A]) EndNow() bool { return q.FailCauseNow(errors.FailCause(&Done{})) }

// FailCauseNow is [Queue.FailCause] for plain Go.
func (q *Queue[A]) FailCauseNow(c *errors.Cause) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.phase != phaseOpen {
		return false
	}
	q.phase, q.cause = phaseClosing, c
	q.settle()
	return true
}

// ShutdownNow is [Queue.Shutdown] for plain Go.
func (q *Queue[A]) ShutdownNow() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch q.phase {
	case phaseOver:
		return false
	case phaseOpen:
		q.cause = errors.InterruptCause(0)
	}
	q.buffer = deque[A]{}
	for place := q.offers.head; place != nil; place = place.next {
		place.value.who.wake()
	}
	q.offers = line[*offer[A]]{}
	q.finish()
	return true
}
