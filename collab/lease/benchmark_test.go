package lease_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
)

// bench runs a benchmark as an effect over a SQLite store of its own.
func bench(b *testing.B, body func(do effect.Do, store *lease.SQLite)) {
	_, err := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		body(do, do.Await(lease.OpenSQLite(filepath.Join(b.TempDir(), "leases.db"))))
		return effect.Unit{}, nil
	}).Scoped().Run(context.Background())
	if err != nil {
		b.Fatal(err)
	}
}

// byHand is a database with the settings of ours.
func byHand(b *testing.B) (conn platform.SQLiteConn, prepare func(sql string) platform.SQLiteStmt, exec func(sql string)) {
	ctx := context.Background()
	conn, err := platform.OS().SQLite.Open(ctx, filepath.Join(b.TempDir(), "byhand.db"), platform.ReadWriteCreate)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	exec = func(sql string) {
		if _, err := conn.Exec(ctx, sql); err != nil {
			b.Fatal(err)
		}
	}
	exec("PRAGMA busy_timeout = 50")
	exec("PRAGMA journal_mode = WAL")
	exec("PRAGMA synchronous = FULL")
	exec(`CREATE TABLE lease_record (key TEXT PRIMARY KEY, generation INTEGER NOT NULL, revision INTEGER NOT NULL,
		holder TEXT, holder_id TEXT, renewed_at INTEGER NOT NULL) STRICT`)
	return conn, func(sql string) platform.SQLiteStmt {
		s, err := conn.Prepare(ctx, sql)
		if err != nil {
			b.Fatal(err)
		}
		return s
	}, exec
}

const (
	selectRevision = "SELECT generation, revision FROM lease_record WHERE key = ?"
	upsert         = `INSERT INTO lease_record (key, generation, revision, holder, holder_id, renewed_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, revision = excluded.revision, holder = excluded.holder,
		holder_id = excluded.holder_id, renewed_at = excluded.renewed_at`
	someHolder = `{"host":"vm","bootId":"6490c184-aa0c-4ac0-8c03-1d9723b7cc0f","pid":8087,"startTime":210254}`
	someID     = "c919c48a-87ef-4cd3-807a-053a3d63db0a"
)

// What a lease adds to the two transactions it stands for. Budget: 1.3 times "by hand".
func BenchmarkAcquireAndRelease(b *testing.B) {
	b.Run("by hand", func(b *testing.B) {
		ctx := context.Background()
		_, prepare, exec := byHand(b)
		read, write := prepare(selectRevision), prepare(upsert)
		transaction := func(generation int64, holder, id any) int64 {
			exec("BEGIN IMMEDIATE")
			rows, err := read.Query(ctx, "k")
			if err != nil {
				b.Fatal(err)
			}
			revision := int64(0)
			if len(rows) > 0 {
				generation, revision = generation+rows[0][0].(int64), rows[0][1].(int64)
			}
			if _, err := write.Exec(ctx, "k", generation, revision+1, holder, id, time.Now().UnixMilli()); err != nil {
				b.Fatal(err)
			}
			exec("COMMIT")
			return generation
		}
		for b.Loop() {
			transaction(1, someHolder, someID)
			transaction(0, nil, nil)
		}
	})
	b.Run("lease", func(b *testing.B) {
		bench(b, func(do effect.Do, store *lease.SQLite) {
			m, err := lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second})
			do.Check(err)
			cycle := m.Acquire("k").AsUnit().Scoped()
			for b.Loop() {
				do.Await(cycle)
			}
		})
	})
}

// What a beat of a thousand leases costs. Budget: 3 times "one update".
func BenchmarkRenewingAThousand(b *testing.B) {
	const leases = 1000
	key := func(i int) string { return fmt.Sprintf("task:%d", i) }
	b.Run("one update", func(b *testing.B) {
		ctx := context.Background()
		_, prepare, exec := byHand(b)
		write := prepare(upsert)
		for i := range leases {
			if _, err := write.Exec(ctx, key(i), 1, 1, someHolder, someID, 1); err != nil {
				b.Fatal(err)
			}
		}
		update := prepare("UPDATE lease_record SET revision = revision + 1, renewed_at = ?")
		exec("PRAGMA synchronous = NORMAL")
		for b.Loop() {
			exec("BEGIN IMMEDIATE")
			if _, err := update.Exec(ctx, time.Now().UnixMilli()); err != nil {
				b.Fatal(err)
			}
			exec("COMMIT")
		}
	})
	b.Run("renew", func(b *testing.B) {
		bench(b, func(do effect.Do, store *lease.SQLite) {
			m, err := lease.NewManager(store, lease.Config{TTL: time.Hour, Heartbeat: 15 * time.Minute})
			do.Check(err)
			records := make([]lease.Record, leases)
			for i := range records {
				do.Await(m.Acquire(key(i)))
				records[i] = do.Await(m.Read(key(i))).MustGet()
			}
			for b.Loop() {
				for i := range records {
					records[i].Revision++
					records[i].RenewedAt = time.Now()
				}
				if conflicts, err := store.Renew(do, records); err != nil || len(conflicts) > 0 {
					b.Fatal(conflicts, err)
				}
			}
		})
	})
}
