package effect

import (
	"context"
	"math"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// taker is one who waits for values.
type taker[A any] struct {
	min, max int
	peeks    bool // looks at the first value and leaves it
	got      []A
	cause    *errors.Cause // when the queue was over before
	who      *sleeper      // woken when it has got something, or will not any more
}

// Take takes the first value, for which it waits. When the queue is over it ends with the cause: with the failure [*Done] after
// [Queue.End].
func (q *Queue[A]) Take() Effect[A] { return q.takeOne }

// TakeAll takes all values, and waits until there is one. It ends as [Queue.Take] does.
func (q *Queue[A]) TakeAll() Effect[[]A] { return q.TakeBetween(1, math.MaxInt) }

// TakeN takes n values, for which it waits; fewer from a queue that is ending or that has less room. It ends as [Queue.Take]
// does.
func (q *Queue[A]) TakeN(n int) Effect[[]A] { return q.TakeBetween(n, n) }

// TakeBetween takes up to most values, and waits until there are least of them, or as many as the queue has room for. From a
// queue that is ending it takes what is left. It ends as [Queue.Take] does.
func (q *Queue[A]) TakeBetween(least, most int) Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		switch {
		case q.phase == phaseOver:
			return nil, q.cause
		case most <= 0:
			return []A{}, nil
		case least <= 0 && !q.has(1):
			return []A{}, nil
		case q.has(least):
			got := q.pull(most)
			q.settle()
			v.kept = true
			return got, nil
		}
		t := &taker[A]{min: least, max: most}
		if !q.waitToTake(v, t) {
			return nil, v.pending()
		}
		v.kept = t.cause == nil
		return t.got, t.cause
	}}
}

// Poll takes the first value if there is one. It does not wait and does not fail.
func (q *Queue[A]) Poll() Effect[mo.Option[A]] {
	return Effect[mo.Option[A]]{eval: func(v *env) (none mo.Option[A], _ *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		if !q.has(1) {
			return none, nil
		}
		a := q.pullOne()
		q.settle()
		v.kept = true
		return mo.Some(a), nil
	}}
}

// Peek is the first value, for which it waits and which it leaves in the queue. It ends as [Queue.Take] does. What waits to get
// into the queue it does not see.
func (q *Queue[A]) Peek() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		switch {
		case q.phase == phaseOver:
			return a, q.cause
		case q.buffer.size > 0:
			return *q.buffer.at(0), nil
		}
		t := &taker[A]{peeks: true}
		switch {
		case !q.waitToTake(v, t):
			return a, v.pending()
		case t.cause != nil:
			return a, t.cause
		}
		return t.got[0], nil
	}}
}

// Clear takes all values there are, without waiting. When the queue was ended it has none; ended otherwise, it ends with the
// cause.
func (q *Queue[A]) Clear() Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		switch {
		case q.phase == phaseOver && !isDone(q.cause):
			return nil, q.cause
		case q.phase == phaseOver || !q.has(1):
			return []A{}, nil
		}
		got := q.pull(math.MaxInt)
		q.settle()
		v.kept = true
		return got, nil
	}}
}

// Collect takes values until the queue is ended, and has them all. When it ends otherwise, so does Collect.
func (q *Queue[A]) Collect() Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		all := []A{}
		for {
			more := q.TakeAll()
			got, c := more.exec(v)
			switch {
			case c == nil:
				all = append(all, got...)
			case isDone(c):
				return all, nil
			default:
				return nil, c
			}
		}
	}}
}

// take is Take; false if ctx was done before.
func (q *Queue[A]) take(ctx context.Context) (a A, c *errors.Cause, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.phase == phaseOver:
		return a, q.cause, true
	case q.has(1):
		a = q.pullOne()
		if q.phase == phaseClosing || q.offers.head != nil {
			q.settle()
		}
		return a, nil, true
	}
	t := &taker[A]{min: 1, max: 1}
	switch {
	case !q.waitToTake(ctx, t):
		return a, nil, false
	case t.cause != nil:
		return a, t.cause, true
	}
	return t.got[0], nil, true
}

// has tells whether a taker of at least least values can be served. Nobody who waits can be: see settle.
func (q *Queue[A]) has(least int) bool {
	if q.phase == phaseClosing {
		least = 1
	}
	return q.buffer.size >= min(least, max(q.capacity, 1)) && q.buffer.size > 0 || q.capacity == 0 && q.offers.head != nil
}

// pull takes up to most values, of which there must be one.
func (q *Queue[A]) pull(most int) []A {
	if q.buffer.size == 0 {
		return []A{q.takeOffered(q.offers.head)}
	}
	return q.buffer.take(min(most, q.buffer.size))
}

func (q *Queue[A]) pullOne() A {
	if q.buffer.size == 0 {
		return q.takeOffered(q.offers.head)
	}
	return q.buffer.popFront()
}

// waitToTake waits until t has been served; false if ctx is done before.
func (q *Queue[A]) waitToTake(ctx context.Context, t *taker[A]) bool {
	t.who = sleeperFor(ctx)
	defer t.who.rest()
	place := q.takers.push(t)
	kept := q.sleep(ctx, t.who)
	if !t.who.woken() {
		q.takers.remove(place)
		return false
	}
	if t.peeks {
		return kept
	}
	q.given -= len(t.got)
	if !kept && q.phase != phaseOver {
		for i := range t.got {
			q.buffer.pushFront(t.got[len(t.got)-1-i])
		}
	}
	if q.phase != phaseOver {
		q.settle()
	}
	return kept
}

// serve gives takers what there is, and tells whether it gave anything.
func (q *Queue[A]) serve() (gave bool) {
	for place := q.takers.head; place != nil; {
		current := place
		place = place.next
		t := current.value
		switch {
		case t.peeks && q.buffer.size > 0:
			t.got = []A{*q.buffer.at(0)}
		case !t.peeks && q.has(t.min):
			t.got = q.pull(t.max)
			q.given += len(t.got)
			gave = true
		default:
			continue
		}
		q.takers.remove(current)
		t.who.wake()
	}
	return gave
}
