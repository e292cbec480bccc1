package effect

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
)

// CollectOption says how many items a collection runs at once. The default is one after the other, on the current fiber.
type CollectOption struct{ limit int }

// Unbounded runs all items at once.
var Unbounded = CollectOption{limit: unbounded}

// unbounded is the limit of a collection that has none.
const unbounded = math.MinInt

// Concurrency runs up to n items at once, each as soon as there is a place for it. An n below one is a defect of the effect that
// takes it.
func Concurrency(n int) CollectOption { return CollectOption{limit: n} }

// ForEach runs the effect that f makes of each item and has their values, in the order of the items.
//
// One after the other, f is called when the effects before it have ended, and the first that does not succeed is the end. With
// [Concurrency] or [Unbounded], it interrupts those that run, and those that have not started do not; ForEach waits for
// all of them. The reasons that the others add, interruptions aside, come after the first one's. Items inherit the
// interruptibility of ForEach.
func ForEach[A, B any](items []A, f func(A) Effect[B], options ...CollectOption) Effect[[]B] {
	return Effect[[]B]{eval: func(v *env) ([]B, *errors.Cause) {
		out := make([]B, len(items))
		c := forEach(v, items, options, func(v *env, i int) *errors.Cause {
			e := f(items[i])
			b, c := e.deeper(v)
			if c == nil {
				out[i] = b
			}
			return c
		})
		if c != nil {
			return nil, c
		}
		return out, nil
	}}
}

// ForEachDiscard is [ForEach] without the values.
func ForEachDiscard[A, B any](items []A, f func(A) Effect[B], options ...CollectOption) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		return u, forEach(v, items, options, func(v *env, i int) *errors.Cause {
			e := f(items[i])
			_, c := e.deeper(v)
			return c
		})
	}}
}

// forEach calls run for the index of each item.
func forEach[A any](v *env, items []A, options []CollectOption, run func(v *env, i int) *errors.Cause) *errors.Cause {
	limit := 1
	for _, o := range options {
		limit = o.limit
	}
	switch {
	case limit == unbounded:
		limit = len(items)
	case limit < 1:
		return errors.DieCause(fmt.Errorf("effect.Concurrency(%d): at least one item must run at a time", limit))
	}
	if len(items) == 0 {
		return nil
	}
	if limit == 1 {
		for i := range items {
			if i > 0 && v.stopped() {
				return v.pending()
			}
			if c := run(v, i); c != nil {
				return c
			}
		}
		return nil
	}
	c := newCrew(v, len(items), run)
	return c.work(min(limit, len(items)))
}

// crew is the workers of one concurrent collection. They pull the index of the next item.
type crew struct {
	v     *env
	run   func(v *env, i int) *errors.Cause
	size  int
	next  atomic.Int64
	hands sync.WaitGroup
	group fiber // what interrupts all of them

	mu     sync.Mutex
	failed bool
	cause  *errors.Cause
}

// worker is a fiber: what an item forks ends with the item.
type worker struct {
	fiber fiber
	env   env
}

func newCrew(v *env, size int, run func(*env, int) *errors.Cause) *crew {
	c := &crew{v: v, run: run, size: size}
	c.group.id = newID()
	c.group.derive(v)
	return c
}

func (c *crew) work(n int) (cause *errors.Cause) {
	workers := make([]worker, n)
	for i := range workers {
		w := &workers[i]
		w.fiber.id = newID()
		w.env = env{fiber: &w.fiber, open: c.group.standard, values: c.v.values, scope: c.v.scope, services: c.v.services,
			masked: c.v.masked, nested: c.v.nested, room: fullRoom}
		if !c.v.masked {
			w.env.done = w.env.open
		}
	}
	defer func() {
		c.hands.Wait()
		c.group.settle()
		switch {
		case c.v.uncatchable():
			cause = c.v.pending()
		case c.failed:
			cause = c.cause.Elect()
		}
	}()
	for i := 1; i < n; i++ { // the first one works here
		c.hands.Go(func() { c.pull(&workers[i]) })
	}
	workers[0].env.room = c.v.room
	c.pull(&workers[0])
	return nil
}

// pull runs items until there are no more, or one does not succeed.
func (c *crew) pull(w *worker) {
	cause := goexit // unless it returns
	defer func() {
		if r := recover(); r != nil {
			cause = errors.Recovered(r)
		}
		w.fiber.end()
		if cause != nil {
			c.fail(cause)
		}
	}()
	for {
		i := int(c.next.Add(1)) - 1
		if i >= c.size {
			cause = nil
			return
		}
		if w.env.stopped() {
			cause = w.env.pending()
			return
		}
		if cause = c.run(&w.env, i); cause != nil {
			return
		}
		cause = goexit
		w.fiber.stopChildren()
	}
}

func (c *crew) fail(cause *errors.Cause) {
	c.mu.Lock()
	first := !c.failed
	if first {
		c.failed, c.cause = true, cause
		c.next.Store(int64(c.size)) // what has not started does not
	} else {
		c.cause = c.cause.Concat(cause.WithoutInterrupts())
	}
	c.mu.Unlock()
	if first {
		c.group.interrupt(errors.Interrupt{By: c.v.fiber.id})
	}
}
