package effect

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// RcMapConfig says what an [RcMap] holds.
type RcMapConfig[K comparable, A any] struct {
	// Acquire makes the resource of a key; it has a scope of its own. Required.
	Acquire func(K) Effect[A]
	// IdleTTL is how long a resource is kept that nobody uses. Defaults to not at all.
	IdleTTL func(K) time.Duration
	// Capacity is how many resources there may be at once; one more is the failure [*CapacityExceeded]. Defaults to no bound.
	Capacity int
}

// RcMap holds resources by key and counts who uses them (Effect's RcMap). The first who needs a key acquires its resource,
// others share it, and it is released when the last one's scope has closed.
//
// A resource is acquired on a fiber of its own, with the services and values around the map. The acquisition survives the
// interruption of who began it, and is interrupted when all who wait have been. Those who wait share a failure; it is not
// remembered.
//
// The scope around [NewRcMap] owns the map: when it closes, all resources are released, also those in use.
type RcMap[K comparable, A any] struct {
	config RcMapConfig[K, A]
	region *env // around the map: what acquires and releases runs there

	mu        sync.Mutex
	closed    bool
	entries   map[K]*rcEntry[K, A]
	releasing sync.WaitGroup // idle resources that are being released
}

// rcEntry is a resource that is being acquired, or has been.
type rcEntry[K comparable, A any] struct {
	owner *RcMap[K, A]
	key   K
	joint *joint[A]
	scope *scope.Scope
	users int // including those who wait
	ttl   time.Duration
	idle  *time.Timer // runs while there are no users
}

// CapacityExceeded is the failure of one resource too many in an [RcMap].
type CapacityExceeded struct {
	Capacity int // how many keys there may be
}

// Error says how many there may be.
func (e *CapacityExceeded) Error() string {
	return "RcMap attempted to exceed capacity of " + strconv.Itoa(e.Capacity) + "; release a resource, or raise the capacity"
}

// Tag is "ExceededCapacityError".
func (e *CapacityExceeded) Tag() string { return "ExceededCapacityError" }

// NewRcMap is an empty map, which the surrounding scope owns. Without a scope it is the defect [NoScope].
//
// It fails with [*InvalidConfig].
func NewRcMap[K comparable, A any](config RcMapConfig[K, A]) Effect[*RcMap[K, A]] {
	return Effect[*RcMap[K, A]]{eval: func(v *env) (*RcMap[K, A], *errors.Cause) {
		switch {
		case v.scope == nil:
			return nil, errors.DieCause(&NoScope{"NewRcMap"})
		case config.Acquire == nil:
			return nil, errors.FailCause(&InvalidConfig{"RcMap", "Acquire", "is required"})
		case config.Capacity < 0:
			return nil, errors.FailCause(&InvalidConfig{"RcMap", "Capacity", "is negative"})
		}
		m := &RcMap[K, A]{config: config, region: v.onGoroutine(), entries: map[K]*rcEntry[K, A]{}}
		return m, v.addFinalizer(v.scope, func(scope.Exit) Effect[Unit] { return m.close() })
	}}
}

// Get is the resource of the key, for as long as the surrounding scope is open. Without a scope it is the defect [NoScope]; of a
// closed map it is an interruption.
//
// It fails with [*CapacityExceeded], and as the acquisition does.
func (m *RcMap[K, A]) Get(k K) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, c *errors.Cause) {
		if v.scope == nil {
			return a, errors.DieCause(&NoScope{"RcMap.Get"})
		}
		entry, c := m.use(v, k)
		if c != nil {
			return a, c
		}
		a, c = entry.joint.wait(v)
		if c != nil {
			return a, meet(c, passed(entry.leave(v.mask())))
		}
		u := &rcUse[K, A]{entry: entry}
		return a, passed(v.scope.Register(v.mask(), &u.Entry, u))
	}}
}

// use is the entry of a key, with the caller counted as a user and as one who waits.
func (m *RcMap[K, A]) use(v *env, k K) (*rcEntry[K, A], *errors.Cause) {
	ttl := time.Duration(0)
	if m.config.IdleTTL != nil {
		ttl = m.config.IdleTTL(k)
	}
	if v.stopped() {
		return nil, v.pending()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, errors.InterruptCause(v.fiber.id)
	}
	entry := m.entries[k]
	if entry == nil {
		if m.config.Capacity > 0 && len(m.entries) >= m.config.Capacity {
			return nil, errors.FailCause(&CapacityExceeded{m.config.Capacity})
		}
		entry = &rcEntry[K, A]{owner: m, key: k, scope: scope.New(), ttl: ttl}
		entry.joint = startJoint(m.region, entry.scope, &m.mu, nil, func(v *env) (A, *errors.Cause) {
			e := m.config.Acquire(k)
			return e.exec(v)
		}, func(_ A, c *errors.Cause) {
			if c != nil {
				entry.forget()
			}
		})
		m.entries[k] = entry
	}
	if entry.idle != nil {
		entry.idle.Stop()
		entry.idle = nil
	}
	entry.users++
	entry.joint.waiting++
	return entry, nil
}

// current tells whether the next one who needs the key will share the entry. The lock is held, as with the others.
func (e *rcEntry[K, A]) current() bool { return e.owner.entries[e.key] == e }

func (e *rcEntry[K, A]) forget() {
	if e.current() {
		delete(e.owner.entries, e.key)
	}
	if e.idle != nil {
		e.idle.Stop()
		e.idle = nil
	}
}

// rcUse is a scope's use of a resource, which ends with the scope.
type rcUse[K comparable, A any] struct {
	scope.Entry
	entry *rcEntry[K, A]
}

// Finalize ends the use.
func (u *rcUse[K, A]) Finalize(ctx context.Context, _ scope.Exit) error { return u.entry.leave(ctx) }

// leave ends a use. The last one releases the resource, or lets it idle.
func (e *rcEntry[K, A]) leave(ctx context.Context) error {
	m := e.owner
	m.mu.Lock()
	e.users--
	if e.users > 0 {
		m.mu.Unlock()
		return nil
	}
	if e.ttl > 0 && e.current() {
		e.rest(e.ttl)
		m.mu.Unlock()
		return nil
	}
	e.forget()
	m.mu.Unlock()
	return e.scope.Close(ctx, released)
}

// released is what the scope of a resource closes with that nobody uses any more.
var released = scope.Exit{Value: Unit{}}

// rest starts the clock of an entry without users.
func (e *rcEntry[K, A]) rest(d time.Duration) {
	if d == NeverExpires {
		return
	}
	var idle *time.Timer
	idle = time.AfterFunc(d, func() {
		m := e.owner
		m.mu.Lock()
		if e.idle != idle { // used, touched or closed in the meantime
			m.mu.Unlock()
			return
		}
		e.forget()
		m.releasing.Add(1)
		m.mu.Unlock()
		defer m.releasing.Done()
		m.region.inBackground("release an idle resource", func(v *env) *errors.Cause {
			return passed(e.scope.Close(v, released))
		})
	})
	e.idle = idle
}
