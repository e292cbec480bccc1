package lease_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// goldenDatabase copies a golden directory to a new one and returns it with its description.

// 5.3.4, 5.3.5

// A01, and the golden notes: every holder but remote:1 is dead, if this is the host that they name

// 5.3.9

// 5.3.2, 5.3.4, 5.3.8, 5.3.9

// LM-24, 7.10, 9.5

func TestAFailedCommitIsRolledBackAndTriedAgain(t *testing.T) {
	for name, op := range map[string]string{"acquire": "INSERT", "renew": "COMMIT"} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T, do effect.Do) {
				fake := platformtest.New()
				store := do.Await(lease.OpenSQLite(t.TempDir()+"/leases.db", lease.WithPlatform(fake.Platform())))
				busy := platformtest.Fault{
					Op: "Exec", Times: 2, Err: platformtest.Failure(platform.SQLiteBusy),
					Match: func(sql string) bool { return strings.HasPrefix(sql, op) },
				}
				fake.SQLite.Inject(busy)
				m := newManager(t, store, on(fake.Platform()), func(c *lease.Config) { c.TTL, c.Heartbeat = time.Minute, 20*time.Millisecond })
				l, _ := held(do, m, "k")
				do.Await(effect.Sleep(100 * time.Millisecond))
				if r := load(t, do, store, "k"); r.Generation != 1 || r.Revision < 2 || l.Context().Err() != nil {
					t.Errorf("the record is %+v", r)
				}
			})
		})
	}
}

// 5.3.7

func TestADatabaseThatStaysBusyIsATypedFailure(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		store := do.Await(lease.OpenSQLite(t.TempDir()+"/leases.db", lease.WithPlatform(fake.Platform())))
		remove := fake.SQLite.Inject(platformtest.Fault{Op: "Exec", Err: platformtest.Failure(platform.SQLiteBusy)})
		m := newManager(t, store, on(fake.Platform()))
		f := failure[*lease.RepositoryFailure](t, do, m.Acquire("k"))
		if f.Reason != lease.Busy || f.Key != "k" {
			t.Errorf("failed with %+v, want busy", f)
		}
		// A waiting acquisition goes on, and an interrupted one ends at once.
		waiter := do.Await(effect.Fork(m.Acquire("k", lease.Wait).Scoped()))
		impatient := do.Await(effect.Fork(m.Acquire("k", lease.Wait).Scoped()))
		do.Await(effect.Sleep(ttl))
		do.Await(impatient.Interrupt())
		remove()
		if token := do.Await(waiter.Join()).Token(); token.Generation != 1 {
			t.Errorf("the waiter got %v", token)
		}
	})
}

// LM-25, LR-6, 5.3.2, 5.3.3

// LM-25, 5.3.5, 3.1.3

// 5.3.1 and bad input: paths that are no database

// withoutWAL is SQLite on a file system that cannot do write-ahead logs: asked for one, it keeps its journal.

type withoutWAL struct {
	platform.SQLite
	lazy *bool // set when a renewal was not to be synced
}

func (w withoutWAL) Open(ctx context.Context, path string, mode platform.OpenMode) (platform.SQLiteConn, error) {
	conn, err := w.SQLite.Open(ctx, path, mode)
	return refusingConn{conn, w.lazy}, err
}

type refusingConn struct {
	platform.SQLiteConn
	lazy *bool
}

func (c refusingConn) Query(ctx context.Context, sql string, args ...any) ([]platform.Row, error) {
	return c.SQLiteConn.Query(ctx, strings.TrimSuffix(sql, " = WAL"), args...)
}

func (c refusingConn) Prepare(ctx context.Context, sql string) (platform.SQLiteStmt, error) {
	stmt, err := c.SQLiteConn.Prepare(ctx, sql)
	return watchedStmt{stmt, sql, c.lazy}, err
}

type watchedStmt struct {
	platform.SQLiteStmt
	sql  string
	lazy *bool
}

func (s watchedStmt) Exec(ctx context.Context, args ...any) (int64, error) {
	*s.lazy = *s.lazy || strings.Contains(s.sql, "NORMAL")
	return s.SQLiteStmt.Exec(ctx, args...)
}

// 5.3.2: the rollback journal will do, and then every write is synced

func TestAFileSystemWithoutWriteAheadLogWorks(t *testing.T) {
	dir := t.TempDir()
	run(t, func(t *testing.T, do effect.Do) {
		p := platform.OS()
		lazy := false
		p.SQLite = &withoutWAL{p.SQLite, &lazy}
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db"), lease.WithPlatform(p)))
		m := newManager(t, store, func(c *lease.Config) { c.TTL, c.Heartbeat = time.Minute, 10*time.Millisecond })
		l, _ := held(do, m, "k")
		for load(t, do, store, "k").Revision < 3 {
			do.Await(effect.Sleep(10 * time.Millisecond))
		}
		do.Await(l.Release())
		if lazy {
			t.Error("a renewal was not synced, which a rollback journal does not allow")
		}
	})
	if got := query(t, filepath.Join(dir, "leases.db"), "PRAGMA journal_mode"); got != "delete" {
		t.Errorf("the journal is %s", got)
	}
}

