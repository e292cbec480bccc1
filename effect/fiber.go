package effect

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rivus/agentkit/errors"
)

// fiber is a unit of interruption and of child ownership. It is not a goroutine: a timeout, a side of a race and a nested Run
// are fibers on the goroutine they are on.
type fiber struct {
	id   errors.FiberID
	name string
	root bool // at a boundary: an interruption that was there before is noticed at the first step, not before it

	mu        sync.Mutex
	by        []errors.Reason // every interruption, in order
	over      bool
	forked    atomic.Bool // whether there ever was a child
	children  *fiber      // a list through prev and next
	prev      *fiber
	next      *fiber
	childless chan struct{} // closed when the last child has left; made by who waits for it

	// A forked fiber is its own context: interrupting it is one atomic, and the standard context that others can derive from
	// exists only once somebody asks for it. A fiber on a goroutine that it shares has it from the start.
	hit      atomic.Bool
	standard context.Context
	cancel   context.CancelCauseFunc
}

var lastID atomic.Int64

func newID() errors.FiberID { return errors.FiberID(lastID.Add(1)) }

// asContext is the fiber as the context that its interruption cancels.
func (f *fiber) asContext() context.Context { return (*fiberContext)(f) }

type fiberContext fiber

func (f *fiberContext) Deadline() (t time.Time, ok bool) { return t, false }

func (f *fiberContext) Err() error {
	if f.hit.Load() {
		return context.Canceled
	}
	return nil
}

func (f *fiberContext) Done() <-chan struct{} { return (*fiber)(f).std().Done() }

// Value knows the standard cancellation only, and nothing while nobody has asked for it.
func (f *fiberContext) Value(key any) any {
	if !f.hit.Load() {
		f.mu.Lock()
		standard := f.standard
		f.mu.Unlock()
		if standard == nil {
			return nil
		}
	}
	return (*fiber)(f).std().Value(key)
}

// std is the standard context of the fiber.
func (f *fiber) std() context.Context {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.standard == nil {
		f.standard, f.cancel = context.WithCancelCause(context.Background())
		if len(f.by) > 0 {
			i := f.by[0].(errors.Interrupt)
			f.cancel(&i)
		}
	}
	return f.standard
}

// interrupt records i and cancels the fiber's context. It does not wait. A fiber that is over is left alone.
func (f *fiber) interrupt(i errors.Interrupt) {
	f.mu.Lock()
	if f.over {
		f.mu.Unlock()
		return
	}
	if !slices.ContainsFunc(f.by, func(r errors.Reason) bool { return r.(errors.Interrupt).By == i.By && i.By != 0 }) {
		f.by = append(f.by, i)
	}
	f.hit.Store(true)
	cancel := f.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel(&i)
	}
}

func (f *fiber) interruptors() []errors.Reason {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clip(f.by)
}

func (f *fiber) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.over
}

// adopt makes k a child of f; false when f is over.
func (f *fiber) adopt(k *fiber) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return false
	}
	f.forked.Store(true)
	k.next = f.children
	if f.children != nil {
		f.children.prev = k
	}
	f.children = k
	return true
}

// release lets the child k go.
func (f *fiber) release(k *fiber) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k.prev != nil {
		k.prev.next = k.next
	} else {
		f.children = k.next
	}
	if k.next != nil {
		k.next.prev = k.prev
	}
	k.prev, k.next = nil, nil
	if f.children == nil && f.childless != nil {
		close(f.childless)
		f.childless = nil
	}
}

// noChildren is closed once there are no children; nil when there are none now.
func (f *fiber) noChildren() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.children == nil {
		return nil
	}
	if f.childless == nil {
		f.childless = make(chan struct{})
	}
	return f.childless
}

// end stops the children and marks the fiber as over. It reports whether a further interruption arrived meanwhile.
func (f *fiber) end() (late bool) {
	f.mu.Lock()
	before := len(f.by)
	f.stopLocked()
	late = len(f.by) > before
	f.over = true
	f.mu.Unlock()
	return late
}

// stopChildren interrupts all children at once and waits for them.
func (f *fiber) stopChildren() {
	if !f.forked.Load() {
		return
	}
	f.mu.Lock()
	f.stopLocked()
	f.mu.Unlock()
}

// stopLocked unlocks while it waits, so that a child can fork one more as it ends.
func (f *fiber) stopLocked() {
	for f.children != nil {
		var all []*fiber
		for k := f.children; k != nil; k = k.next {
			all = append(all, k)
		}
		f.mu.Unlock()
		for _, k := range slices.Backward(all) { // oldest first
			k.interrupt(errors.Interrupt{By: f.id})
		}
		if gone := f.noChildren(); gone != nil {
			<-gone
		}
		f.mu.Lock()
	}
}

// settle cancels what Go code derived from the fiber's context, now that the fiber is over.
func (f *fiber) settle() {
	f.mu.Lock()
	cancel := f.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel(nil)
	}
}

// life runs e as the whole program of the fiber of v.
func (e *Effect[A]) life(v *env) (a A, c *errors.Cause) {
	if !v.fiber.root && v.uncatchable() { // interrupted before it began
		v.fiber.end()
		return a, v.pending()
	}
	a, c = e.protect(v)
	late := v.fiber.end()
	switch {
	case !v.uncatchable():
	case late || c == nil:
		c = v.pending()
	default:
		c = c.Combine(v.pending())
	}
	if c != nil {
		a = *new(A)
	}
	return a, c
}

// derive makes f a fiber on a goroutine that it shares: what interrupts region v interrupts f too, if anything does.
func (f *fiber) derive(v *env) {
	f.standard, f.cancel = context.WithCancelCause(v.base())
}

// base is what the context of a fiber inside region v derives from: the standard context behind it, so that cancellation is
// synchronous.
func (v *env) base() context.Context {
	if v.masked || v.done == nil {
		return context.Background()
	}
	if f, ok := v.done.(*fiberContext); ok {
		return (*fiber)(f).std()
	}
	return v.done
}
