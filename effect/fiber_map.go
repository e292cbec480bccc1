package effect

import (
	"context"
	"maps"
	"slices"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// FiberMap is fibers by key. They belong to the map, not to the fibers that started them: they run until they are over, until
// another one takes their key, or until the map closes with its scope, which interrupts them all and waits for them (Effect's
// FiberMap). A fiber that is over leaves the map.
type FiberMap[K comparable, A any] struct {
	keeper[A]
	byKey map[K]*Fiber[A]
}

// NewFiberMap is an empty map that closes with the surrounding scope. Without a scope it is the defect [NoScope].
func NewFiberMap[K comparable, A any]() Effect[*FiberMap[K, A]] {
	return Effect[*FiberMap[K, A]]{eval: func(v *env) (*FiberMap[K, A], *errors.Cause) {
		m := &FiberMap[K, A]{byKey: map[K]*Fiber[A]{}}
		return m, m.open(v, "NewFiberMap")
	}}
}

// Run starts e as the fiber of key, with the services and values of where it is called. The fiber that had the key is interrupted,
// and not waited for. On a closed map Run ends as interrupted.
func (m *FiberMap[K, A]) Run(key K, e Effect[A], options ...RunOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		return m.runOrInterrupt(v, e, m.at(key), options)
	}}
}

// RunNow is [FiberMap.Run] for plain Go: with the services and values of ctx, whose cancellation does not touch the fiber
// (Effect's FiberMap.runtime). On a closed map it is a fiber that was interrupted before it began.
func (m *FiberMap[K, A]) RunNow(ctx context.Context, key K, e Effect[A], options ...RunOption) *Fiber[A] {
	return m.runNow(ctx, e, m.at(key), options)
}

// Set gives key to a fiber that runs already, as Run does. On a closed map, or if it is not wanted, it interrupts the fiber.
func (m *FiberMap[K, A]) Set(key K, f *Fiber[A], options ...RunOption) Effect[Unit] {
	return m.hold(f, m.at(key), options)
}

func (m *FiberMap[K, A]) at(key K) place[A] {
	return place[A]{
		get: func() *Fiber[A] { return m.byKey[key] },
		set: func(f *Fiber[A]) {
			if f == nil {
				delete(m.byKey, key)
			} else {
				m.byKey[key] = f
			}
		},
	}
}

// Get is the fiber of key.
func (m *FiberMap[K, A]) Get(key K) Effect[mo.Option[*Fiber[A]]] {
	return Sync(func() mo.Option[*Fiber[A]] {
		f, ok := m.GetNow(key)
		return mo.TupleToOption(f, ok)
	})
}

// GetNow is [FiberMap.Get] for plain Go.
func (m *FiberMap[K, A]) GetNow(key K) (*Fiber[A], bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.byKey[key]
	return f, ok && !m.closed
}

// Has tells whether there is a fiber of key.
func (m *FiberMap[K, A]) Has(key K) Effect[bool] {
	return Sync(func() bool { _, ok := m.GetNow(key); return ok })
}

// Remove interrupts the fiber of key, if there is one, and waits for it.
func (m *FiberMap[K, A]) Remove(key K) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		f, ok := m.GetNow(key)
		if !ok {
			return u, nil
		}
		return u, stopAll(v, []*Fiber[A]{f}, errors.InternalFiber)
	}}
}

// Clear interrupts all fibers at once and waits for them.
func (m *FiberMap[K, A]) Clear() Effect[Unit] { return m.clear(m.found) }

// Size is how many keys have a fiber.
func (m *FiberMap[K, A]) Size() Effect[int] { return Sync(m.SizeNow) }

// SizeNow is [FiberMap.Size] for plain Go.
func (m *FiberMap[K, A]) SizeNow() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0
	}
	return len(m.byKey)
}

// Join waits until a fiber does not succeed, and ends with its cause, or until the map closes. Interruptions alone do not count;
// see [PropagateInterruption].
func (m *FiberMap[K, A]) Join() Effect[Unit] { return m.joined.Await() }

// AwaitEmpty waits until no key has a fiber.
func (m *FiberMap[K, A]) AwaitEmpty() Effect[Unit] { return m.awaitEmpty(m.found) }

func (m *FiberMap[K, A]) found() []*Fiber[A] { return slices.Collect(maps.Values(m.byKey)) }
