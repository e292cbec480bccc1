package leasetest

import (
	"context"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
)

// broken is a repository with a fault in it.
type broken struct {
	*lease.Memory
	save  func(m *lease.Memory, ctx context.Context, r lease.Record, expected mo.Option[int64]) error
	fence func(m *lease.Memory, ctx context.Context, key string) (func() error, error)
	renew func(m *lease.Memory, ctx context.Context, records []lease.Record) ([]int, error)
	load  func(m *lease.Memory, ctx context.Context, key string) (lease.Record, bool, error)
}

func (b broken) Save(ctx context.Context, r lease.Record, expected mo.Option[int64]) error {
	if b.save == nil {
		return b.Memory.Save(ctx, r, expected)
	}
	return b.save(b.Memory, ctx, r, expected)
}

func (b broken) Fence(ctx context.Context, key string) (func() error, error) {
	if b.fence == nil {
		return b.Memory.Fence(ctx, key)
	}
	return b.fence(b.Memory, ctx, key)
}

func (b broken) Renew(ctx context.Context, records []lease.Record) ([]int, error) {
	if b.renew == nil {
		return b.Memory.Renew(ctx, records)
	}
	return b.renew(b.Memory, ctx, records)
}

func (b broken) Load(ctx context.Context, key string) (lease.Record, bool, error) {
	if b.load == nil {
		return b.Memory.Load(ctx, key)
	}
	return b.load(b.Memory, ctx, key)
}

func TestTheContractFindsSeededFaults(t *testing.T) {
	overwrite := func(m *lease.Memory, ctx context.Context, r lease.Record) error {
		stored, found, _ := m.Load(ctx, r.Key)
		if !found {
			return m.Save(ctx, r, none)
		}
		return m.Save(ctx, r, mo.Some(stored.Revision))
	}
	for name, b := range map[string]struct {
		broken
		clause string
	}{
		"no comparison": {clause: "AStaleSaveConflictsAndChangesNothing", broken: broken{
			save: func(m *lease.Memory, ctx context.Context, r lease.Record, _ mo.Option[int64]) error {
				return overwrite(m, ctx, r)
			},
		}},
		"compare, then write": {clause: "ConcurrentWritersLoseNoWrite", broken: broken{
			save: func(m *lease.Memory, ctx context.Context, r lease.Record, expected mo.Option[int64]) error {
				stored, found, _ := m.Load(ctx, r.Key)
				if mo.TupleToOption(stored.Revision, found) != expected {
					return &lease.RevisionConflict{Key: r.Key, Expected: expected}
				}
				time.Sleep(time.Millisecond) // others compare meanwhile
				return overwrite(m, ctx, r)
			},
		}},
		"a conflict that writes": {clause: "AStaleSaveConflictsAndChangesNothing", broken: broken{
			save: func(m *lease.Memory, ctx context.Context, r lease.Record, expected mo.Option[int64]) error {
				err := m.Save(ctx, r, expected)
				if err != nil {
					_ = overwrite(m, ctx, r)
				}
				return err
			},
		}},
		"no fence": {clause: "AFenceHasOneHolderAtATime", broken: broken{
			fence: func(*lease.Memory, context.Context, string) (func() error, error) {
				return func() error { return nil }, nil
			},
		}},
		"one fence for all keys": {clause: "DistinctKeysAreDistinctRecordsAndFences", broken: broken{
			fence: func(m *lease.Memory, ctx context.Context, _ string) (func() error, error) {
				ctx, cancel := context.WithTimeout(ctx, hesitation)
				defer cancel()
				return m.Fence(ctx, "all")
			},
		}},
		"a fence that is never given back": {clause: "AFenceHasOneHolderAtATime", broken: broken{
			fence: func(m *lease.Memory, ctx context.Context, key string) (func() error, error) {
				ctx, cancel := context.WithTimeout(ctx, hesitation)
				defer cancel()
				_, err := m.Fence(ctx, key)
				return func() error { return nil }, err
			},
		}},
		"renewals that do not compare": {clause: "ARenewerRenewsExactlyWhatIsAtItsRevision", broken: broken{
			renew: func(m *lease.Memory, ctx context.Context, records []lease.Record) ([]int, error) {
				for _, r := range records {
					_ = overwrite(m, ctx, r)
				}
				return nil, nil
			},
		}},
		"all renewals or none": {clause: "ARenewerRenewsExactlyWhatIsAtItsRevision", broken: broken{
			renew: func(m *lease.Memory, ctx context.Context, records []lease.Record) (conflicts []int, _ error) {
				for i, r := range records {
					if stored, found, _ := m.Load(ctx, r.Key); !found || stored.Revision != r.Revision-1 {
						conflicts = append(conflicts, i)
					}
				}
				if len(conflicts) > 0 {
					return conflicts, nil
				}
				return m.Renew(ctx, records)
			},
		}},
		"a record without its holder's namespaces": {clause: "TheFirstSaveReadsBack", broken: broken{
			load: func(m *lease.Memory, ctx context.Context, key string) (lease.Record, bool, error) {
				r, found, err := m.Load(ctx, key)
				if r.Holder != nil {
					holder := *r.Holder
					holder.PIDNamespace = 0
					r.Holder = &holder
				}
				return r, found, err
			},
		}},
		"a record where none was saved": {clause: "AMissingKeyIsNotFound", broken: broken{
			load: func(*lease.Memory, context.Context, string) (lease.Record, bool, error) {
				return lease.Record{}, true, nil
			},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			store := Store{Name: name, Open: func(context.Context, string) (lease.Repository, func() error, error) {
				b.broken.Memory = lease.NewMemory()
				return b.broken, func() error { return nil }, nil
			}}
			for _, c := range contract {
				if c.name != b.clause {
					continue
				}
				if err := c.run(t.Context(), store.open(t)); err == nil {
					t.Errorf("%s does not find it", c.name)
				} else {
					t.Logf("found: %v", err)
				}
				return
			}
			t.Fatalf("there is no clause %q", b.clause)
		})
	}
}
