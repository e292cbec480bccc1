package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// event happens once. Any number of fibers wait for it.
type event struct {
	mu       sync.Mutex
	happened bool
	last     *sleeper // of a ring in the order of their coming
}

// await waits until e has happened.
func (e *event) await(v *env) *errors.Cause {
	e.mu.Lock()
	if e.happened {
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
	case e.happened:
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
	e.happened = true
	last := e.last
	if last == nil {
		return
	}
	e.last = nil
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
