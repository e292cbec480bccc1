package effect

import (
	"context"
	"sync"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Pool lends items that are costly to make (Effect's Pool). An item goes to one borrower at a time, or to as many as the
// configuration says, and comes back when the borrower's scope closes. The one that came back last is lent first.
//
// Borrowers wait in the order of their coming. Nothing waits by polling.
type Pool[A any] struct {
	config PoolConfig[A]
	region *env // around the pool: what acquires and releases runs there
	born   time.Time

	mu        sync.Mutex
	closed    bool
	items     map[*poolItem[A]]Unit // those that are not yet released
	free      poolList[A]           // those that can be lent; the next one first
	waiting   waiters[A]
	usage     int // borrowers, also those who wait
	active    int // items that count: not invalidated
	acquiring map[*task]Unit
	sweep     *time.Timer    // for the surplus; nil when there is none
	ends      sync.WaitGroup // items, acquisitions and releases that closing waits for
}

// poolItem is an item of a pool.
type poolItem[A any] struct {
	value      A
	scope      *scope.Scope
	borrowers  int
	invalid    bool // not lent again
	idleSince  time.Time
	expiry     *time.Timer // since creation
	prev, next *poolItem[A]
	listed     bool
}

// NewPool is a pool that the surrounding scope owns. It begins to acquire its first items in the background. When the scope
// closes, borrowers who wait are interrupted, and closing waits until all items have come back and are released. Items are
// acquired and released with the services around the pool. Without a scope it is the defect [NoScope].
//
// It fails with [*InvalidConfig].
func NewPool[A any](config PoolConfig[A]) Effect[*Pool[A]] {
	return Effect[*Pool[A]]{eval: func(v *env) (*Pool[A], *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"NewPool"})
		}
		config, err := config.complete()
		if err != nil {
			return nil, errors.FailCause(err)
		}
		p := &Pool[A]{config: config, region: v.onGoroutine(), items: map[*poolItem[A]]Unit{}, acquiring: map[*task]Unit{}}
		if config.TTL > 0 {
			p.born = time.Now()
		}
		c := v.addFinalizer(v.scope, func(scope.Exit) Effect[Unit] { return p.close() })
		p.mu.Lock()
		p.grow()
		p.mu.Unlock()
		return p, v.leave(c)
	}}
}

// Get borrows an item for as long as the surrounding scope is open. It waits while all are lent and there may be no more.
// Without a scope it is the defect [NoScope]; of a closed pool it is an interruption.
//
// If an item has to be made for a borrower, it fails as that does; trying again makes another.
func (p *Pool[A]) Get() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
		if v.scope == nil {
			return a, errors.DieCause(&NoScope{"Pool.Get"})
		}
		item, c := p.take(v)
		if c != nil {
			return a, c
		}
		l := &poolLoan[A]{pool: p, item: item}
		return item.value, passed(v.scope.Register(context.Background(), &l.Entry, l))
	}}
}

// poolLoan is an item in a borrower's scope.
type poolLoan[A any] struct {
	scope.Entry
	pool *Pool[A]
	item *poolItem[A]
}

// Finalize gives the item back.
func (l *poolLoan[A]) Finalize(ctx context.Context, _ scope.Exit) error {
	return l.pool.put(ctx, l.item).AsError()
}

// Use borrows an item for the effect that f makes of it: [Pool.Get] without a scope, and cheaper (Effect's Pool.use).
func (p *Pool[A]) Use[B any](f func(A) Effect[B]) Effect[B] {
	return Effect[B]{eval: func(v *env) (b B, c *errors.Cause) {
		item, c := p.take(v)
		if c != nil {
			return b, c
		}
		returned, room := false, v.room
		defer func() { // like guard, which would need one more effect to call f in
			v.room = room
			if !returned {
				c = goexit
				if r := recover(); r != nil {
					c = v.recovered(r)
				}
			}
			if !p.putBack(item) {
				c = meet(c, p.put(v.mask(), item))
			}
			if c = v.leave(c); c != nil {
				b = *new(B)
			}
		}()
		e := f(item.value)
		b, c = e.deeper(v)
		returned = true
		return b, c
	}}
}

