package effect

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/rivus/agentkit/errors"
)

// Queue hands values from those who offer to those who take, first in, first out (Effect's Queue, v3's Mailbox). All its
// methods may be called by any number at once.
//
// # Order
//
// Takers are served in the order in which they came, and so are those who wait to offer; only a taker that waits for several
// values is overtaken by those whom fewer are enough for. Values are taken in the order in which they were offered.
//
// # Interruption
//
// A taker that is interrupted has taken nothing: what it had been given goes back to the front. Whoever waits to offer and is
// interrupted withdraws what the queue has not admitted yet. A value that Take has had is the fiber's own: where an
// interruption right after it must not lose it, take it and use it in a [Mask], restoring the taking.
//
// # Its end
//
// [Queue.End], [Queue.Fail], [Queue.FailCause] and [Queue.Interrupt] end it gracefully: nothing is admitted any more, what is
// in the queue and what already waits to get in is still taken, and then all takers end with the cause. [Queue.Shutdown] ends it
// at once: what is in it is dropped, takers end as interrupted, and offers are refused.
type Queue[A any] struct {
	capacity int // math.MaxInt: unbounded
	overflow overflow
	takeOne  Effect[A]

	mu     sync.Mutex
	buffer deque[A]
	takers line[*taker[A]]
	offers line[*offer[A]]
	given  int // to takers that have not said yet whether they keep it
	phase  phase
	cause  *errors.Cause // unless the phase is open
	over   event         // the phase is over
}

// overflow is what becomes of an offer to a full queue.
type overflow uint8

const (
	suspends overflow = iota
	drops
	slides
)

type phase uint8

const (
	phaseOpen    phase = iota
	phaseClosing       // nothing gets in any more
	phaseOver          // and nothing is left
)

// NewBoundedQueue is a queue of so many values at most: who offers to a full one waits. One of capacity zero is a rendezvous: an
// offer waits for its taker. A capacity below zero panics.
func NewBoundedQueue[A any](capacity int) *Queue[A] { return newQueue[A](capacity, suspends) }

// NewDroppingQueue is a queue of so many values at most that refuses what is offered to it when it is full.
func NewDroppingQueue[A any](capacity int) *Queue[A] { return newQueue[A](capacity, drops) }

// NewSlidingQueue is a queue of so many values at most that drops its oldest one when one more is offered.
func NewSlidingQueue[A any](capacity int) *Queue[A] { return newQueue[A](capacity, slides) }

// NewUnboundedQueue is a queue that is never full.
func NewUnboundedQueue[A any]() *Queue[A] { return newQueue[A](math.MaxInt, suspends) }

func newQueue[A any](capacity int, o overflow) *Queue[A] {
	if capacity < 0 {
		panic(fmt.Sprintf("effect: a queue of capacity %d", capacity))
	}
	q := &Queue[A]{capacity: capacity, overflow: o}
	q.takeOne.eval = q.evalTake
	return q
}

// evalTake is what [Queue.Take] does. Its name is how a dump knows it.
func (q *Queue[A]) evalTake(v *env) (a A, _ *errors.Cause) {
	a, c, ok := q.take(v)
	if !ok {
		return a, v.pending()
	}
	v.kept = c == nil
	return a, c
}

// Size is how many values are in the queue; those that wait to get in do not count.
func (q *Queue[A]) Size() Effect[int] { return Sync(q.SizeNow) }

// IsFull tells whether the queue is at its capacity.
func (q *Queue[A]) IsFull() Effect[bool] {
	return Sync(func() bool { return q.SizeNow() >= q.capacity })
}

// SizeNow is [Queue.Size] for plain Go.
func (q *Queue[A]) SizeNow() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.buffer.size
}

// settle brings the queue to rest after a change: those who wait to offer get in while there is room, takers are given what
// there is, and a closing queue that is empty is over.
func (q *Queue[A]) settle() {
	for {
		q.admit()
		if !q.serve() {
			break
		}
	}
	if q.phase == phaseClosing && q.isDrained() {
		q.finish()
	}
}

func (q *Queue[A]) isDrained() bool {
	return q.buffer.size == 0 && q.offers.head == nil && q.given == 0
}

// finish makes the queue over.
func (q *Queue[A]) finish() {
	q.phase = phaseOver
	for t := q.takers.head; t != nil; t = t.next {
		t.value.cause = q.cause
		t.value.who.wake()
	}
	q.takers = line[*taker[A]]{}
	q.over.happen()
}

// sleep is [slept], to be called with the lock held, which it gives up meanwhile.
func (q *Queue[A]) sleep(ctx context.Context, s *sleeper) bool {
	q.mu.Unlock()
	defer q.mu.Lock()
	return slept(ctx, s)
}
