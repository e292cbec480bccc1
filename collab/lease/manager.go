package lease

import (
	"context"
	"sync"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
)

// A Manager acquires leases of one [Repository] and keeps the ones it holds alive. It is safe for use by many fibers.
//
// Managers observe independently: two of them in one process contend like two processes.
type Manager struct {
	repository Repository
	renewer    Renewer // the repository, where it can renew many at once
	config     Config

	// mu guards everything below and the mutable state of leases and hearts. It is never held across a blocking call.
	mu    sync.Mutex
	seen  map[string]Observation
	held  map[string]*Lease // the leases of this manager that are neither lost nor released
	heart *heart            // renews all of them, where one heart can
}

// NewManager returns a manager of the leases in repository. It starts nothing. It fails with [*ConfigInvalid].
func NewManager(repository Repository, config Config) (*Manager, error) {
	if repository == nil {
		return nil, &ConfigInvalid{Message: "the repository is nil"}
	}
	config, err := config.resolve()
	if err != nil {
		return nil, err
	}
	m := &Manager{repository: repository, config: config, seen: map[string]Observation{}, held: map[string]*Lease{}}
	m.renewer, _ = repository.(Renewer)
	return m, nil
}

// Read is the record of key as it is stored, whoever holds it. It fails with [*KeyInvalid] and [*RepositoryFailure].
func (m *Manager) Read(key string) effect.Effect[mo.Option[Record]] {
	return effect.Try(func(ctx context.Context) (mo.Option[Record], error) {
		if err := ValidateKey(key); err != nil {
			return mo.None[Record](), err
		}
		return m.load(ctx, key)
	})
}

// load reads a record without trusting it.
func (m *Manager) load(ctx context.Context, key string) (mo.Option[Record], error) {
	record, found, err := m.repository.Load(ctx, key)
	if err != nil {
		return mo.None[Record](), m.storeFailure(ctx, key, err)
	}
	return mo.TupleToOption(record, found), nil
}

// loadValid reads a record that can be relied on, if there is one.
func (m *Manager) loadValid(ctx context.Context, key string) (mo.Option[Record], error) {
	stored, err := m.load(ctx, key)
	if err != nil {
		return stored, err
	}
	if record, found := stored.Get(); found {
		return stored, record.Validate()
	}
	return stored, nil
}

// storeFailure keeps an interruption, and names anything else in the repository's terms.
func (m *Manager) storeFailure(ctx context.Context, key string, err error) error {
	if interrupted(ctx, err) {
		return err
	}
	return asRepositoryFailure(key, err)
}

// observe remembers that record was seen now, and reports whether it is fresh.
func (m *Manager) observe(record Record) (fresh bool) {
	clock := m.config.Platform.Clock
	now := clock.Monotonic()
	asleep := clock.Boot() - now
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen[record.Key].Observe(record, now, asleep)
	m.seen[record.Key] = seen
	return IsFresh(record, seen, now, m.config.TTL)
}

// wallClock is the time for people, as precise as it is stored.
func (m *Manager) wallClock() time.Time {
	return m.config.Platform.Clock.Now().Truncate(time.Millisecond)
}

func (m *Manager) emit(event Event) {
	if m.config.OnEvent != nil {
		m.config.OnEvent(event)
	}
}
