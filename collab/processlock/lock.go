package processlock

import (
	"context"
	"sync"

	"github.com/samber/mo"
)

// A Lock is a process lock that is held. It may be used from any goroutine.
type Lock struct {
	path string
	grip grip
	turn turnKey

	once    sync.Once
	outcome error
}

// Path returns the path the lock was taken by.
func (l *Lock) Path() string { return l.path }

// Mechanism returns how the lock excludes other processes.
func (l *Lock) Mechanism() Mechanism { return l.grip.mechanism() }

// Holder returns what this process left on record about itself; absent when its identity could not be read.
func (l *Lock) Holder() mo.Option[Holder] {
	if s, ok := l.grip.stamp(); ok {
		return mo.Some(s.holder())
	}
	return mo.None[Holder]()
}

// Verify reports whether the lock still excludes others, for a holder that wants to know before it writes: nil, or
// [*Lost] when somebody removed or replaced the lock's file or the kernel no longer shows the lock, or [*Failure]. It
// takes some microseconds. It must not be called after Release.
func (l *Lock) Verify(ctx context.Context) error { return l.grip.verify(ctx) }

// Release lets the lock go. It fails with [*Lost] when it finds that the lock had stopped excluding others before, and
// with [*Failure] when something could not be cleaned up; the lock is let go in each case. Further calls do nothing and
// return the first one's result. It cannot be interrupted.
func (l *Lock) Release() error {
	l.once.Do(func() {
		l.outcome = l.grip.release(context.Background())
		turns.pass(l.turn)
	})
	return l.outcome
}
