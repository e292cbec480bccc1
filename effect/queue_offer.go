package effect

import (
	"context"
	"slices"

	"github.com/rivus/agentkit/errors"
)

// offer is values that wait to get into a full queue.
type offer[A any] struct {
	rest []A
	who  *sleeper // woken when all are in, or none will be any more
}

// Offer puts a into the queue, for which it waits while a bounded queue is full. It tells whether the queue has taken it: not
// when it is ending or over, nor when a dropping queue is full.
func (q *Queue[A]) Offer(a A) Effect[bool] {
	return Effect[bool]{eval: func(v *env) (bool, *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		switch {
		case q.put(a):
			return true, nil
		case q.phase != phaseOpen || q.overflow != suspends:
			return false, nil
		}
		refused, ok := q.waitToOffer(v, []A{a})
		if !ok {
			return false, v.pending()
		}
		return len(refused) == 0, nil
	}}
}

// OfferAll puts values into the queue, waiting as [Queue.Offer] does, and has those that the queue has not taken. Interrupted,
// it has put in those that had found room.
func (q *Queue[A]) OfferAll(values []A) Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		q.mu.Lock()
		defer q.mu.Unlock()
		rest := q.putAll(values)
		if len(rest) == 0 || q.phase != phaseOpen || q.overflow != suspends {
			q.settle()
			return slices.Clone(rest), nil
		}
		refused, ok := q.waitToOffer(v, rest)
		if !ok {
			return nil, v.pending()
		}
		return slices.Clone(refused), nil
	}}
}

// OfferNow is [Queue.Offer] for plain Go: it does not wait, and a full queue that is bounded refuses a.
func (q *Queue[A]) OfferNow(a A) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.put(a)
}

// put puts a into the queue if it can be in it now.
func (q *Queue[A]) put(a A) bool {
	if q.phase != phaseOpen {
		return false
	}
	if q.takers.head == nil && q.buffer.size < q.capacity { // the common case
		q.buffer.pushBack(a)
		return true
	}
	if len(q.putAll([]A{a})) > 0 {
		return false
	}
	if q.takers.head != nil {
		q.settle()
	}
	return true
}

// putAll puts as many values into the queue as can be in it now, and has the rest. Takers have not been served then.
func (q *Queue[A]) putAll(values []A) (rest []A) {
	if q.phase != phaseOpen {
		return values
	}
	room := q.capacity - q.buffer.size
	if q.capacity == 0 {
		room = q.hungry()
	}
	switch {
	case room < len(values) && q.overflow == slides:
		for q.buffer.size > 0 && room < len(values) {
			q.buffer.popFront()
			room++
		}
		values = values[len(values)-room:]
	case room < len(values):
		values, rest = values[:max(room, 0)], values[max(room, 0):]
	}
	for _, a := range values {
		q.buffer.pushBack(a)
	}
	return rest
}

// hungry is how many takers wait that do not only look.
func (q *Queue[A]) hungry() (n int) {
	for t := q.takers.head; t != nil; t = t.next {
		if !t.value.peeks {
			n++
		}
	}
	return n
}

// waitToOffer waits until the values are in the queue, and has those that will never be; false if ctx is done before.
func (q *Queue[A]) waitToOffer(ctx context.Context, values []A) (refused []A, ok bool) {
	o := &offer[A]{rest: values, who: sleeperFor(ctx)}
	defer o.who.rest()
	place := q.offers.push(o)
	q.settle()
	q.sleep(ctx, o.who)
	if o.who.woken() { // perhaps interrupted at once: what is in, is in
		return o.rest, true
	}
	q.offers.remove(place)
	q.settle()
	return nil, false
}

// admit lets in those who wait to offer, while there is room.
func (q *Queue[A]) admit() {
	for place := q.offers.head; place != nil && q.buffer.size < q.capacity; place = q.offers.head {
		q.buffer.pushBack(q.takeOffered(place))
	}
}

// takeOffered is the first value of one who waits to offer.
func (q *Queue[A]) takeOffered(place *inLine[*offer[A]]) A {
	o := place.value
	a := o.rest[0]
	if o.rest = o.rest[1:]; len(o.rest) == 0 {
		q.offers.remove(place)
		o.who.wake()
	}
	return a
}
