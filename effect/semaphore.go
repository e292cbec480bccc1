package effect

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

// Semaphore has a number of permits that are taken and given back (Effect's Semaphore).
//
// # Fairness
//
//   - Among requests that fit into what is free, the one that came first goes first. Giving back hands the permits to those who
//     wait, so that nobody can take them in between.
//   - A request that does not fit keeps its place, and smaller ones behind it overtake it. Where small requests never
//     cease it may wait for ever.
//
// It does not know who holds a permit: who takes twice holds two, and can wait for itself. Giving back more than was taken adds
// permits. A request for no permits, or for fewer, is met at once.
type Semaphore struct {
	free atomic.Int64 // below zero when a Resize went below what is taken

	// The lock is for those who wait and those who let them in; without them a permit costs one atomic operation.
	mu      sync.Mutex
	permits int
	waiting atomic.Int64 // how many are in line
	line    line[permitRequest]
}

type permitRequest struct {
	n   int
	who *sleeper // woken once granted
}

// NewSemaphore is a semaphore with so many permits, all of them free.
func NewSemaphore(permits int) *Semaphore {
	s := &Semaphore{permits: permits}
	s.free.Store(int64(permits))
	return s
}

// Take takes n permits, and waits until they are free. Its value is n. Interrupted, it takes none.
//
// What takes must give back: prefer [Semaphore.WithPermits] or [Semaphore.TakeScoped].
func (s *Semaphore) Take(n int) Effect[int] {
	return Effect[int]{eval: func(v *env) (int, *errors.Cause) {
		c := s.take(v, n)
		v.kept = c == nil
		return n, c
	}}
}

// TakeIfAvailable takes n permits if they are free, and tells whether it did.
func (s *Semaphore) TakeIfAvailable(n int) Effect[bool] {
	return Effect[bool]{eval: func(v *env) (bool, *errors.Cause) {
		v.kept = s.TakeNow(n)
		return v.kept, nil
	}}
}

// TakeScoped takes n permits until the surrounding scope closes. Without a scope it is the defect [NoScope].
func (s *Semaphore) TakeScoped(n int) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		if v.scope == nil {
			return u, errors.DieCause(&NoScope{"Semaphore.TakeScoped"})
		}
		if c := s.take(v, n); c != nil {
			return u, c
		}
		return u, v.addFinalizer(v.scope, func(scope.Exit) Effect[Unit] { return s.Release(n).AsUnit() })
	}}
}

// Release gives n permits back. Its value is how many are free then, those counted that others take at once.
func (s *Semaphore) Release(n int) Effect[int] {
	return Sync(func() int { return s.ReleaseNow(n) })
}

// ReleaseAll gives back all permits that are taken. Its value is how many are free then.
func (s *Semaphore) ReleaseAll() Effect[int] {
	return Sync(func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.grant(int64(s.permits) - s.free.Load())
	})
}

// Resize changes the number of permits. Permits taken beyond it stay taken until they are given back.
func (s *Semaphore) Resize(permits int) Effect[Unit] {
	return Call(func() { s.ResizeNow(permits) })
}

// WithPermits is e as the holder of n permits, for which it waits. They are given back however e ended, when its finalizers
// are over.
func (s *Semaphore) WithPermits[A any](n int, e Effect[A]) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		if c := s.take(v, n); c != nil {
			return a, c
		}
		return holding(s, n, e, v)
	}}
}

// WithPermitsIfAvailable is e as the holder of n permits, or none at once if they are not free.
func (s *Semaphore) WithPermitsIfAvailable[A any](n int, e Effect[A]) Effect[mo.Option[A]] {
	return Effect[mo.Option[A]]{eval: func(v *env) (none mo.Option[A], _ *errors.Cause) {
		if !s.TakeNow(n) {
			return none, nil
		}
		a, c := holding(s, n, e, v)
		if c != nil {
			return none, c
		}
		return mo.Some(a), nil
	}}
}

func holding[A any](s *Semaphore, n int, e Effect[A], v *env) (A, *errors.Cause) {
	return e.guard(v, func(_ A, c *errors.Cause) *errors.Cause {
		s.ReleaseNow(n)
		return v.leave(c)
	})
}

func (s *Semaphore) take(v *env, n int) *errors.Cause {
	if v.stopped() {
		return v.pending()
	}
	if !s.TakeNow(n) && !s.wait(v, n) {
		return v.pending()
	}
	return nil
}

// TakeNow is [Semaphore.TakeIfAvailable] for plain Go.
func (s *Semaphore) TakeNow(n int) bool {
	if s.waiting.Load() == 0 {
		return s.claim(n)
	}
	s.mu.Lock() // what is being given back may be for those in line
	defer s.mu.Unlock()
	return s.claim(n)
}

// claim takes n permits if they are free. Nobody in line fits into what is free, for they would have been granted it: it overtakes
// nobody who does.
func (s *Semaphore) claim(n int) bool {
	if n <= 0 {
		return true
	}
	for {
		free := s.free.Load()
		if int64(n) > free {
			return false
		}
		if s.free.CompareAndSwap(free, free-int64(n)) {
			return true
		}
	}
}

// Acquire is [Semaphore.Take] for plain Go: it takes n permits, and waits until they are free or ctx is done. The error is the
// cause of ctx.
func (s *Semaphore) Acquire(ctx context.Context, n int) error {
	if ctx.Err() == nil && (s.TakeNow(n) || s.wait(ctx, n)) {
		return nil
	}
	return fmt.Errorf("acquire %d permits of a semaphore: %w", n, context.Cause(ctx))
}

// wait takes n permits; false if ctx is done before.
func (s *Semaphore) wait(ctx context.Context, n int) bool {
	s.mu.Lock()
	s.waiting.Add(1) // before it looks once more: who gives back from now on looks into the line
	if s.claim(n) {
		s.waiting.Add(-1)
		s.mu.Unlock()
		return true
	}
	place := s.line.push(permitRequest{n: n, who: sleeperFor(ctx)})
	s.mu.Unlock()
	defer place.value.who.rest()
	if slept(ctx, place.value.who) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if place.value.who.woken() { // and interrupted at once: the permits go to the next one
		s.grant(int64(n))
	} else {
		s.leave(place)
	}
	return false
}

func (s *Semaphore) leave(place *inLine[permitRequest]) {
	s.line.remove(place)
	s.waiting.Add(-1)
}

// ReleaseNow is [Semaphore.Release] for plain Go.
func (s *Semaphore) ReleaseNow(n int) (free int) {
	n = max(n, 0)
	if s.waiting.Load() == 0 {
		free = int(s.free.Add(int64(n)))
		if s.waiting.Load() == 0 {
			return free
		}
		n = 0 // somebody has come to wait meanwhile
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant(int64(n))
}

// ResizeNow is [Semaphore.Resize] for plain Go.
func (s *Semaphore) ResizeNow(permits int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := permits - s.permits
	s.permits = permits
	s.grant(int64(added))
}

// grant gives n permits back, and those in line who fit what they wait for. It has what was free before they took it.
func (s *Semaphore) grant(n int64) (before int) {
	before = int(s.free.Add(n))
	for place := s.line.head; place != nil && s.free.Load() > 0; {
		w := place
		place = place.next
		if s.claim(w.value.n) {
			s.leave(w)
			w.value.who.wake()
		}
	}
	return before
}
