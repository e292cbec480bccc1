package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// event happens once. Any number of fibers wait for it.
type event struct {
	mu          sync.Mutex
	happened    bool
	first, last *sleeper
}

// await waits until e has happened.
func (e *event) await(v *env) *errors.Cause {
	e.mu.Lock()
	if e.happened {
		e.mu.Unlock()
		return nil
	}
	s := v.sleeper()
	defer s.rest()
	if s.prev = e.last; s.prev != nil {
		s.prev.next = s
	} else {
		e.first = s
	}
	e.last = s
	e.mu.Unlock()
	c := v.sleep(s)
	if c != nil {
		e.leave(s)
	}
	return c
}

// leave takes s, which was interrupted, out of the list, or waits until it has been woken all the same.
func (e *event) leave(s *sleeper) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.happened {
		return
	}
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		e.first = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		e.last = s.prev
	}
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
	for s := e.first; s != nil; {
		next := s.next
		s.prev, s.next = nil, nil
		s.wake()
		s = next
	}
	e.first, e.last = nil, nil
}
