package platformtest

import (
	"sync"
	"time"
)

// Clock is a platform.Clock in step with package time, so that in a synctest bubble it moves with the virtual time, plus
// what Suspend and StepWall add.
type Clock struct {
	origin time.Time

	mu        sync.Mutex
	wall      time.Duration
	suspended time.Duration
}

// NewClock returns a clock whose Monotonic starts at zero.
func NewClock() *Clock { return &Clock{origin: time.Now()} }

// Now returns the wall-clock time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.wall + c.suspended)
}

// Monotonic returns the time since NewClock without suspensions.
func (c *Clock) Monotonic() time.Duration { return time.Since(c.origin) }

// Boot returns the time since NewClock with suspensions.
func (c *Clock) Boot() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Monotonic() + c.suspended
}

// Suspend acts as if the machine had slept for d just now: the wall clock and Boot move by d, Monotonic does not.
func (c *Clock) Suspend(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.suspended += d
}

// StepWall sets the wall clock forward, or back if d is negative, as an administrator or NTP would.
func (c *Clock) StepWall(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall += d
}
