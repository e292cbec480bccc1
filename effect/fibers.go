package effect

import (
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
)

// Effects over several fibers. Those of different types take one call for each type.

// JoinAll has the values of all fibers, in their order. It ends with the cause of the first one, in time, that has none, and
// leaves the others alone (Effect's Fiber.joinAll).
func JoinAll[A any](fibers []*Fiber[A]) Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		for _, f := range fibers {
			if c := f.core.refuseSelf(v); c != nil {
				return nil, c
			}
		}
		j := &joining[A]{values: make([]A, len(fibers))}
		j.left.Store(int64(len(fibers)))
		removers := make([]func(), len(fibers))
		for i, f := range fibers {
			removers[i] = f.Observe(func(x Exit[A]) { j.ended(i, x) })
		}
		defer func() {
			for _, remove := range removers {
				remove()
			}
		}()
		if len(fibers) == 0 {
			return j.values, nil
		}
		if c := j.over.await(v); c != nil {
			return nil, c
		}
		if c := j.cause.Load(); c != nil {
			return nil, c
		}
		return j.values, nil
	}}
}

// joining is a JoinAll under way.
type joining[A any] struct {
	values []A
	left   atomic.Int64
	cause  atomic.Pointer[errors.Cause]
	over   event
}

func (j *joining[A]) ended(i int, x Exit[A]) {
	if x.Cause != nil {
		if j.cause.CompareAndSwap(nil, x.Cause) {
			j.over.happen()
		}
		return
	}
	j.values[i] = x.Value
	if j.left.Add(-1) == 0 {
		j.over.happen()
	}
}

// AwaitAll has the exits of all fibers, in their order, once all are over (Effect's Fiber.awaitAll).
func AwaitAll[A any](fibers []*Fiber[A]) Effect[[]Exit[A]] {
	return Effect[[]Exit[A]]{eval: func(v *env) ([]Exit[A], *errors.Cause) {
		exits := make([]Exit[A], len(fibers))
		for i, f := range fibers {
			x, c := f.await(v)
			if c != nil {
				return nil, c
			}
			exits[i] = x
		}
		return exits, nil
	}}
}

// InterruptAll asks all fibers to stop, and then waits until all are over. See [Fiber.Interrupt] (Effect's Fiber.interruptAll).
func InterruptAll[A any](fibers []*Fiber[A]) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, interruptAll(v, fibers, v.fiber.id) }}
}

// InterruptAllAs is [InterruptAll] in the name of another fiber.
func InterruptAllAs[A any](fibers []*Fiber[A], by errors.FiberID) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, interruptAll(v, fibers, by) }}
}

func interruptAll[A any](v *env, fibers []*Fiber[A], by errors.FiberID) *errors.Cause {
	for _, f := range fibers {
		f.core.interrupt(errors.Interrupt{By: by})
	}
	for _, f := range fibers {
		if c := f.waitEnd(v); c != nil {
			return c
		}
	}
	return nil
}

// AwaitAllChildren is e, and then waits for the fibers that were forked as children of this one meanwhile, however e ended.
// They are not interrupted. Interrupting the waiting ends it; the children then end with their parent (Effect's
// awaitAllChildren).
func AwaitAllChildren[A any](e Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
		since := errors.FiberID(lastID.Load())
		a, c = e.protect(v)
		for {
			child := v.fiber.childSince(since)
			if child == nil {
				return a, c
			}
			if stop := child.exited.await(v); stop != nil {
				return *new(A), c.Combine(stop)
			}
		}
	}}
}
