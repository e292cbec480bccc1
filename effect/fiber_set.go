package effect

import (
	"context"
	"maps"
	"slices"

	"github.com/rivus/agentkit/errors"
)

// FiberSet is fibers without keys. They belong to the set, not to the fibers that started them: they run until they are over, or
// until the set closes with its scope, which interrupts them all and waits for them (Effect's FiberSet). A fiber that is over
// leaves the set.
type FiberSet[A any] struct{ keeper[A] }

// NewFiberSet is an empty set that closes with the surrounding scope. Without a scope it is the defect [NoScope].
func NewFiberSet[A any]() Effect[*FiberSet[A]] {
	return Effect[*FiberSet[A]]{eval: func(v *env) (*FiberSet[A], *errors.Cause) {
		s := &FiberSet[A]{}
		return s, s.open(v, "NewFiberSet")
	}}
}

// Run starts e as a fiber of the set, with the services and values of where it is called. On a closed set it is a fiber that was
// interrupted before it began.
func (s *FiberSet[A]) Run(e Effect[A], options ...RunOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		f, _ := s.run(v, e, anywhere[A](), options)
		return f, nil
	}}
}

// RunNow is [FiberSet.Run] for plain Go: with the services and values of ctx, whose cancellation does not touch the fiber
// (Effect's FiberSet.runtime).
func (s *FiberSet[A]) RunNow(ctx context.Context, e Effect[A], options ...RunOption) *Fiber[A] {
	return s.runNow(ctx, e, anywhere[A](), options)
}

// Add makes a fiber that runs already one of the set. On a closed set it interrupts it.
func (s *FiberSet[A]) Add(f *Fiber[A], options ...RunOption) Effect[Unit] {
	return s.hold(f, anywhere[A](), options)
}

// anywhere is a place that has always room.
func anywhere[A any]() place[A] {
	return place[A]{get: func() *Fiber[A] { return nil }, set: func(*Fiber[A]) {}}
}

// Clear interrupts all fibers at once and waits for them.
func (s *FiberSet[A]) Clear() Effect[Unit] { return s.clear(s.found) }

// Size is how many fibers there are.
func (s *FiberSet[A]) Size() Effect[int] { return Sync(s.SizeNow) }

// SizeNow is [FiberSet.Size] for plain Go.
func (s *FiberSet[A]) SizeNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0
	}
	return len(s.fibers)
}

// Join waits until a fiber does not succeed, and ends with its cause, or until the set closes. Interruptions alone do not count;
// see [PropagateInterruption].
func (s *FiberSet[A]) Join() Effect[Unit] { return s.joined.Await() }

// AwaitEmpty waits until there is no fiber.
func (s *FiberSet[A]) AwaitEmpty() Effect[Unit] { return s.awaitEmpty(s.found) }

func (s *FiberSet[A]) found() []*Fiber[A] { return slices.Collect(maps.Keys(s.fibers)) }
