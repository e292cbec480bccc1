package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// Latch is a gate that is open or closed. Who waits at a closed one goes on when it opens (Effect's Latch).
type Latch struct {
	mu     sync.Mutex
	isOpen bool
	gate   *event // lets those through who wait now; nil when nobody has waited yet
}

// NewLatch is a latch that is open or closed.
func NewLatch(open bool) *Latch { return &Latch{isOpen: open} }

// Await waits until the latch is open.
func (l *Latch) Await() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) { return u, l.await(v) }}
}

func (l *Latch) await(v *env) *errors.Cause {
	l.mu.Lock()
	if l.isOpen {
		l.mu.Unlock()
		return nil
	}
	if l.gate == nil {
		l.gate = &event{}
	}
	gate := l.gate
	l.mu.Unlock()
	return gate.await(v)
}

// WhenOpen is e, started once the latch is open.
func (l *Latch) WhenOpen[A any](e Effect[A]) Effect[A] {
	return l.Await().AndThen(e)
}

// Open lets all who wait through, and all who come. It tells whether the latch was closed.
func (l *Latch) Open() Effect[bool] { return Sync(l.OpenNow) }

// Release lets those through who wait now, and leaves the latch closed. It tells whether the latch was closed.
func (l *Latch) Release() Effect[bool] { return Sync(l.ReleaseNow) }

// Close makes those wait who come from now on. It tells whether the latch was open.
func (l *Latch) Close() Effect[bool] { return Sync(l.CloseNow) }

// OpenNow is [Latch.Open] for plain Go.
func (l *Latch) OpenNow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := !l.isOpen
	l.isOpen = true
	l.releaseLocked()
	return changed
}

// ReleaseNow is [Latch.Release] for plain Go.
func (l *Latch) ReleaseNow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.releaseLocked()
	return !l.isOpen
}

// CloseNow is [Latch.Close] for plain Go.
func (l *Latch) CloseNow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := l.isOpen
	l.isOpen = false
	return changed
}

// IsOpen tells whether the latch is open now.
func (l *Latch) IsOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isOpen
}

func (l *Latch) releaseLocked() {
	if l.gate != nil {
		l.gate.happen()
		l.gate = nil
	}
}
