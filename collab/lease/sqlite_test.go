package lease_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// goldenDatabase copies a golden directory to a new one and returns it with its description.
func goldenDatabase(t *testing.T, name string) (dir string, described goldenRows) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata/golden", name))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/golden/sqlite.json")
	if err == nil {
		err = json.Unmarshal(data, &described)
	}
	if err != nil || len(described.Rows) != 10 {
		t.Fatalf("the description: %d rows, %v", len(described.Rows), err)
	}
	return dir, described
}

type goldenRows struct {
	UserVersion int    `json:"user_version"`
	JournalMode string `json:"journal_mode"`
	Encoding    string
	PageSize    int `json:"page_size"`
	Schema      []struct{ Type, Name, SQL string }
	Rows        []struct {
		Key                  string
		Generation, Revision int64
		Holder               *string
		HolderID             *string `json:"holder_id"`
		RenewedAt            int64   `json:"renewed_at"`
	}
}

// 5.3.4, 5.3.5
func TestTheGoldenDatabaseReadsAsDescribed(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir, described := goldenDatabase(t, "sqlite")
		store := do.Await(kinds["sqlite"](dir))
		for _, row := range described.Rows {
			r := load(t, do, store, row.Key)
			if r.Generation != row.Generation || r.Revision != row.Revision || r.RenewedAt.UnixMilli() != row.RenewedAt || r.Validate() != nil {
				t.Errorf("%q reads as %+v, want %+v", row.Key, r, row)
			}
			if (r.Holder == nil) != (row.Holder == nil) || row.HolderID != nil && r.HolderID != *row.HolderID {
				t.Errorf("%q is held by %v (%s), want %v", row.Key, r.Holder, r.HolderID, row.Holder)
			}
			if r.Holder != nil {
				if want := fmt.Sprintf(`{"host":%q,"bootId":%q,"pid":%d,"startTime":%d}`, r.Holder.Host, r.Holder.BootID, r.Holder.PID, r.Holder.StartTime); want != *row.Holder {
					t.Errorf("%q has the holder %s, want %s", row.Key, want, *row.Holder)
				}
			}
		}
	})
}

// A01, and the golden notes: every holder but remote:1 is dead, if this is the host that they name
func TestALeaseOfAnEarlierBootIsTakenAtOnceAndNobodyIsSignalled(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir, _ := goldenDatabase(t, "sqlite")
		store := do.Await(kinds["sqlite"](dir))
		bystander := platformtest.Start(t, "acquire", "memory", "", minutes, "try")
		bystander.Expect("ready")
		victim := self(t)
		victim.BootID, victim.PID = "99999999-2222-4333-8444-555555555555", bystander.PID()
		put(t, do, store, lease.Record{Key: "here", Generation: 1, Revision: 1, Holder: &victim, HolderID: "x"})
		m := newManager(t, store)
		l, _ := held(do, m, "here")
		if why := l.Takeover().MustGet().Reason; l.Token().Generation != 2 || why != "the holder's boot is over" {
			t.Errorf("took %v because %q", l.Token(), why)
		}
		bystander.Send("go") // it is alive and well
		bystander.Line()
		failure[*lease.Held](t, do, m.Acquire("remote:1"))
		tombstone, _ := held(do, m, "twice-released:2")
		if tombstone.Token().Generation != 3 || tombstone.Takeover().IsPresent() {
			t.Errorf("over a tombstone of generation 2: %v", tombstone.Token())
		}
	})
}

// 5.3.9
func TestAGoldenDatabaseWithAWriteAheadLogIsRead(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir, described := goldenDatabase(t, "sqlite-live")
		store := do.Await(kinds["sqlite"](dir))
		for _, row := range described.Rows {
			if r := load(t, do, store, row.Key); r.Generation != row.Generation {
				t.Errorf("%q reads as %+v, want generation %d", row.Key, r, row.Generation)
			}
		}
	})
}

