package effect

import "github.com/rivus/agentkit/errors"

// poolList is the items that can be lent.
type poolList[A any] struct{ first, last *poolItem[A] }

func (l *poolList[A]) pushFront(item *poolItem[A]) {
	if item.listed {
		return
	}
	item.listed, item.next = true, l.first
	if l.first != nil {
		l.first.prev = item
	} else {
		l.last = item
	}
	l.first = item
}

func (l *poolList[A]) pushBack(item *poolItem[A]) {
	item.listed, item.prev = true, l.last
	if l.last != nil {
		l.last.next = item
	} else {
		l.first = item
	}
	l.last = item
}

func (l *poolList[A]) remove(item *poolItem[A]) {
	if !item.listed {
		return
	}
	if item.prev != nil {
		item.prev.next = item.next
	} else {
		l.first = item.next
	}
	if item.next != nil {
		item.next.prev = item.prev
	} else {
		l.last = item.prev
	}
	item.listed, item.prev, item.next = false, nil, nil
}

// waiters are the borrowers who wait, first come first.
type waiters[A any] struct{ first, last *waiter[A] }

// waiter is one of them. What serves it is set when it is woken.
type waiter[A any] struct {
	who         *sleeper
	item        *poolItem[A]
	cause       *errors.Cause
	interrupted bool // the pool has closed
	queued      bool
	prev, next  *waiter[A]
}

func (q *waiters[A]) add(who *sleeper) *waiter[A] {
	w := &waiter[A]{who: who, queued: true, prev: q.last}
	if q.last != nil {
		q.last.next = w
	} else {
		q.first = w
	}
	q.last = w
	return w
}

// remove takes w out; false when it has been served.
func (q *waiters[A]) remove(w *waiter[A]) bool {
	if !w.queued {
		return false
	}
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		q.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		q.last = w.prev
	}
	w.queued, w.prev, w.next = false, nil, nil
	return true
}

// pop takes the first one out, who is then served; nil when nobody waits.
func (q *waiters[A]) pop() *waiter[A] {
	w := q.first
	if w != nil {
		q.remove(w)
	}
	return w
}

func (w *waiter[A]) serve(item *poolItem[A], cause *errors.Cause) {
	w.item, w.cause = item, cause
	w.who.wake()
}

func (w *waiter[A]) interrupt() {
	w.interrupted = true
	w.who.wake()
}
