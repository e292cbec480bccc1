package leasetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
)

// raise writes the next revision of key n times over whatever others wrote in between, and returns the revisions it wrote.
func raise(ctx context.Context, repository lease.Repository, key string, n int) (wrote []int64, err error) {
	for len(wrote) < n {
		r, found, err := repository.Load(ctx, key)
		if err != nil {
			return wrote, err
		}
		expected := mo.Some(r.Revision)
		if !found {
			r, expected = record(key), none
			r.Revision = 0
		}
		r.Revision++
		err = repository.Save(ctx, r, expected)
		if _, conflict := errors.AsType[*lease.RevisionConflict](err); conflict {
			continue
		}
		if failure, ok := errors.AsType[*lease.RepositoryFailure](err); ok && failure.Reason == lease.Busy {
			continue // the store gives up on a crowd after a while, and has written nothing
		}
		if err != nil {
			return wrote, err
		}
		wrote = append(wrote, r.Revision)
	}
	return wrote, nil
}

// noneLost reports whether every write stands for a revision of its own.
func (o *opened) noneLost(ctx context.Context, key string, wrote []int64) error {
	slices.Sort(wrote)
	for i, revision := range wrote {
		if revision != int64(i)+1 {
			return fmt.Errorf("write %d of %d is revision %d: a write was lost or overwritten", i+1, len(wrote), revision)
		}
	}
	r, _, err := o.repository.Load(ctx, key)
	if err == nil && r.Revision != int64(len(wrote)) {
		err = fmt.Errorf("after %d writes the revision is %d", len(wrote), r.Revision)
	}
	return err
}

func concurrentWriters(ctx context.Context, o *opened) error {
	const writers, each = 6, 6
	var mu sync.Mutex
	var wrote []int64
	var failed error
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			mine, err := raise(ctx, o.repository, "k", each)
			mu.Lock()
			defer mu.Unlock()
			wrote = append(wrote, mine...)
			failed = errors.Join(failed, err)
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	return o.noneLost(ctx, "k", wrote)
}

// hostile are keys that a careless store mixes up, or lets out of its folder.
var hostile = []string{
	"a/b", "a_b", "../../x", ".", "..", "K", "k", "é", "e\u0301", "x?y", "x#y", "x%2Fy", "x/y", "a b", "a+b", "\n", "\"", "'", "\\",
	"\ufeff", "\u2028", "%", "-", "_", ":memory:", "日本語", strings.Repeat("x", 10_000),
	strings.Repeat("x", 999) + "a", strings.Repeat("x", 999) + "b", strings.Repeat("é", 500),
}

func distinctKeys(ctx context.Context, o *opened) error {
	var releases []func() error
	defer func() {
		for _, release := range releases {
			_ = release()
		}
	}()
	for _, key := range hostile {
		if err := o.repository.Save(ctx, record(key), none); err != nil {
			return fmt.Errorf("save %.40q: %w", key, err)
		}
		release, err := o.fenceSoon(ctx, key)
		if err != nil {
			return fmt.Errorf("fence of %.40q while those of others are held: %w", key, err)
		}
		releases = append(releases, release)
	}
	for _, key := range hostile {
		if err := o.holds(ctx, record(key)); err != nil {
			return err
		}
	}
	return nil
}

func renews(ctx context.Context, o *opened) error {
	renewer, ok := o.repository.(lease.Renewer)
	if !ok {
		return nil
	}
	if conflicts, err := renewer.Renew(ctx, nil); err != nil || len(conflicts) > 0 {
		return fmt.Errorf("renewing nothing = %v, %v", conflicts, err)
	}
	var next []lease.Record
	for _, key := range hostile {
		r := record(key)
		if err := renewer.Save(ctx, r, none); err != nil {
			return err
		}
		r.Revision++
		r.RenewedAt = r.RenewedAt.Add(1e9)
		next = append(next, r)
	}
	if err := o.renewAll(ctx, renewer, next, nil); err != nil {
		return err
	}
	// Now some are elsewhere: one moved on, one is gone to another generation, one never was.
	stale, moved := next[3], next[5]
	moved.Generation, moved.Revision, moved.HolderID = 2, 3, "another"
	if err := renewer.Save(ctx, moved, mo.Some[int64](2)); err != nil {
		return err
	}
	batch := slices.Clone(next)
	for i := range batch {
		batch[i].Revision++
	}
	batch[3].Revision = 9
	batch = append(batch, lease.Record{Key: "never saved", Revision: 4})
	if err := o.renewAll(ctx, renewer, batch, []int{3, 5, len(batch) - 1}); err != nil {
		return err
	}
	if err := o.holds(ctx, stale); err != nil {
		return err
	}
	return o.holds(ctx, moved)
}

// renewAll renews a batch and compares the conflicts, and what is stored for all others.
func (o *opened) renewAll(ctx context.Context, renewer lease.Renewer, batch []lease.Record, want []int) error {
	conflicts, err := renewer.Renew(ctx, batch)
	if err != nil {
		return err
	}
	if slices.Sort(conflicts); !slices.Equal(conflicts, want) {
		return fmt.Errorf("conflicts are %v, want %v", conflicts, want)
	}
	for i, r := range batch {
		if slices.Contains(want, i) {
			continue
		}
		if err := o.holds(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
