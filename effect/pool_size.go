package effect

import (
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// How a pool grows and shrinks. The pool's lock is held by whoever calls these, unless it says otherwise.

// target is how many items there should be.
func (p *Pool[A]) target() int {
	if p.closed {
		return 0
	}
	return p.config.size(p.usage)
}

// grow begins to acquire as many items as are missing.
func (p *Pool[A]) grow() {
	for p.target() > p.active+len(p.acquiring) {
		item := &poolItem[A]{scope: scope.New()}
		t := p.region.task(launch{}, item.scope, func(v *env) (c *errors.Cause) {
			item.value, c = p.config.Acquire.exec(v)
			return c
		})
		p.acquiring[t] = Unit{}
		p.ends.Add(1)
		go p.acquire(t, item)
	}
}

// acquire makes an item, on a goroutine of its own, without the lock.
func (p *Pool[A]) acquire(t *task, item *poolItem[A]) {
	cause := goexit // unless it returns
	defer func() { p.acquired(t, item, cause) }()
	cause = t.run()
}

// acquired takes in what became of an acquisition, without the lock.
func (p *Pool[A]) acquired(t *task, item *poolItem[A], cause *errors.Cause) {
	if cause != nil {
		p.region.inBackground("release what a failed acquisition of a pool had acquired", func(v *env) *errors.Cause {
			return passed(item.scope.Close(v, scope.Exit{Cause: cause}))
		})
	}
	p.mu.Lock()
	delete(p.acquiring, t)
	switch {
	case cause != nil:
		p.failed(cause)
		p.mu.Unlock()
		p.ends.Done()
	case p.closed:
		p.items[item] = Unit{} // its place in ends is the acquisition's
		item.invalid = true
		p.mu.Unlock()
		p.releaseInBackground(item)
	default:
		p.items[item] = Unit{}
		p.active++
		p.admit(item)
		p.mu.Unlock()
	}
}

// admit lends a new item to those who wait for one, or keeps it for later.
func (p *Pool[A]) admit(item *poolItem[A]) {
	p.free.pushBack(item)
	for item.listed {
		w := p.waiting.pop()
		if w == nil {
			break
		}
		p.lend(item)
		w.serve(item, nil)
	}
	switch {
	case p.config.TTL <= 0:
	case p.config.TTLFrom == PoolTTLFromCreation:
		item.expiry = time.AfterFunc(p.config.TTL, func() { p.expire(item) })
	default:
		item.idleSince = time.Now()
		p.watchSurplus()
	}
}

// failed hands a failure to the one who has waited longest, and tries again for the others. When nobody waits it is forgotten:
// the next borrower begins a new acquisition.
func (p *Pool[A]) failed(cause *errors.Cause) {
	w := p.waiting.pop()
	if w == nil {
		return
	}
	p.usage--
	w.serve(nil, cause)
	if p.waiting.first != nil {
		p.grow()
	}
	p.watchSurplus()
}

// releaseInBackground releases an item on a goroutine of the pool, without the lock.
func (p *Pool[A]) releaseInBackground(item *poolItem[A]) {
	p.region.inBackground("release an item of a pool", func(v *env) *errors.Cause { return p.release(v, item) })
}

// expire replaces an item whose time is over, without the lock.
func (p *Pool[A]) expire(item *poolItem[A]) {
	p.mu.Lock()
	if item.invalid || p.closed {
		p.mu.Unlock()
		return
	}
	idle := p.retire(item)
	p.grow()
	p.mu.Unlock()
	if idle {
		p.releaseInBackground(item)
	}
}

// watchSurplus sets the clock for the moment at which the item that has been idle longest can be let go, if there are more
// items than needed.
func (p *Pool[A]) watchSurplus() {
	if p.config.TTL <= 0 || p.config.TTLFrom != PoolTTLFromUse || p.sweep != nil || p.closed || p.active <= p.target() {
		return
	}
	oldest := p.free.last
	for oldest != nil && oldest.borrowers > 0 {
		oldest = oldest.prev
	}
	if oldest == nil {
		return
	}
	due := max(oldest.idleSince.Add(p.config.TTL).Sub(p.born), time.Since(p.born))
	rounds := (due + p.config.TTL - 1) / p.config.TTL
	p.sweep = time.AfterFunc(time.Until(p.born.Add(rounds*p.config.TTL)), p.shrink)
}

// shrink lets go of idle items that are more than needed, those that have been idle longest first, without the lock.
func (p *Pool[A]) shrink() {
	var surplus []*poolItem[A]
	p.mu.Lock()
	p.sweep = nil
	if p.closed {
		p.mu.Unlock()
		return
	}
	now := time.Now()
	for item := p.free.last; item != nil && p.active > p.target(); {
		candidate := item
		item = item.prev
		if candidate.borrowers == 0 && now.Sub(candidate.idleSince) >= p.config.TTL {
			p.retire(candidate)
			surplus = append(surplus, candidate)
		}
	}
	p.watchSurplus()
	p.mu.Unlock()
	for _, item := range surplus {
		p.releaseInBackground(item)
	}
}
