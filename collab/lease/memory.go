package lease

import (
	"context"
	"sync"

	"github.com/samber/mo"
)

// Memory is a repository for leases among the fibers of one process. It starts empty and is gone with the process.
type Memory struct {
	mu      sync.Mutex
	records map[string]Record
	fences  map[string]*turnstile
}

// A turnstile lets one through at a time, in the order of coming.
type turnstile struct {
	slot  chan struct{} // holds one token while the fence is free
	users int           // who holds the fence or waits for it
}

var _ Renewer = (*Memory)(nil)

// NewMemory returns an empty repository in memory.
func NewMemory() *Memory {
	return &Memory{records: map[string]Record{}, fences: map[string]*turnstile{}}
}

// Load implements [Repository].
func (m *Memory) Load(_ context.Context, key string) (Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	record, found := m.records[key]
	return record, found, nil
}

// Save implements [Repository].
func (m *Memory) Save(_ context.Context, record Record, expected mo.Option[int64]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.saveLocked(record, expected)
}

func (m *Memory) saveLocked(record Record, expected mo.Option[int64]) error {
	var stored mo.Option[int64]
	if current, found := m.records[record.Key]; found {
		stored = mo.Some(current.Revision)
	}
	if stored != expected {
		return &RevisionConflict{Key: record.Key, Expected: expected, Stored: stored}
	}
	m.records[record.Key] = record
	return nil
}

// Renew implements [Renewer].
func (m *Memory) Renew(_ context.Context, records []Record) (conflicts []int, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, record := range records {
		if m.saveLocked(record, mo.Some(record.Revision-1)) != nil {
			conflicts = append(conflicts, i)
		}
	}
	return conflicts, nil
}

// Fence implements [Repository]. It fails only with the cause of ctx.
func (m *Memory) Fence(ctx context.Context, key string) (release func() error, _ error) {
	m.mu.Lock()
	t := m.fences[key]
	if t == nil {
		t = &turnstile{slot: make(chan struct{}, 1)}
		t.slot <- struct{}{}
		m.fences[key] = t
	}
	t.users++
	m.mu.Unlock()

	select {
	case <-t.slot:
		return sync.OnceValue(func() error {
			t.slot <- struct{}{}
			m.leave(key, t)
			return nil
		}), nil
	case <-ctx.Done():
		m.leave(key, t)
		return nil, context.Cause(ctx)
	}
}

// leave forgets a turnstile that nobody uses any more.
func (m *Memory) leave(key string, t *turnstile) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.users--; t.users == 0 {
		delete(m.fences, key)
	}
}
