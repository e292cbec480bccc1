package effect

import (
	"maps"
	"slices"

	"github.com/rivus/agentkit/errors"
)

// What an RcMap holds now, and letting go of it.

// Keys are the keys whose resources are there or being acquired, in no particular order. Of a closed map it is an interruption.
func (m *RcMap[K, A]) Keys() Effect[[]K] {
	return Effect[[]K]{eval: func(v *env) ([]K, *errors.Cause) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.closed {
			return nil, errors.InterruptCause(v.fiber.id)
		}
		return slices.Collect(maps.Keys(m.entries)), nil
	}}
}

// Has tells whether the resource of the key is there or being acquired.
func (m *RcMap[K, A]) Has(k K) Effect[bool] {
	return Sync(func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.entries[k] != nil
	})
}

// Touch restarts the clock of an idle resource. One in use, or none, is left alone.
func (m *RcMap[K, A]) Touch(k K) Effect[Unit] {
	return Call(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if e := m.entries[k]; e != nil && e.idle != nil {
			e.idle.Stop()
			e.rest(e.ttl)
		}
	})
}

// Invalidate lets go of the key: the next one who needs it acquires a new resource. One that nobody uses is released now, and
// others by their last user.
func (m *RcMap[K, A]) Invalidate(k K) Effect[Unit] {
	return Suspend(func() (none Effect[Unit]) {
		m.mu.Lock()
		defer m.mu.Unlock()
		e := m.entries[k]
		if e == nil {
			return none
		}
		e.forget()
		if e.users > 0 {
			return none
		}
		return CloseScope(e.scope, released)
	})
}

// close releases everything.
func (m *RcMap[K, A]) close() Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		m.mu.Lock()
		m.closed = true
		entries := slices.Collect(maps.Values(m.entries))
		for _, e := range entries {
			e.forget()
		}
		m.mu.Unlock()
		for _, e := range entries {
			e.joint.stop(v.fiber.id)
			c = c.Concat(passed(e.scope.Close(v, released)))
		}
		m.releasing.Wait()
		return u, c
	}}
}