// 5.3.2, 5.3.4, 5.3.8, 5.3.9
func TestADatabaseOfOursHasTheSchemaPragmasAndFilesOfTheGoldenOne(t *testing.T) {
	_, golden := goldenDatabase(t, "sqlite")
	dir := t.TempDir()
	path := filepath.Join(dir, "leases.db")
	run(t, func(t *testing.T, do effect.Do) {
		m := newManager(t, do.Await(kinds["sqlite"](dir)))
		l, _ := held(do, m, "held:1")
		do.Await(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] {
			return effect.Sync(func() effect.Unit {
				expectFiles(t, dir, "leases.db", "leases.db-shm", "leases.db-wal", "leases.db.held%3A1.fence", "leases.db.held%3A1.fence.holder")
				return effect.Unit{}
			})
		}))
		_, release := held(do, m, "released:1")
		release()
		if got := query(t, path, "SELECT typeof(generation)||typeof(revision)||typeof(holder)||typeof(holder_id)||typeof(renewed_at) FROM lease_record WHERE key = 'held:1'"); got != "integerintegertexttextinteger" {
			t.Errorf("the columns' types are %s", got)
		}
		if got := query(t, path, "SELECT holder||holder_id FROM lease_record WHERE key = 'released:1'"); got != "" {
			t.Errorf("the tombstone has a holder: %s", got)
		}
	})
	expectFiles(t, dir, "leases.db", "leases.db.held%3A1.fence")
	if info, err := os.Stat(path + ".held%3A1.fence"); err != nil || info.Size() != 0 {
		t.Errorf("the fence has %d bytes (%v), want 0", info.Size(), err)
	}
	for pragma, want := range map[string]string{
		"user_version": fmt.Sprint(golden.UserVersion), "journal_mode": golden.JournalMode, "encoding": golden.Encoding,
		"page_size": fmt.Sprint(golden.PageSize), "application_id": "0", "integrity_check": "ok",
	} {
		if got := query(t, path, "PRAGMA "+pragma); got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
	for _, entry := range golden.Schema {
		if got := query(t, path, "SELECT sql FROM sqlite_schema WHERE name = '"+entry.Name+"'"); got != entry.SQL {
			t.Errorf("%s is %q, want %q", entry.Name, got, entry.SQL)
		}
	}
	if n := query(t, path, "SELECT count(*) FROM sqlite_schema"); n != fmt.Sprint(len(golden.Schema)) {
		t.Errorf("the schema has %s entries, want %d", n, len(golden.Schema))
	}
}

func expectFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
}

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
func TestADatabaseOfAnotherVersionIsRefusedAndLeftAsItIs(t *testing.T) {
	for _, make := range []string{"PRAGMA user_version = 2", "PRAGMA user_version = 99", "PRAGMA user_version = -1", "PRAGMA user_version = 1",
		"CREATE TABLE lease_record (key TEXT PRIMARY KEY); PRAGMA user_version = 1"} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			path := filepath.Join(dir, "leases.db")
			execute(t, path, make)
			before := query(t, path, "SELECT group_concat(sql) FROM sqlite_schema") + query(t, path, "PRAGMA user_version")
			f := failure[*lease.RepositoryFailure](t, do, lease.OpenSQLite(path))
			if f.Reason != lease.UnsupportedSchema || f.Key != "" {
				t.Errorf("%s: failed with %+v, want unsupported-schema", make, f)
			}
			if after := query(t, path, "SELECT group_concat(sql) FROM sqlite_schema") + query(t, path, "PRAGMA user_version"); after != before {
				t.Errorf("%s: %q became %q", make, before, after)
			}
		})
	}
}

