package scope

import (
	"context"
	"sync"

	"github.com/rivus/agentkit/errors"
)

// Exit is how the work that a scope belongs to ended: with a value, or, when Cause is not nil, without.
type Exit struct {
	Value any // what the work ended with, if Cause is nil
	Cause *errors.Cause
}

// Finalizer is what a scope runs when it closes. An error that is a *errors.Cause passes its reasons on; any other is an
// expected failure.
type Finalizer interface {
	// Finalize releases what it was registered for.
	Finalize(ctx context.Context, exit Exit) error
}

// Scope is a stack of finalizers. The zero value is an open, sequential scope. Its methods may be called from several
// goroutines at once.
type Scope struct {
	mu       sync.Mutex
	top      *Entry
	closed   bool
	parallel bool
	exit     Exit
}

// Entry is one registration. It is exported so that a resource can embed its entry and cost one allocation in all; see
// [Scope.Register].
type Entry struct {
	prev, next *Entry
	ctx        context.Context
	finalizer  Finalizer
}

// New is an open scope whose finalizers run one at a time.
func New() *Scope { return &Scope{} }

// NewParallel is an open scope whose finalizers all run at once, each on a goroutine of its own.
func NewParallel() *Scope { return &Scope{parallel: true} }

// Add registers f. On a closed scope f runs at once, and Add returns what it returns.
//
// f gets the values of ctx, but not its cancellation.
func (s *Scope) Add(ctx context.Context, f func(ctx context.Context, exit Exit) error) error {
	return s.Register(ctx, new(Entry), finalizerFunc(f))
}

type finalizerFunc func(context.Context, Exit) error

func (f finalizerFunc) Finalize(ctx context.Context, exit Exit) error { return f(ctx, exit) }

// Register is Add for a finalizer that brings its own entry, which must be new.
func (s *Scope) Register(ctx context.Context, e *Entry, f Finalizer) error {
	e.ctx, e.finalizer = ctx, f
	if exit, closed := s.push(e); closed {
		return e.run(ctx, exit).AsError()
	}
	return nil
}

// Attach is Register that leaves a closed scope alone: false, and f does not run.
func (s *Scope) Attach(ctx context.Context, e *Entry, f Finalizer) bool {
	e.ctx, e.finalizer = ctx, f
	_, closed := s.push(e)
	return !closed
}

// Remove takes a registration back: its finalizer will not run. False when it was too late, because the scope is closed.
func (s *Scope) Remove(e *Entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if e.prev != nil {
		e.prev.next = e.next
	} else if s.top == e {
		s.top = e.next
	} else {
		return true // removed before
	}
	if e.next != nil {
		e.next.prev = e.prev
	}
	e.prev, e.next = nil, nil
	return true
}

// Exit is what the scope closed with; false while it is open.
func (s *Scope) Exit() (Exit, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exit, s.closed
}

func (s *Scope) push(e *Entry) (exit Exit, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.exit, true
	}
	e.next = s.top
	if s.top != nil {
		s.top.prev = e
	}
	s.top = e
	return Exit{}, false
}

// Fork is a child scope. It closes at its place among the finalizers of s and with the exit of s; closed by itself, it leaves s.
// The child of a closed scope is closed.
func (s *Scope) Fork() *Scope { return s.fork(&Scope{}) }

// ForkParallel is a Fork whose finalizers all run at once.
func (s *Scope) ForkParallel() *Scope { return s.fork(&Scope{parallel: true}) }

func (s *Scope) fork(c *Scope) *Scope {
	link := &childLink{parent: s, child: c}
	if exit, closed := s.push(link.inParent()); closed {
		c.closed, c.exit = true, exit
		return c
	}
	c.top = link.inChild() // at the bottom of the stack: the last to run
	return c
}

// childLink is both registrations of a child: in its parent, to be closed; in itself, to leave the parent.
type childLink struct {
	parent, child *Scope
	up, down      Entry
}

type closeChild struct{ *childLink }
type leaveParent struct{ *childLink }

func (l *childLink) inParent() *Entry {
	l.up.finalizer = closeChild{l}
	return &l.up
}

func (l *childLink) inChild() *Entry {
	l.down.finalizer = leaveParent{l}
	return &l.down
}

// Empty tells whether the scope has no finalizers.
//
// A [Finalizer] may have such a method too: one that is empty when a parallel scope closes gets no goroutine of its own.
func (s *Scope) Empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top == nil {
		return true
	}
	_, isLink := s.top.finalizer.(leaveParent)
	return isLink && s.top.next == nil
}

func (l closeChild) Empty() bool { return l.child.Empty() }

func (leaveParent) Empty() bool { return true }

func (l closeChild) Finalize(ctx context.Context, exit Exit) error { return l.child.Close(ctx, exit) }

func (l leaveParent) Finalize(context.Context, Exit) error {
	l.parent.Remove(&l.up)
	return nil
}
