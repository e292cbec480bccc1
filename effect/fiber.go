package effect

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
)

// fiber is a unit of interruption and of child ownership. It is not a goroutine: a timeout, a side of a race and a nested Run
// are fibers on the goroutine they are on.
type fiber struct {
	id     errors.FiberID
	name   string
	exited event                 // its exit is visible; for one that has a handle
	host   *fiber                // whose goroutine this fiber is on, or for whom it works; nil for one that was forked
	parent atomic.Pointer[fiber] // whose child it is, until it is over
	root   bool                  // at a boundary: an interruption that was there before is noticed at the first step, not before it

	mu        sync.Mutex
	by        []errors.Interrupt // every one, in order
	over      bool
	forked    atomic.Bool // whether there ever was a child
	children  *fiber      // a list through prev and next
	prev      *fiber
	next      *fiber
	watched   atomic.Pointer[watched] // what a monitor sees; nil without one
	childless chan struct{}           // closed when the last child has left; made by who waits for it

	state    atomic.Uint32 // how the fiber is as a context: see fiberContext
	own      sleeper       // what it waits with
	around   *around       // what else interrupts it; nil: nothing
	standard context.Context
	cancel   context.CancelCauseFunc
}

var lastID atomic.Int64

func newID() errors.FiberID { return errors.FiberID(lastID.Add(1)) }

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

// childSince is a child that was forked after the given fiber and is not over; nil when there is none.
func (f *fiber) childSince(id errors.FiberID) *fiber {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k := f.children; k != nil; k = k.next {
		if k.id > id {
			return k
		}
	}
	return nil
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
	f.own.unhook()
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

// life runs e as the whole program of the fiber of v.
func (e *Effect[A]) life(v *env) (a A, c *errors.Cause) {
	if !v.fiber.root && v.uncatchable() { // interrupted before it began
		v.fiber.end()
		return a, v.pending()
	}
	returned := false
	defer func() {
		if !returned { // runtime.Goexit: nobody looks at the exit, but the children must go
			v.fiber.end()
		}
	}()
	a, c = e.protect(v)
	late := v.fiber.end()
	returned = true
	switch {
	case c == nil && v.kept && !late: // see halted
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

// hosts tells whether g is f, or is on a goroutine that f cannot go on without.
func (f *fiber) hosts(g *fiber) bool {
	for ; g != nil; g = g.host {
		if g == f {
			return true
		}
	}
	return false
}

// SelfWait is the defect of a fiber that waits for its own end.
type SelfWait struct {
	Fiber errors.FiberID // the one that was to wait for itself
}

// Error names the fiber.
func (e *SelfWait) Error() string {
	return "effect: fiber " + e.Fiber.String() + " waits for its own end, which would never come"
}

// refuseSelf is the defect of region v when it would wait for its own fiber.
func (f *fiber) refuseSelf(v *env) *errors.Cause {
	if f.hosts(v.fiber) && !f.ended() {
		return errors.DieCause(&SelfWait{f.id})
	}
	return nil
}
