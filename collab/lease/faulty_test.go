package lease_test

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
)

// faultyStore puts faults in front of a repository, one key at a time: it hides the optional interface.
type faultyStore struct {
	lease.Repository
	hidden atomic.Bool // Load finds nothing
	saves  atomic.Int64
	loads  atomic.Int64

	mu     sync.Mutex
	onSave func(ctx context.Context, r lease.Record, save func() error) error
	onLoad func(ctx context.Context, load func() (lease.Record, bool, error)) (lease.Record, bool, error)
}

func (f *faultyStore) failSaves(how func(ctx context.Context, r lease.Record, save func() error) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onSave = how
}

func (f *faultyStore) failLoads(how func(ctx context.Context, load func() (lease.Record, bool, error)) (lease.Record, bool, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onLoad = how
}

func (f *faultyStore) Load(ctx context.Context, key string) (lease.Record, bool, error) {
	f.loads.Add(1)
	if f.hidden.Load() {
		return lease.Record{}, false, nil
	}
	f.mu.Lock()
	how := f.onLoad
	f.mu.Unlock()
	load := func() (lease.Record, bool, error) { return f.Repository.Load(ctx, key) }
	if how == nil {
		return load()
	}
	return how(ctx, load)
}

func (f *faultyStore) Save(ctx context.Context, r lease.Record, expected mo.Option[int64]) error {
	f.saves.Add(1)
	f.mu.Lock()
	how := f.onSave
	f.mu.Unlock()
	save := func() error { return f.Repository.Save(ctx, r, expected) }
	if how == nil {
		return save()
	}
	return how(ctx, r, save)
}

// faultyRenewer is the same over a repository that renews many at once.
type faultyRenewer struct {
	lease.Renewer
	renewals atomic.Int64

	mu      sync.Mutex
	onRenew func(ctx context.Context, renew func() ([]int, error)) ([]int, error)
}

func (f *faultyRenewer) failRenewals(how func(ctx context.Context, renew func() ([]int, error)) ([]int, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onRenew = how
}

func (f *faultyRenewer) Renew(ctx context.Context, records []lease.Record) ([]int, error) {
	f.renewals.Add(1)
	f.mu.Lock()
	how := f.onRenew
	f.mu.Unlock()
	renew := func() ([]int, error) { return f.Renewer.Renew(ctx, records) }
	if how == nil {
		return renew()
	}
	return how(ctx, renew)
}
