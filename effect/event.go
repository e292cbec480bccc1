package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// event happens once. Any number of fibers wait for it.
type event struct {
	mu     sync.Mutex
	last   *sleeper      // of a ring in the order of their coming; happened, once it has
	closed chan struct{} // for those who wait in a way of their own; made by the first of them
}

var happened = &sleeper{}

// happenedLocked is over for who holds the lock.
func (e *event) happenedLocked() bool { return e.last == happened }

// over tells whether e has happened.
func (e *event) over() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.happenedLocked()
}

// done is closed when e has happened.
func (e *event) done() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed == nil {
		e.closed = make(chan struct{})
		if e.happenedLocked() {
			close(e.closed)
		}
	}
	return e.closed
}

// await waits until e has happened.
func (e *event) await(v *env) *errors.Cause {
	e.mu.Lock()
	if e.happenedLocked() {
		e.mu.Unlock()
		return nil
	}
	s := v.sleeper()
	if e.last == nil {
		s.prev, s.next = s, s
	} else {
		s.prev, s.next = e.last, e.last.next
		s.prev.next, s.next.prev = s, s
	}
	e.last = s
	e.mu.Unlock()
	c := v.sleep(s)
	if c != nil {
		e.leave(s)
	}
	s.rest()
	return c
}

// leave takes s, which was interrupted, out of the ring, or waits until it has been woken all the same.
func (e *event) leave(s *sleeper) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.happenedLocked():
		return
	case s.next == s:
		e.last = nil
	case e.last == s:
		e.last = s.prev
	}
	s.prev.next, s.next.prev = s.next, s.prev
	s.prev, s.next = nil, nil
}

// happen wakes all, first come first.
func (e *event) happen() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.happenLocked()
}

// happenLocked is happen for who holds the lock.
func (e *event) happenLocked() {
	last := e.last
	if last == happened {
		return
	}
	e.last = happened
	if e.closed != nil {
		close(e.closed)
	}
	if last == nil {
		return
	}
	for s := last.next; ; {
		next := s.next
		s.prev, s.next = nil, nil
		s.wake()
		if s == last {
			return
		}
		s = next
	}
}
