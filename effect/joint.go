package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// joint is work in common: one evaluation that several fibers wait for. It runs on a fiber of its own, so that it survives the
// interruption of the one that began it. When the last of those who wait has left, it is interrupted.
type joint[A any] struct {
	lock    *sync.Mutex   // the owner's: it guards waiting and settled
	settled func(Exit[A]) // called once under the lock, when the outcome is known; then nil
	waiting int
	fiber   *Fiber[A]
	done    chan struct{}
	exit    Exit[A] // set when done is closed
}

// startJoint begins e with the services and values of v, once before (if any) is over. The caller holds the lock.
//
// What e acquires goes into the scope fill, which closes if e does not succeed; without one, into that of v. settled learns
// the outcome first, under the lock. Work that everybody has left is an interruption from then on, even if it takes a while
// to end.
func startJoint[A any](v *env, fill *scope.Scope, lock *sync.Mutex, before *joint[A], e Effect[A], settled func(Exit[A])) *joint[A] {
	j := &joint[A]{lock: lock, settled: settled, done: make(chan struct{})}
	j.fiber = newFiber[A](v, launch{})
	if fill != nil {
		j.fiber.env.scope = fill
	}
	if before != nil {
		next := e
		e = Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
			if c := v.wait(before.done); c != nil {
				return a, c
			}
			return next.exec(v)
		}}
	}
	region := newFiber[Unit](v, launch{masked: true}) // for what closes fill
	go func() {
		defer j.end(fill, region)
		j.fiber.main(e)
	}()
	return j
}

func (j *joint[A]) end(fill *scope.Scope, closer *Fiber[Unit]) {
	j.exit = j.fiber.exit
	if fill != nil && j.exit.Cause != nil {
		closer.main(CloseScope(fill, exitForScope(j.exit.Value, j.exit.Cause)))
		j.exit.Cause = meet(j.exit.Cause, closer.exit.Cause)
	}
	j.lock.Lock()
	j.settle(j.exit)
	close(j.done)
	j.lock.Unlock()
}

func (j *joint[A]) settle(x Exit[A]) {
	if f := j.settled; f != nil {
		j.settled = nil
		f(x)
	}
}

// wait is the outcome for one of those who wait, and was counted under the lock. If an interruption makes the last one leave, it
// stops the work and waits for its end.
func (j *joint[A]) wait(v *env) (a A, c *errors.Cause) {
	c = v.wait(j.done)
	j.lock.Lock()
	j.waiting--
	abandoned := c != nil && j.waiting == 0 && j.settled != nil
	if abandoned {
		j.settle(ExitInterrupt[A](v.fiber.id))
	}
	j.lock.Unlock()
	if abandoned {
		j.stop(v.fiber.id)
	}
	if c != nil {
		return a, c
	}
	return j.exit.Value, j.exit.Cause
}

// stop interrupts the work and waits for its end.
func (j *joint[A]) stop(by errors.FiberID) {
	j.fiber.core.interrupt(errors.Interrupt{By: by})
	<-j.done
}
