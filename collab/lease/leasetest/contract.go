package leasetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// check is one clause of the contract. It returns what breaks it.
type check struct {
	name string
	// persistent clauses are for stores that several processes share.
	persistent bool
	run        func(ctx context.Context, o *opened) error
}

var contract = []check{
	{name: "AMissingKeyIsNotFound", run: missing},
	{name: "TheFirstSaveReadsBack", run: readsBack},
	{name: "AStaleSaveConflictsAndChangesNothing", run: staleSave},
	{name: "RecordsOfAnyShapeAreStored", run: anyShape},
	{name: "DistinctKeysAreDistinctRecordsAndFences", run: distinctKeys},
	{name: "ConcurrentWritersLoseNoWrite", run: concurrentWriters},
	{name: "AFenceHasOneHolderAtATime", run: oneHolder},
	{name: "WaitingForAFenceCanBeInterrupted", run: interruptedWait},
	{name: "ARenewerRenewsExactlyWhatIsAtItsRevision", run: renews},
	{name: "RecordsOutliveTheRepository", persistent: true, run: reopens},
	{name: "AnUnknownSchemaIsRefusedAndKept", persistent: true, run: unknownSchema},
	{name: "ConcurrentProcessesLoseNoWrite", persistent: true, run: concurrentProcesses},
	{name: "AFenceExcludesOtherProcesses", persistent: true, run: fencedProcesses},
	{name: "AKilledProcessFreesItsFence", persistent: true, run: killedHolder},
	{name: "AWriterKilledInTheMiddleLeavesAWholeRecord", persistent: true, run: killedWriter},
}

// Run holds a store to the contract, each clause at a location of its own.
func Run(t *testing.T, store Store) {
	for _, c := range contract {
		if c.persistent && !store.Persistent {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), store.open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

var someone = platform.ProcessIdentity{
	Host: "host \"é\" <&>\u2028", BootID: "6490c184-aa0c-4ac0-8c03-1d9723b7cc0f", PID: 4242, StartTime: 1<<53 - 1,
	PIDNamespace: 4026531836, TimeNamespace: 4026531834,
}

// record is the first record of key.
func record(key string) lease.Record {
	holder := someone
	return lease.Record{Key: key, Generation: 1, Revision: 1, Holder: &holder, HolderID: "c919c48a-87ef-4cd3-807a-053a3d63db0a", RenewedAt: time.UnixMilli(1795962525010)}
}

var none = mo.None[int64]()

func missing(ctx context.Context, o *opened) error {
	if r, found, err := o.repository.Load(ctx, "k"); found || err != nil {
		return fmt.Errorf("loading a key that was never saved gave %+v, found %v, %v", r, found, err)
	}
	return nil
}

func readsBack(ctx context.Context, o *opened) error {
	held := record("k")
	if err := o.repository.Save(ctx, held, none); err != nil {
		return err
	}
	if err := o.holds(ctx, held); err != nil {
		return err
	}
	tombstone := lease.Record{Key: "k", Generation: 1, Revision: 2, RenewedAt: time.UnixMilli(0)}
	if err := o.repository.Save(ctx, tombstone, mo.Some[int64](1)); err != nil {
		return err
	}
	return o.holds(ctx, tombstone)
}

// holds compares what is stored with a record.
func (o *opened) holds(ctx context.Context, want lease.Record) error {
	got, found, err := o.repository.Load(ctx, want.Key)
	if err != nil || !found {
		return fmt.Errorf("Load(%.40q): found %v, %v", want.Key, found, err)
	}
	same := got.Key == want.Key && got.Generation == want.Generation && got.Revision == want.Revision &&
		got.HolderID == want.HolderID && got.RenewedAt.Equal(want.RenewedAt) && (got.Holder == nil) == (want.Holder == nil)
	if !same || got.Holder != nil && *got.Holder != *want.Holder {
		return fmt.Errorf("stored is %+v (holder %+v), want %+v (holder %+v)", got, got.Holder, want, want.Holder)
	}
	return nil
}

func staleSave(ctx context.Context, o *opened) error {
	first := record("k")
	if err := o.repository.Save(ctx, first, none); err != nil {
		return err
	}
	next := first
	next.Generation, next.Revision = 2, 2
	for _, c := range []struct {
		record   lease.Record
		expected mo.Option[int64]
		stored   mo.Option[int64]
	}{
		{next, none, mo.Some[int64](1)},
		{next, mo.Some[int64](0), mo.Some[int64](1)},
		{next, mo.Some[int64](2), mo.Some[int64](1)},
		{record("other"), mo.Some[int64](1), none},
	} {
		err := o.repository.Save(ctx, c.record, c.expected)
		conflict, ok := errors.AsType[*lease.RevisionConflict](err)
		if !ok || conflict.Key != c.record.Key || conflict.Expected != c.expected || conflict.Stored.IsPresent() && conflict.Stored != c.stored {
			return fmt.Errorf("Save(%q) expecting %v = %+v, want a conflict with stored %v", c.record.Key, c.expected, err, c.stored)
		}
	}
	if _, found, _ := o.repository.Load(ctx, "other"); found {
		return errors.New("a save that conflicted made a record")
	}
	return o.holds(ctx, first)
}

func anyShape(ctx context.Context, o *opened) error {
	odd := lease.Record{Key: "k", HolderID: "id without a holder", RenewedAt: time.UnixMilli(-1)}
	if err := o.repository.Save(ctx, odd, none); err != nil {
		return fmt.Errorf("a record of generation 0 is not stored: %w", err)
	}
	if err := o.holds(ctx, odd); err != nil {
		return err
	}
	odd.Revision = lease.MaxCounter
	if err := o.repository.Save(ctx, odd, mo.Some[int64](0)); err != nil {
		return err
	}
	return o.holds(ctx, odd)
}

func reopens(ctx context.Context, o *opened) error {
	if err := o.repository.Save(ctx, record("k"), none); err != nil {
		return err
	}
	return o.store.openAt(o.t, o.location).holds(ctx, record("k"))
}

func unknownSchema(ctx context.Context, o *opened) error {
	if o.store.Foreign == nil {
		return nil
	}
	if err := o.repository.Save(ctx, record("k"), none); err != nil {
		return err
	}
	untouched := o.store.Foreign(o.t, o.location, "k")
	repository, closed, err := o.store.Open(ctx, o.location)
	if err == nil {
		defer closed()
		_, _, err = repository.Load(ctx, "k")
		if saved := repository.Save(ctx, record("k"), mo.Some[int64](1)); saved == nil {
			return errors.New("a record of an unknown schema was overwritten")
		}
	}
	failure, ok := errors.AsType[*lease.RepositoryFailure](err)
	if !ok || failure.Reason != lease.UnsupportedSchema {
		return fmt.Errorf("an unknown schema gives %v, want %s", err, lease.UnsupportedSchema)
	}
	if !untouched() {
		return errors.New("what was stored under an unknown schema was changed")
	}
	return nil
}