// take borrows an item.
func (p *Pool[A]) take(v *env) (*poolItem[A], *errors.Cause) {
	if v.stopped() {
		return nil, v.pending()
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errors.InterruptCause(v.fiber.id)
	}
	p.usage++
	if item := p.free.first; item != nil {
		p.lend(item)
		if p.active < p.config.Max && p.target() > p.active+len(p.acquiring) {
			p.grow()
		}
		p.mu.Unlock()
		return item, nil
	}
	w := p.waiting.add(v.sleeper())
	defer w.who.rest()
	p.grow()
	p.mu.Unlock()
	if c := v.sleep(w.who); c != nil {
		return nil, meet(c, p.leave(v, w))
	}
	if w.interrupted {
		return nil, errors.InterruptCause(v.fiber.id)
	}
	return w.item, w.cause
}

// leave lets an interrupted borrower go, who may have been served already.
func (p *Pool[A]) leave(v *env, w *waiter[A]) *errors.Cause {
	p.mu.Lock()
	if p.waiting.remove(w) {
		p.usage--
		p.watchSurplus()
		p.mu.Unlock()
		return nil
	}
	p.mu.Unlock()
	if w.item != nil {
		return p.put(v.mask(), w.item)
	}
	return nil
}

// lend makes item one more borrower's.
func (p *Pool[A]) lend(item *poolItem[A]) {
	item.borrowers++
	if item.borrowers >= p.config.Concurrency {
		p.free.remove(item)
	}
}

// putBack is put for the common case: the item is sound and nobody waits. False when it is not.
func (p *Pool[A]) putBack(item *poolItem[A]) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || item.invalid || p.waiting.first != nil || p.config.TTL > 0 {
		return false
	}
	item.borrowers--
	p.usage--
	p.free.pushFront(item)
	return true
}

// put takes an item back, and releases one that is not to be lent again.
func (p *Pool[A]) put(ctx context.Context, item *poolItem[A]) (c *errors.Cause) {
	p.mu.Lock()
	item.borrowers--
	p.usage--
	if item.invalid || p.closed {
		last := item.borrowers == 0
		p.watchSurplus() // what replaced it may idle already
		p.mu.Unlock()
		if last {
			c = p.release(ctx, item)
		}
		return c
	}
	p.free.pushFront(item)
	if w := p.waiting.pop(); w != nil {
		p.lend(item)
		w.serve(item, nil)
	} else if p.config.TTL > 0 {
		item.idleSince = time.Now()
		p.watchSurplus()
	}
	p.mu.Unlock()
	return nil
}

// release releases an item that nobody has and nobody will get.
func (p *Pool[A]) release(ctx context.Context, item *poolItem[A]) *errors.Cause {
	c := passed(item.scope.Close(ctx, released))
	p.mu.Lock()
	_, there := p.items[item]
	delete(p.items, item)
	p.mu.Unlock()
	if there {
		p.ends.Done()
	}
	return c
}

// Invalidate takes an item out: it is not lent again, and is released now, or when its last borrower gives it back. Its place is
// filled at once. Items are told apart by ==; an item of a type that has none is never found.
func (p *Pool[A]) Invalidate(a A) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		p.mu.Lock()
		var found *poolItem[A]
		for item := range p.items {
			if !item.invalid && errors.Same(item.value, a) {
				found = item
			}
		}
		if found == nil || p.closed {
			p.mu.Unlock()
			return u, nil
		}
		idle := p.retire(found)
		p.grow()
		p.mu.Unlock()
		if idle {
			c = p.release(v.mask(), found)
		}
		return u, v.leave(c)
	}}
}

// retire makes an item one that is not lent again, and tells whether nobody has it: then the caller releases it.
func (p *Pool[A]) retire(item *poolItem[A]) (idle bool) {
	item.invalid = true
	p.active--
	p.free.remove(item)
	if item.expiry != nil {
		item.expiry.Stop()
	}
	return item.borrowers == 0
}

// close stops everything and waits until it is over.
func (p *Pool[A]) close() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		p.mu.Lock()
		p.closed = true
		if p.sweep != nil {
			p.sweep.Stop()
		}
		var idle []*poolItem[A]
		for item := range p.items {
			if !item.invalid && p.retire(item) {
				idle = append(idle, item)
			}
		}
		for t := range p.acquiring {
			t.core.interrupt(errors.Interrupt{By: v.fiber.id})
		}
		for w := p.waiting.pop(); w != nil; w = p.waiting.pop() {
			p.usage--
			w.interrupt()
		}
		p.mu.Unlock()
		for _, item := range idle {
			c = c.Concat(p.release(v, item))
		}
		p.ends.Wait()
		return u, c
	}}
}
