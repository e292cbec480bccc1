package collab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/rivus/agentkit/platform"
	"github.com/samber/mo"
)

const (
	ttl       = 10 * time.Second
	heartbeat = 2 * time.Second
)

// A store is a kind of repository, opened in a folder of its own.
type store struct {
	name string
	open func(dir string) effect.Effect[lease.Repository]
}

var stores = []store{
	{"memory", func(string) effect.Effect[lease.Repository] {
		return effect.Sync(func() lease.Repository { return lease.NewMemory() })
	}},
	{"SQLite", func(dir string) effect.Effect[lease.Repository] {
		return lease.OpenSQLite(filepath.Join(dir, "leases.db")).Map(func(s *lease.SQLite) lease.Repository { return s })
	}},
	{"file", func(dir string) effect.Effect[lease.Repository] {
		return lease.OpenFile(dir).Map(func(f *lease.File) lease.Repository { return f })
	}},
}

func manager(b *testing.B, repository lease.Repository) *lease.Manager {
	m, err := lease.NewManager(repository, lease.Config{TTL: ttl, Heartbeat: heartbeat})
	check(b, err)
	return m
}

// leased does something while it holds the lease in the database at path.
func leased(path string, option lease.AcquireOption, while func() effect.Effect[unit]) error {
	e := lease.OpenSQLite(path).FlatMap(func(repository *lease.SQLite) effect.Effect[unit] {
		m, err := lease.NewManager(repository, lease.Config{TTL: ttl, Heartbeat: heartbeat})
		if err != nil {
			return effect.Fail[unit](err)
		}
		return m.Acquire("work", option).FlatMap(func(*lease.Lease) effect.Effect[unit] { return while() }).Scoped()
	})
	_, err := e.Scoped().Run(context.Background())
	return err
}

// AcquireRelease acquires a lease that is free and releases it.
func AcquireRelease(s store) measure.Work {
	return measure.Work{Name: "agentkit, " + s.name, Bench: func(b *testing.B) {
		m := manager(b, live(b, s.open(b.TempDir())))
		e := m.Acquire("work").Scoped()
		for b.Loop() {
			_, err := e.Run(context.Background())
			check(b, err)
		}
	}}
}

// Fenced does nothing, fenced, under a lease that is held.
func Fenced(s store) measure.Work {
	return measure.Work{Name: "agentkit, " + s.name, Bench: func(b *testing.B) {
		m := manager(b, live(b, s.open(b.TempDir())))
		held := live(b, m.Acquire("work"))
		e := held.RunFenced(func(lease.Token) effect.Effect[unit] { return effect.Succeed(unit{}) })
		for b.Loop() {
			_, err := e.Run(context.Background())
			check(b, err)
		}
	}}
}

// LeaseRefusal is refused a lease that another process holds.
func LeaseRefusal(s store) measure.Work {
	return measure.Work{Name: "agentkit, " + s.name, Bench: func(b *testing.B) {
		dir := b.TempDir()
		holder, err := start(roleHoldLease, filepath.Join(dir, "leases.db"))
		check(b, err)
		b.Cleanup(holder.kill)
		_, err = holder.next()
		check(b, err)
		m := manager(b, live(b, s.open(dir)))
		e := m.Acquire("work").Scoped()
		for b.Loop() {
			if _, err := e.Run(context.Background()); err == nil {
				b.Fatal("got a lease that another process holds")
			}
		}
	}}
}

// Renewals renews some leases, all that one process holds, for one beat. A step
// is the beat.
func Renewals(s store, count int) measure.Work {
	return measure.Work{Name: "agentkit, " + s.name, Bench: func(b *testing.B) {
		ctx := context.Background()
		repository := live(b, s.open(b.TempDir()))
		records := make([]lease.Record, count)
		for i, key := range keys(count) {
			records[i] = record(key)
			check(b, repository.Save(ctx, records[i], mo.None[int64]()))
		}
		for b.Loop() {
			for i := range records {
				records[i].Revision++
			}
			check(b, renew(ctx, repository, records))
		}
	}}
}

// record is one as a holder writes it first.
func record(key string) lease.Record {
	return lease.Record{Key: key, Generation: 1, Revision: 1, Holder: &holder, HolderID: "bench", RenewedAt: time.UnixMilli(0)}
}

// holder is who [holderText] names.
var holder = platform.ProcessIdentity{
	Host: "build-machine", BootID: "0f8fad5b-d9cb-469f-a165-70867728950e", PID: 12345, StartTime: 123456789,
}

func renew(ctx context.Context, repository lease.Repository, records []lease.Record) error {
	if together, ok := repository.(lease.Renewer); ok {
		conflicts, err := together.Renew(ctx, records)
		if err == nil && len(conflicts) > 0 {
			err = fmt.Errorf("%d records were at another revision", len(conflicts))
		}
		return err
	}
	for _, r := range records {
		if err := repository.Save(ctx, r, mo.Some(r.Revision-1)); err != nil {
			return err
		}
	}
	return nil
}

// Leases compares the lease.
func Leases() []measure.Comparison {
	memory, sqlite, file := stores[0], stores[1], stores[2]
	list := []measure.Comparison{
		{
			Name: "lease: acquire and release", Ours: AcquireRelease(sqlite), Baseline: HandAcquireRelease,
			Peers: []measure.Work{AcquireRelease(memory), AcquireRelease(file)}, Budget: open(1.3),
			Why: "It judges the record, starts the heartbeat and stops it.",
		},
		{Name: "lease: a refusal", Ours: LeaseRefusal(sqlite), Baseline: HandRead, Budget: open(0), Why: "A refusal finds out whether the holder lives, and who it is."},
		{
			Name: "lease: fenced work", Ours: Fenced(sqlite), Baseline: HandLock,
			Peers: []measure.Work{Fenced(memory), Fenced(file)}, Budget: open(0),
			Why: "The fence is a process lock, and the record is read once more under it.",
		},
	}
	for _, count := range []int{1, 10, 100, 1000} {
		budget := open(0)
		if count == 1000 {
			budget = open(3)
		}
		peers := []measure.Work{Renewals(memory, count)}
		if count <= 100 { // each file is synced by itself
			peers = append(peers, Renewals(file, count))
		}
		list = append(list, measure.Comparison{
			Name: fmt.Sprintf("lease: a beat that renews %d", count), Ours: Renewals(sqlite, count),
			Baseline: HandUpdate(count), Peers: peers, Budget: budget,
			Why: "A renewal compares the revision of every row, so that a lost lease is noticed.",
		})
	}
	return list
}

// tempDir is a folder for what is no benchmark and must remove it itself.
func tempDir() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "agentkit-bench-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