// LM-25, 5.3.5, 3.1.3
func TestRowsThatAreNoValidRecordAreRefusedAndKept(t *testing.T) {
	holder := `{"host":"h","bootId":"b","pid":1,"startTime":1}`
	for name, c := range map[string]struct {
		generation, revision any
		holder, id           any
		reason               lease.FailureReason
	}{
		"generation 0":              {0, 5, nil, nil, lease.InvalidRecord},
		"revision below generation": {5, 4, nil, nil, lease.InvalidRecord},
		"holder without id":         {1, 1, holder, nil, lease.InvalidRecord},
		"id without holder":         {1, 1, nil, "x", lease.InvalidRecord},
		"empty id":                  {1, 1, nil, "", lease.InvalidRecord},
		"holder is the text null":   {1, 1, "null", "x", lease.InvalidRecord},
		"holder is no JSON":         {1, 1, "{", "x", lease.InvalidRecord},
		"holder lacks a member":     {1, 1, `{"host":"h","bootId":"b","pid":1}`, "x", lease.InvalidRecord},
		"counter beyond 2^53-1":     {1, int64(1) << 53, nil, nil, lease.IO},
	} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			store := do.Await(kinds["sqlite"](dir))
			path := filepath.Join(dir, "leases.db")
			execute(t, path, "INSERT INTO lease_record VALUES ('k', ?, ?, ?, ?, 1)", c.generation, c.revision, c.holder, c.id)
			f := failure[*lease.RepositoryFailure](t, do, newManager(t, store).Acquire("k", lease.Wait))
			if f.Reason != c.reason || f.Key != "k" {
				t.Errorf("%s: failed with %+v, want %s", name, f, c.reason)
			}
			if got := query(t, path, "SELECT revision||'/'||renewed_at FROM lease_record"); got != fmt.Sprint(c.revision)+"/1" {
				t.Errorf("%s: the row became %s", name, got)
			}
		})
	}
}

// 5.3.1 and bad input: paths that are no database
func TestPathsThatCannotBeALeaseDatabaseAreTypedFailures(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("text"), []byte("this is not a database, but it is longer than a header of one hundred bytes, so that SQLite looks at it at all"), 0o600),
		os.Mkdir(at("folder"), 0o700),
		os.Symlink(at("nowhere/at/all"), at("dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"", ":memory:", at("text"), at("folder"), at("missing/leases.db"), at("dangling"), "nul\x00", at("x") + strings.Repeat("x", 300)} {
		run(t, func(t *testing.T, do effect.Do) {
			f := failure[*lease.RepositoryFailure](t, do, lease.OpenSQLite(path))
			if f.Reason != lease.IO || f.Key != "" {
				t.Errorf("%.60q: failed with %+v, want io", path, f)
			}
		})
	}
	expectFiles(t, dir, "text", "folder", "dangling")
	if data, _ := os.ReadFile(at("text")); !strings.HasPrefix(string(data), "this is not") {
		t.Error("the text was changed")
	}
	run(t, func(t *testing.T, do effect.Do) {
		for _, name := range []string{"q?x", "q?y", "a#b", "a%20b", "file:x"} {
			held(do, newManager(t, do.Await(lease.OpenSQLite(at(name)))), "k")
			if _, err := os.Lstat(at(name)); err != nil {
				t.Errorf("%q is not the file's name: %v", name, err)
			}
		}
		f := failure[*lease.RepositoryFailure](t, do, lease.OpenSQLite(at("x"), lease.WithPlatform(withoutSQLite())))
		if f.Reason != lease.Unavailable {
			t.Errorf("without SQLite: %+v, want unavailable", f)
		}
	})
}

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
func TestASaveComparesTheRowOfTheRecordsOwnKey(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		store := do.Await(kinds["sqlite"](t.TempDir()))
		put(t, do, store, lease.Record{Key: "a", Generation: 1, Revision: 1, RenewedAt: time.UnixMilli(1)})
		if err := store.Save(do, lease.Record{Key: "b", Generation: 1, Revision: 2, RenewedAt: time.UnixMilli(1)}, mo.Some[int64](1)); err == nil {
			t.Error("a save compared another key's revision")
		}
	})
}
