package effect

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
	"golang.org/x/sys/cpu"
)

// CollectOption says how many items a collection runs at once. The default is one after the other, on the current fiber.
type CollectOption struct {
	limit     int
	unbounded bool
}

// Unbounded runs all items at once.
var Unbounded = CollectOption{unbounded: true}

// Concurrency runs up to n items at once, each as soon as there is a place for it. An n below one is a defect of the effect that
// takes it.
func Concurrency(n int) CollectOption { return CollectOption{limit: n} }

// ForEach runs the effect that f makes of each item and has their values, in the order of the items.
//
// One after the other, f is called when the effects before it have ended, and the first that does not succeed is the end. With
// [Concurrency] or [Unbounded], it interrupts those that run, and those that have not started do not; ForEach waits for
// all of them. The reasons that the others add, interruptions aside, come after the first one's; those of all items come after
// an interruption from outside. Items inherit the interruptibility of ForEach.
func ForEach[A, B any](items []A, f func(A) Effect[B], options ...CollectOption) Effect[[]B] {
	return Effect[[]B]{eval: func(v *env) ([]B, *errors.Cause) {
		out := make([]B, len(items))
		c := forEach(v, len(items), options, func(v *env, i int) *errors.Cause {
			e := f(items[i])
			if e.known() {
				out[i] = e.value
				return nil
			}
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
		return u, forEach(v, len(items), options, func(v *env, i int) *errors.Cause {
			e := f(items[i])
			_, c := e.deeper(v)
			return c
		})
	}}
}

// forEach calls run for the indices below n.
func forEach(v *env, n int, options []CollectOption, run func(v *env, i int) *errors.Cause) *errors.Cause {
	o := CollectOption{limit: 1}
	if len(options) > 0 {
		o = options[len(options)-1]
	}
	switch {
	case o.unbounded:
		o.limit = n
	case o.limit < 1:
		return errors.DieCause(fmt.Errorf("effect.Concurrency(%d): at least one item must run at a time", o.limit))
	}
	if n <= 0 {
		return nil
	}
	if o.limit > 1 || o.unbounded {
		return newCrew(v, n, run).work(min(o.limit, n))
	}
	for i := range n {
		if i > 0 && v.halted() {
			return v.pending()
		}
		if c := run(v, i); c != nil {
			return c
		}
	}
	return nil
}

// crew is the workers of one concurrent collection. They pull the index of the next item.
type crew struct {
	_      cpu.CacheLinePad // all workers write to next: what they only read must not be beside it
	next   atomic.Int64
	_      cpu.CacheLinePad
	v      *env
	run    func(v *env, i int) *errors.Cause
	size   int
	hands  sync.WaitGroup
	group  fiber // what interrupts all of them
	around around

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
	c.group.open(v, &c.around)
	return c
}

func (c *crew) work(n int) (cause *errors.Cause) {
	workers := make([]worker, n)
	for i := range workers {
		w := &workers[i]
		w.fiber.id, w.fiber.host = newID(), c.v.fiber
		w.env = c.v.inside(&w.fiber)
		w.env.open = c.group.asContext()
		if c.v.masked {
			w.env.masked, w.env.done = true, c.v.done
		} else {
			w.env.done = w.env.open
		}
		if i > 0 {
			w.env.room = fullRoom
		}
		c.v.watch(&w.fiber, "worker of a collection")
	}
	defer func() {
		c.hands.Wait()
		c.group.settle()
		switch {
		case c.v.uncatchable():
			cause = meet(c.v.pending(), c.cause.WithoutInterrupts())
		case c.failed:
			cause = c.cause.Elect()
		}
	}()
	for i := 1; i < n; i++ { // the first one works here
		c.hands.Go(func() {
			workers[i].env.label()
			c.pull(&workers[i])
		})
	}
	c.pull(&workers[0])
	return nil
}

// pull runs items until there are no more, or one does not succeed.
func (c *crew) pull(w *worker) {
	cause := goexit // unless it returns
	defer func() {
		if r := recover(); r != nil {
			cause = w.env.recovered(r)
		}
		w.fiber.end()
		w.fiber.unwatch()
		if cause != nil {
			c.fail(cause)
		}
	}()
	for run, size := c.run, c.size; ; {
		i := int(c.next.Add(1)) - 1
		if i >= size {
			cause = nil
			return
		}
		if w.env.halted() {
			cause = w.env.pending()
			return
		}
		if failed := run(&w.env, i); failed != nil {
			cause = failed
			return
		}
		if w.fiber.forked.Load() {
			w.fiber.stopChildren()
		}
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