// 0.19, fact 9: what makes an acquisition durable

func TestAcquisitionsAreSyncedAndOnlyRenewalsAreNot(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		store := do.Await(lease.OpenSQLite(t.TempDir()+"/leases.db", lease.WithPlatform(fake.Platform())))
		l, _ := held(do, newManager(t, store, on(fake.Platform())), "k")
		do.Await(effect.Sleep(beat + beat/2))
		do.Await(l.Release())
		held(do, newManager(t, store, on(fake.Platform())), "k")

		sync, renewals := "", 0
		for _, sql := range fake.SQLite.Statements() {
			switch {
			case strings.HasPrefix(sql, "PRAGMA synchronous"):
				sync = sql[strings.LastIndexByte(sql, ' ')+1:]
			case strings.HasPrefix(sql, "UPDATE lease_record SET revision = revision + 1"):
				renewals++
				if sync != "NORMAL" {
					t.Errorf("a renewal ran with synchronous %s", sync)
				}
			case strings.HasPrefix(sql, "INSERT"), strings.HasPrefix(sql, "UPDATE lease_record SET generation"):
				if sync != "FULL" {
					t.Errorf("%.30s ran with synchronous %q, want FULL", sql, sync)
				}
			}
		}
		if renewals != 1 {
			t.Errorf("%d renewals, want 1", renewals)
		}
	})
}

// Two databases at one path would be two holders of one lease.

func TestADatabaseThatIsRemovedUnderItsHoldersIsNoticed(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir := t.TempDir()
		store := do.Await(kinds["sqlite"](dir))
		m := newManager(t, store, func(c *lease.Config) { c.TTL, c.Heartbeat = 400*time.Millisecond, 20*time.Millisecond })
		l, _ := held(do, m, "k")
		if err := os.Rename(filepath.Join(dir, "leases.db"), filepath.Join(dir, "old.db")); err != nil {
			t.Fatal(err)
		}
		f := failure[*lease.RepositoryFailure](t, do, m.Acquire("other"))
		if f.Reason != lease.IO || !strings.Contains(f.Error(), "removed or replaced") {
			t.Errorf("failed with %v", f)
		}
		if lost := isLost(t, do, l); lost.Reason != lease.Expired {
			t.Errorf("lost with %q, want expired", lost.Reason)
		}
	})
}

// C07 (b), with a real full disk behind the port

func TestAFullDiskIsATypedFailure(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		store := do.Await(lease.OpenSQLite(t.TempDir()+"/leases.db", lease.WithPlatform(fake.Platform())))
		fake.SQLite.Inject(platformtest.Fault{Op: "Exec", Times: 1, Err: platformtest.Failure(platform.SQLiteFull)})
		if f := failure[*lease.RepositoryFailure](t, do, newManager(t, store).Acquire("k")); f.Reason != lease.IO {
			t.Errorf("failed with %+v, want io", f)
		}
		files := do.Await(lease.OpenFile(t.TempDir(), lease.WithPlatform(fake.Platform())))
		fake.Files.Inject(platformtest.Fault{Op: "WriteAtomic", Err: &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}})
		if f := failure[*lease.RepositoryFailure](t, do, newManager(t, files).Acquire("k")); f.Reason != lease.IO {
			t.Errorf("failed with %+v, want io", f)
		}
	})
}

// VACUUM may number the rows anew; what is remembered of them must not outlive it.

func TestRenewalsFindTheirRowsAfterAVacuum(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		dir := t.TempDir()
		path := filepath.Join(dir, "leases.db")
		store := do.Await(lease.OpenSQLite(path))
		put(t, do, store, lease.Record{Key: "first", Generation: 1, Revision: 1, RenewedAt: time.UnixMilli(1)})
		m := newManager(t, store)
		a, _ := held(do, m, "a")
		b, _ := held(do, m, "b")
		do.Await(effect.Sleep(beat + beat/2))
		execute(t, path, "DELETE FROM lease_record WHERE key = 'first'")
		execute(t, path, "VACUUM")
		do.Await(effect.Sleep(2 * ttl))
		for _, key := range []string{"a", "b"} {
			if r := load(t, do, store, key); r.Revision < 9 {
				t.Errorf("%s is at revision %d, want it renewed all the while", key, r.Revision)
			}
		}
		if a.Context().Err() != nil || b.Context().Err() != nil {
			t.Error("a lease was lost")
		}
	})
}

// 5.3.6
