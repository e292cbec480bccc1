package effect

import (
	"container/list"
	"sync"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// CacheConfig says what a [Cache] holds.
type CacheConfig[K comparable, A any] struct {
	// Lookup makes the value of a key. Required.
	Lookup func(K) Effect[A]
	// Capacity is how many keys are kept; the least recently used one goes first. Defaults to no bound.
	Capacity int
	// TTL is how long an outcome is kept, counted from the end of its lookup. Zero or less keeps it for those only who wait
	// for it. Defaults to [NeverExpires] for all.
	TTL func(K, Exit[A]) time.Duration
}

// Cache remembers the outcomes of an effectful function of a key: keyed lookups are shared and kept (Effect's Cache). Failures and
// defects are kept too, an interruption is not. Its rules are those of [Cached], for each key.
type Cache[K comparable, A any] struct {
	config   CacheConfig[K, A]
	services Services

	mu     sync.Mutex
	byKey  map[K]*list.Element // of *cacheEntry[K, A]
	recent list.List           // most recently used first
}

type cacheEntry[K comparable, A any] struct {
	key     K
	joint   *joint[A]
	known   bool // joint is over
	exit    Exit[A]
	ttl     time.Duration
	expires time.Time // when it does; zero: never
}

// NewCache is an empty cache. Lookups have the services that surround NewCache, and those around the one who looks up.
//
// It fails with [*InvalidConfig].
func NewCache[K comparable, A any](config CacheConfig[K, A]) Effect[*Cache[K, A]] {
	return Effect[*Cache[K, A]]{eval: func(v *env) (*Cache[K, A], *errors.Cause) {
		switch {
		case config.Lookup == nil:
			return nil, errors.FailCause(&InvalidConfig{"Cache", "Lookup", "is required"})
		case config.Capacity < 0:
			return nil, errors.FailCause(&InvalidConfig{"Cache", "Capacity", "is negative"})
		}
		return &Cache[K, A]{config: config, services: Services{v.services}, byKey: map[K]*list.Element{}}, nil
	}}
}

// Get is the kept outcome of the key, or that of a lookup, which fibers that need it at once share.
func (c *Cache[K, A]) Get(k K) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		if v.stopped() {
			return a, v.pending()
		}
		c.mu.Lock()
		entry := c.find(k)
		if entry == nil {
			entry = &cacheEntry[K, A]{key: k}
			c.insert(entry)
			entry.joint = c.look(v, entry, func(a A, cause *errors.Cause) { c.keep(entry, Exit[A]{a, cause}) })
		}
		return c.outcome(v, entry)
	}}
}

// outcome waits for the entry's lookup. It unlocks.
func (c *Cache[K, A]) outcome(v *env, entry *cacheEntry[K, A]) (A, *errors.Cause) {
	if entry.known {
		c.mu.Unlock()
		return entry.exit.Value, entry.exit.Cause
	}
	j := entry.joint
	j.waiting++
	c.mu.Unlock()
	return j.wait(v)
}

// look begins the lookup of an entry.
func (c *Cache[K, A]) look(v *env, entry *cacheEntry[K, A], settled func(A, *errors.Cause)) *joint[A] {
	region := v.with(v.scope, c.services.Merge(Services{v.services}).top)
	return startJoint(region, nil, &c.mu, nil, func(v *env) (A, *errors.Cause) {
		a, cause := call(v, func() Effect[A] { return c.config.Lookup(entry.key) })
		c.setTTL(entry, Exit[A]{a, cause})
		return a, cause
	}, settled)
}

func (c *Cache[K, A]) setTTL(entry *cacheEntry[K, A], x Exit[A]) {
	entry.ttl = NeverExpires
	if c.config.TTL != nil {
		entry.ttl = c.config.TTL(entry.key, x)
	}
}

// keep stores an outcome, or drops the entry when it is not to be kept.
func (c *Cache[K, A]) keep(entry *cacheEntry[K, A], x Exit[A]) {
	entry.known, entry.exit, entry.joint = true, x, nil
	switch {
	case x.Cause.HasInterrupts() || entry.ttl <= 0:
		c.remove(entry)
	case entry.ttl != NeverExpires:
		entry.expires = time.Now().Add(entry.ttl)
	}
}

// find is the entry of a key, unless it has expired. It counts as a use.
func (c *Cache[K, A]) find(k K) *cacheEntry[K, A] {
	at, ok := c.byKey[k]
	if !ok {
		return nil
	}
	entry := at.Value.(*cacheEntry[K, A])
	if !entry.expires.IsZero() && !time.Now().Before(entry.expires) {
		c.remove(entry)
		return nil
	}
	c.recent.MoveToFront(at)
	return entry
}

// insert makes the entry that of its key, and makes room.
func (c *Cache[K, A]) insert(entry *cacheEntry[K, A]) {
	if at, ok := c.byKey[entry.key]; ok {
		at.Value = entry
		c.recent.MoveToFront(at)
		return
	}
	c.byKey[entry.key] = c.recent.PushFront(entry)
	for c.config.Capacity > 0 && c.recent.Len() > c.config.Capacity {
		c.remove(c.recent.Back().Value.(*cacheEntry[K, A]))
	}
}

func (c *Cache[K, A]) remove(entry *cacheEntry[K, A]) {
	if at, ok := c.byKey[entry.key]; ok && at.Value == any(entry) {
		delete(c.byKey, entry.key)
		c.recent.Remove(at)
	}
}

// GetOption is the kept outcome of the key, after a lookup under way, and none without one. It never looks up.
func (c *Cache[K, A]) GetOption(k K) Effect[mo.Option[A]] {
	return Effect[mo.Option[A]]{eval: func(v *env) (none mo.Option[A], _ *errors.Cause) {
		if v.stopped() {
			return none, v.pending()
		}
		c.mu.Lock()
		entry := c.find(k)
		if entry == nil {
			c.mu.Unlock()
			return none, nil
		}
		a, cause := c.outcome(v, entry)
		if cause != nil {
			return none, cause
		}
		return mo.Some(a), nil
	}}
}

// Set keeps a as the value of the key.
func (c *Cache[K, A]) Set(k K, a A) Effect[Unit] {
	return Call(func() {
		entry := &cacheEntry[K, A]{key: k}
		x := ExitSucceed(a)
		c.setTTL(entry, x)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.insert(entry)
		c.keep(entry, x)
	})
}

// Refresh looks the key up anew and keeps what it gets. Until then, and when it does not succeed, the key keeps the outcome it
// has.
func (c *Cache[K, A]) Refresh(k K) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		if v.stopped() {
			return a, v.pending()
		}
		entry := &cacheEntry[K, A]{key: k}
		c.mu.Lock()
		j := c.look(v, entry, func(a A, cause *errors.Cause) {
			if cause == nil {
				c.insert(entry)
				c.keep(entry, Exit[A]{Value: a})
			}
		})
		j.waiting++
		c.mu.Unlock()
		return j.wait(v)
	}}
}
