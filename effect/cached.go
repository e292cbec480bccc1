package effect

import (
	"math"
	"sync"
	"time"

	"github.com/rivus/agentkit/errors"
)

// NeverExpires is the time to live of what does not expire.
const NeverExpires time.Duration = math.MaxInt64

// Cached is an effect whose outcome is remembered: it is evaluated when it is first needed, and then not again while the outcome
// is fresh. Failures and defects are remembered too; an interruption is not.
//
// Fibers that need it at once share one evaluation. It runs on a fiber of its own, with the services and values of the one that
// came first, and goes on when that one is interrupted. When all who waited have been interrupted, it is interrupted too.
type Cached[A any] struct {
	source Effect[A]
	ttl    time.Duration

	mu      sync.Mutex
	current *joint[A] // nil: nothing is remembered
	before  *joint[A] // given up by all; the next evaluation waits for its end
	known   bool      // current is over
	expires time.Time
}

// NewCached remembers the outcome of e for ever (Effect's cached).
func NewCached[A any](e Effect[A]) *Cached[A] { return NewCachedFor(e, NeverExpires) }

// NewCachedFor remembers the outcome of e for ttl, counted from the end of the evaluation (Effect's cachedWithTTL). With a ttl of
// zero or less only those share an evaluation who need it at once.
func NewCachedFor[A any](e Effect[A], ttl time.Duration) *Cached[A] {
	return &Cached[A]{source: e, ttl: ttl}
}

// Get ends as the remembered evaluation did, or as a new one does.
func (c *Cached[A]) Get() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		if v.stopped() {
			return a, v.pending()
		}
		c.mu.Lock()
		if c.current != nil && c.known && c.ttl != NeverExpires && !time.Now().Before(c.expires) {
			c.current = nil
		}
		if c.current == nil {
			c.start(v)
		}
		j := c.current
		if c.known {
			c.mu.Unlock()
			return j.value, j.cause
		}
		j.waiting++
		c.mu.Unlock()
		return j.wait(v)
	}}
}

func (c *Cached[A]) start(v *env) {
	c.known = false
	var j *joint[A]
	j = startJoint(v, nil, &c.mu, c.before, c.source.exec, func(_ A, cause *errors.Cause) {
		if c.current != j {
			return // invalidated meanwhile
		}
		if cause.HasInterrupts() {
			c.current, c.before = nil, j
			return
		}
		c.known = true
		if c.ttl != NeverExpires {
			c.expires = time.Now().Add(c.ttl)
		}
	})
	c.current, c.before = j, nil
}

// Invalidate forgets the outcome. Those who wait for an evaluation under way still get its outcome; who comes later does not.
func (c *Cached[A]) Invalidate() Effect[Unit] {
	return Call(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.current, c.known = nil, false
	})
}
