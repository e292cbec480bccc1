package effect

import (
	"fmt"
	"math"
	"sync"

	"github.com/rivus/agentkit/errors"
)

// PubSub hands each value that is published to all who subscribe at the time (Effect's PubSub). All its methods may be called by
// any number at once.
//
// A value takes room until all subscribers have taken it, so that the slowest one decides what a full PubSub does. Where nobody
// subscribes, a value is published as soon as it is offered, and gone but for what is replayed.
type PubSub[A any] struct {
	capacity int // math.MaxInt: unbounded
	overflow overflow
	replay   int

	mu            sync.Mutex
	log           deque[published[A]] // what some subscriber has not taken
	first         int                 // the number of the log's first value
	recent        deque[A]            // the last values, as many as are replayed
	subscriptions map[*Subscription[A]]struct{}
	publishers    line[*publisher[A]]
	last          *A    // after End
	over          event // shut down
	isOver        bool
}

type published[A any] struct {
	value A
	left  int // how many subscribers have not taken it
}

// PubSubOption changes a PubSub as it is made.
type PubSubOption struct{ replay int }

// Replay gives each new subscriber the last n values first, also when they were published before anybody had subscribed.
func Replay(n int) PubSubOption { return PubSubOption{replay: n} }

// NewBoundedPubSub is a PubSub of so many values at most: who publishes to a full one waits. A capacity below one panics, here and
// in the others.
func NewBoundedPubSub[A any](capacity int, options ...PubSubOption) *PubSub[A] {
	return newPubSub[A](capacity, suspends, options)
}

// NewDroppingPubSub is a PubSub of so many values at most that refuses what is published to it when it is full.
func NewDroppingPubSub[A any](capacity int, options ...PubSubOption) *PubSub[A] {
	return newPubSub[A](capacity, drops, options)
}

// NewSlidingPubSub is a PubSub of so many values at most that drops its oldest one, for those who have not taken it, when one more
// is published.
func NewSlidingPubSub[A any](capacity int, options ...PubSubOption) *PubSub[A] {
	return newPubSub[A](capacity, slides, options)
}

// NewUnboundedPubSub is a PubSub that is never full.
func NewUnboundedPubSub[A any](options ...PubSubOption) *PubSub[A] {
	return newPubSub[A](math.MaxInt, suspends, options)
}

func newPubSub[A any](capacity int, o overflow, options []PubSubOption) *PubSub[A] {
	if capacity < 1 {
		panic(fmt.Sprintf("effect: a PubSub of capacity %d", capacity))
	}
	p := &PubSub[A]{capacity: capacity, overflow: o, subscriptions: map[*Subscription[A]]struct{}{}}
	for _, o := range options {
		p.replay = o.replay
	}
	return p
}

// Capacity is how many values there is room for; math.MaxInt when it is unbounded.
func (p *PubSub[A]) Capacity() int { return p.capacity }

// Size is how many values some subscriber has not taken.
func (p *PubSub[A]) Size() Effect[int] { return Sync(p.SizeNow) }

// SizeNow is [PubSub.Size] for plain Go.
func (p *PubSub[A]) SizeNow() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.size
}

// IsFull tells whether there is no room.
func (p *PubSub[A]) IsFull() Effect[bool] {
	return Sync(func() bool { return p.SizeNow() >= p.capacity })
}

// IsEmpty tells whether all subscribers have taken all values.
func (p *PubSub[A]) IsEmpty() Effect[bool] { return Sync(func() bool { return p.SizeNow() == 0 }) }

// End publishes a last value, for which there is always room, and refuses all others. Each subscriber has it once it has taken what
// came before, and each time it takes again. It tells whether the PubSub was open.
func (p *PubSub[A]) End(last A) Effect[bool] { return Sync(func() bool { return p.EndNow(last) }) }

// EndNow is [PubSub.End] for plain Go.
func (p *PubSub[A]) EndNow(last A) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isOver || p.last != nil {
		return false
	}
	p.last = &last
	p.refuse(nil)
	for s := range p.subscriptions {
		s.wake()
	}
	return true
}

// Shutdown ends all subscriptions and drops what they have not taken: who waits to take or to publish is interrupted, and later
// takes end as interrupted too.
func (p *PubSub[A]) Shutdown() Effect[Unit] {
	return CurrentID().Map(func(id errors.FiberID) (u Unit) { p.shutdown(id); return u })
}

// ShutdownNow is [PubSub.Shutdown] for plain Go.
func (p *PubSub[A]) ShutdownNow() { p.shutdown(errors.InternalFiber) }

func (p *PubSub[A]) shutdown(by errors.FiberID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isOver {
		return
	}
	p.isOver = true
	p.refuse(errors.InterruptCause(by))
	for s := range p.subscriptions {
		s.end(by)
	}
	p.over.happen()
}

// IsShutdown tells whether the PubSub was shut down.
func (p *PubSub[A]) IsShutdown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isOver
}

// AwaitShutdown waits until the PubSub is shut down.
func (p *PubSub[A]) AwaitShutdown() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, p.over.await(v) }}
}
