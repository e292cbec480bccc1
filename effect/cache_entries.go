package effect

import (
	"container/list"
	"time"
)

// What a cache holds now, and forgetting it.

// Has tells whether an outcome of the key is kept, or a lookup under way. It does not count as a use.
func (c *Cache[K, A]) Has(k K) Effect[bool] {
	return Sync(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		at, ok := c.byKey[k]
		return ok && at.Value.(*cacheEntry[K, A]).fresh()
	})
}

func (e *cacheEntry[K, A]) fresh() bool { return e.expires.IsZero() || time.Now().Before(e.expires) }

// Size is how many keys are kept or being looked up.
func (c *Cache[K, A]) Size() Effect[int] {
	return c.Keys().Map(func(keys []K) int { return len(keys) })
}

// Keys are the keys that are kept or being looked up, the most recently used first.
func (c *Cache[K, A]) Keys() Effect[[]K] {
	return Sync(func() (out []K) {
		c.each(func(e *cacheEntry[K, A]) { out = append(out, e.key) })
		return out
	})
}

// Values are the kept values by key, without failures and lookups under way.
func (c *Cache[K, A]) Values() Effect[map[K]A] {
	return Sync(func() map[K]A {
		out := map[K]A{}
		c.each(func(e *cacheEntry[K, A]) {
			if e.known && e.exit.Cause == nil {
				out[e.key] = e.exit.Value
			}
		})
		return out
	})
}

func (c *Cache[K, A]) each(f func(*cacheEntry[K, A])) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := c.recent.Front(); at != nil; at = at.Next() {
		if e := at.Value.(*cacheEntry[K, A]); e.fresh() {
			f(e)
		}
	}
}

// Invalidate forgets the key. Those who wait for a lookup under way still get its outcome; who comes later does not.
func (c *Cache[K, A]) Invalidate(k K) Effect[Unit] {
	return Call(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if at, ok := c.byKey[k]; ok {
			c.remove(at.Value.(*cacheEntry[K, A]))
		}
	})
}

// InvalidateWhen forgets the key if its kept value satisfies the predicate, and tells whether it did.
func (c *Cache[K, A]) InvalidateWhen(k K, predicate func(A) bool) Effect[bool] {
	return Sync(func() bool {
		entry := c.kept(k)
		if entry == nil || !predicate(entry.exit.Value) {
			return false
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		at, ok := c.byKey[k]
		if !ok || at.Value != any(entry) {
			return false
		}
		c.remove(entry)
		return true
	})
}

// kept is the entry of a key that has a value.
func (c *Cache[K, A]) kept(k K) *cacheEntry[K, A] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byKey[k]; ok {
		if e := at.Value.(*cacheEntry[K, A]); e.known && e.exit.Cause == nil && e.fresh() {
			return e
		}
	}
	return nil
}

// InvalidateAll forgets all keys. See [Cache.Invalidate].
func (c *Cache[K, A]) InvalidateAll() Effect[Unit] {
	return Call(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.byKey = map[K]*list.Element{}
		c.recent.Init()
	})
}
