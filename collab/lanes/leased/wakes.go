package leased

import (
	"context"
	"strconv"
	"sync"
)

// Wakes is where wakes are noted until they are served. The processes share it. Its methods may be called from several
// goroutines at once, and take effect one after the other.
type Wakes interface {
	// Note notes a wake of key, under a ticket that was never used before, in place of an earlier note of it. When it returns
	// without an error the note outlives this process.
	Note(ctx context.Context, key string) error
	// Find is the ticket of key's note, if there is one.
	Find(ctx context.Context, key string) (ticket string, found bool, err error)
	// Settle takes key's note away if it still has this ticket.
	Settle(ctx context.Context, key, ticket string) error
	// Keys are those that have a note, the one that has waited longest first.
	Keys(ctx context.Context) ([]string, error)
}

// Memory is a [Wakes] for tests and for lanes that one process has for itself. The zero value is empty and ready.
type Memory struct {
	mu    sync.Mutex
	last  int
	notes map[string]string
	order []string
}

// Note implements [Wakes].
func (m *Memory) Note(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.notes == nil {
		m.notes = map[string]string{}
	}
	if _, noted := m.notes[key]; !noted {
		m.order = append(m.order, key)
	}
	m.last++
	m.notes[key] = strconv.Itoa(m.last)
	return nil
}

// Find implements [Wakes].
func (m *Memory) Find(_ context.Context, key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ticket, found := m.notes[key]
	return ticket, found, nil
}

// Settle implements [Wakes].
func (m *Memory) Settle(_ context.Context, key, ticket string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.notes[key] == ticket {
		delete(m.notes, key)
	}
	return nil
}

// Keys implements [Wakes].
func (m *Memory) Keys(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.order[:0]
	for _, key := range m.order {
		if _, noted := m.notes[key]; noted {
			kept = append(kept, key)
		}
	}
	clear(m.order[len(kept):])
	m.order = kept
	return append([]string(nil), kept...), nil
}
