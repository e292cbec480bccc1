package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// joint is work in common: one evaluation that several fibers wait for. It runs on a fiber of its own, so that it survives the
// interruption of the one that began it. When the last of those who wait has left, it is interrupted.
type joint[A any] struct {
	lock    *sync.Mutex            // the owner's: it guards waiting and settled
	settled func(A, *errors.Cause) // called once under the lock, when the outcome is known; then nil
	waiting int
	task    *task
	over    event
	value   A             // set when it is over
	cause   *errors.Cause // as well
}

// startJoint begins to evaluate run with the services and values of v, once before (if any) is over. The caller holds the lock.
//
// What is acquired goes into the scope fill, which closes if run does not succeed; without one, into that of v. settled learns
// the outcome first, under the lock. Work that everybody has left is an interruption from then on, even if it takes a while
// to end.
func startJoint[A any](
	v *env, fill *scope.Scope, lock *sync.Mutex, before *joint[A],
	run func(*env) (A, *errors.Cause), settled func(A, *errors.Cause),
) *joint[A] {
	j := &joint[A]{lock: lock, settled: settled}
	j.task = v.task(launch{}, fill, func(w *env) (c *errors.Cause) {
		if before != nil {
			if c := before.over.await(w); c != nil {
				return c
			}
		}
		j.value, c = run(w)
		return c
	})
	go func() {
		j.cause = goexit // unless it returns
		defer j.end(fill)
		j.cause = j.task.run()
	}()
	return j
}

func (j *joint[A]) end(fill *scope.Scope) {
	if j.cause != nil {
		j.value = *new(A)
		if fill != nil {
			j.cause = meet(j.cause, j.task.env.closing(fill, scope.Exit{Cause: j.cause}))
		}
	}
	j.lock.Lock()
	j.settle(j.value, j.cause)
	j.lock.Unlock()
	j.over.happen()
}

func (j *joint[A]) settle(a A, c *errors.Cause) {
	if f := j.settled; f != nil {
		j.settled = nil
		f(a, c)
	}
}

// wait is the outcome for one of those who wait, and was counted under the lock. If an interruption makes the last one leave, it
// stops the work and waits for its end.
func (j *joint[A]) wait(v *env) (a A, c *errors.Cause) {
	c = j.over.await(v)
	if j.leave(v.fiber.id) {
		j.stop(v.fiber.id)
	}
	if c != nil {
		return a, c
	}
	return j.value, j.cause
}

// leave counts one who waits no more. It tells whether that was the last one, of work that is not over: who left has to stop it.
func (j *joint[A]) leave(by errors.FiberID) (abandoned bool) {
	j.lock.Lock()
	defer j.lock.Unlock()
	j.waiting--
	abandoned = j.waiting == 0 && j.settled != nil
	if abandoned {
		j.settle(*new(A), errors.InterruptCause(by))
	}
	return abandoned
}

// stop interrupts the work and waits for its end.
func (j *joint[A]) stop(by errors.FiberID) {
	j.task.core.interrupt(errors.Interrupt{By: by})
	<-j.over.done()
}
