package collab

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/samber/mo"
)

// Growths are how the cost of the collab packages grows.
func Growths() []measure.Growth {
	return []measure.Growth{
		{Name: "a beat that renews all leases of one database", Unit: "leases", Sizes: []int{1, 10, 100, 1000, 10_000}, Ways: []measure.Way{
			{Name: "SQLite, as a manager renews", Do: beat(func(ctx context.Context, s *lease.SQLite, records []lease.Record) error {
				return renew(ctx, s, records)
			})},
			{Name: "SQLite, one by one", Do: beat(func(ctx context.Context, s *lease.SQLite, records []lease.Record) error {
				for _, r := range records {
					if err := s.Save(ctx, r, mo.Some(r.Revision-1)); err != nil {
						return err
					}
				}
				return nil
			})},
		}},
		{Name: "one turn at a lease that all want", Unit: "processes", Sizes: []int{1, 2, 4, 8, 16}, Ways: []measure.Way{
			{Name: "agentkit", Do: contended},
		}},
		{Name: "keys that run once each, 4 at a time", Unit: "keys", Sizes: []int{10, 100, 1000, 10_000, 100_000}, Ways: []measure.Way{
			{Name: "agentkit", Do: lanesOnce},
			{Name: "semaphore, goroutine, context", Do: func(size int) (time.Duration, error) {
				list := keys(size)
				began := time.Now()
				semaphores(list)
				return time.Since(began), nil
			}},
		}},
	}
}

// beat renews as many leases of one database in some way.
func beat(renew func(context.Context, *lease.SQLite, []lease.Record) error) func(int) (time.Duration, error) {
	return func(size int) (time.Duration, error) {
		dir, remove, err := tempDir()
		if err != nil {
			return 0, err
		}
		defer remove()
		return lease.OpenSQLite(filepath.Join(dir, "leases.db")).FlatMap(func(s *lease.SQLite) effect.Effect[time.Duration] {
			return effect.Try(func(ctx context.Context) (time.Duration, error) {
				records := make([]lease.Record, size)
				for i, key := range keys(size) {
					records[i] = record(key)
					if err := s.Save(ctx, records[i], mo.None[int64]()); err != nil {
						return 0, err
					}
					records[i].Revision++
				}
				began := time.Now()
				err := renew(ctx, s, records)
				return time.Since(began), err
			})
		}).Scoped().Run(context.Background())
	}
}

// contended starts processes that all want one lease, again and again, and says
// how long a turn takes on average.
func contended(size int) (time.Duration, error) {
	const turns = 40
	dir, remove, err := tempDir()
	if err != nil {
		return 0, err
	}
	defer remove()
	took := make(chan error, size*turns*4)
	for range size {
		p, err := start(roleContend, filepath.Join(dir, "leases.db"))
		if err != nil {
			return 0, err
		}
		defer p.kill()
		go func() {
			for {
				_, err := p.next()
				took <- err
				if err != nil {
					return
				}
			}
		}()
	}
	// Until all have started their turns are quicker than later ones.
	for range turns + size {
		if err := <-took; err != nil {
			return 0, err
		}
	}
	began := time.Now()
	for range turns {
		if err := <-took; err != nil {
			return 0, err
		}
	}
	return time.Since(began) / turns, nil
}

// lanesOnce wakes as many keys, once each, and waits until all have run.
func lanesOnce(size int) (time.Duration, error) {
	var ran sync.WaitGroup
	made := lanes.New(lanes.Config[string]{MaxConcurrent: slots, Activate: func(string) effect.Effect[unit] {
		return effect.Call(func() { ran.Done() })
	}})
	return made.FlatMap(func(l *lanes.Lanes[string]) effect.Effect[time.Duration] {
		return effect.Try(func(context.Context) (time.Duration, error) {
			list := keys(size)
			began := time.Now()
			ran.Add(size)
			for _, key := range list {
				if _, err := l.WakeNow(key); err != nil {
					return 0, fmt.Errorf("wake %s: %w", key, err)
				}
			}
			ran.Wait()
			return time.Since(began), nil
		})
	}).Scoped().Run(context.Background())
}
