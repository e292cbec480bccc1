package guides

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/lease/leasetest"
	"github.com/rivus/agentkit/platform/platformtest"
)

// An engine stands for the client of a store that counts the writes of each key, and compares and writes in one step.
type engine interface {
	Get(ctx context.Context, key string) (value []byte, version int64, found bool, err error)
	// Put writes if the version is that one; 0 is a key that is not there.
	Put(ctx context.Context, key string, value []byte, version int64) (written bool, err error)
	// Lock waits for a lock that the engine frees when this client is gone.
	Lock(ctx context.Context, name string) (unlock func() error, err error)
}

// leases is a lease.Repository on such an engine.
type leases struct{ engine engine }

func (l *leases) Load(ctx context.Context, key string) (record lease.Record, found bool, err error) {
	record, _, found, err = l.get(ctx, key)
	return record, found, err
}

func (l *leases) get(ctx context.Context, key string) (record lease.Record, version int64, found bool, err error) {
	value, version, found, err := l.engine.Get(ctx, "lease/"+lease.FileName(key))
	if err != nil || !found {
		return record, 0, false, err
	}
	if err := json.Unmarshal(value, &record); err != nil {
		return record, 0, false, &lease.RepositoryFailure{Key: key, Reason: lease.InvalidRecord, Message: "it is no record", Cause: err}
	}
	return record, version, true, nil
}

func (l *leases) Save(ctx context.Context, record lease.Record, expected mo.Option[int64]) error {
	current, version, found, err := l.get(ctx, record.Key)
	if err != nil {
		return err
	}
	if stored := mo.TupleToOption(current.Revision, found); stored != expected {
		return &lease.RevisionConflict{Key: record.Key, Expected: expected, Stored: stored}
	}
	value, err := json.Marshal(record)
	if err != nil {
		return err
	}
	written, err := l.engine.Put(ctx, "lease/"+lease.FileName(record.Key), value, version)
	if err == nil && !written { // somebody was faster
		return &lease.RevisionConflict{Key: record.Key, Expected: expected}
	}
	return err
}

func (l *leases) Fence(ctx context.Context, key string) (release func() error, err error) {
	return l.engine.Lock(ctx, "fence/"+lease.FileName(key))
}

var toyStore = leasetest.Store{
	Name: "toy",
	Open: func(ctx context.Context, location string) (lease.Repository, func() error, error) {
		return &leases{dial(location)}, func() error { return nil }, nil
	},
}

func TestMain(m *testing.M) { platformtest.Main(m, leasetest.Programs(toyStore)) }

func TestTheRepositoryPassesTheContract(t *testing.T) { leasetest.Run(t, toyStore) }

// toy is an engine in memory.
type toy struct {
	mu     sync.Mutex
	values map[string]versioned
	locks  map[string]chan struct{}
}

type versioned struct {
	value   []byte
	version int64
}

var (
	toysMu sync.Mutex
	toys   = map[string]*toy{}
)

// dial is the engine at a location.
func dial(location string) engine {
	toysMu.Lock()
	defer toysMu.Unlock()
	if toys[location] == nil {
		toys[location] = &toy{values: map[string]versioned{}, locks: map[string]chan struct{}{}}
	}
	return toys[location]
}

func (e *toy) Get(_ context.Context, key string) ([]byte, int64, bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, found := e.values[key]
	return v.value, v.version, found, nil
}

func (e *toy) Put(_ context.Context, key string, value []byte, version int64) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.values[key].version != version {
		return false, nil
	}
	e.values[key] = versioned{value, version + 1}
	return true, nil
}

func (e *toy) Lock(ctx context.Context, name string) (func() error, error) {
	e.mu.Lock()
	lock := e.locks[name]
	if lock == nil {
		lock = make(chan struct{}, 1)
		e.locks[name] = lock
	}
	e.mu.Unlock()
	select {
	case lock <- struct{}{}:
		return func() error { <-lock; return nil }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
