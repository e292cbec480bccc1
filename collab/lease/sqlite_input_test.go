package lease_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
)

func TestADatabaseOfAnotherVersionOrOfSomethingElseIsRefusedAndLeftAsItIs(t *testing.T) {
	const ours = "CREATE TABLE lease_record (key TEXT PRIMARY KEY, generation, revision, holder TEXT, holder_id TEXT, renewed_at)"
	for _, make := range []string{
		"PRAGMA user_version = 2", "PRAGMA user_version = 99", "PRAGMA user_version = -1", "PRAGMA user_version = 1",
		"CREATE TABLE lease_record (key TEXT PRIMARY KEY); PRAGMA user_version = 1",
		ours + "; PRAGMA user_version = 1", ours,
		"CREATE VIEW lease_record AS SELECT 1 AS key, 2 AS generation, 3 AS revision, 4 AS holder, 5 AS holder_id, 6 AS renewed_at",
		"CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('a')",
	} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			path := filepath.Join(dir, "leases.db")
			execute(t, path, make)
			before, _ := os.ReadFile(path)
			f := failure[*lease.RepositoryFailure](t, do, lease.OpenSQLite(path))
			if f.Reason != lease.UnsupportedSchema || f.Key != "" {
				t.Errorf("%s: failed with %+v, want unsupported-schema", make, f)
			}
			if after, err := os.ReadFile(path); string(after) != string(before) {
				t.Errorf("%s: the file was changed, %v", make, err)
			}
			expectFiles(t, dir, "leases.db")
		})
	}
}

func TestValuesOfOtherTypesAreNoRecord(t *testing.T) {
	for column, value := range map[string]string{"generation": "'x'", "revision": "1.5", "renewed_at": "NULL", "holder": "1", "holder_id": "x'00'"} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			path := filepath.Join(dir, "leases.db")
			execute(t, path, "CREATE TABLE lease_record (key TEXT PRIMARY KEY, generation ANY, revision ANY, holder ANY, holder_id ANY, renewed_at ANY) STRICT")
			execute(t, path, "INSERT INTO lease_record VALUES ('k', 1, 1, NULL, NULL, 1); UPDATE lease_record SET "+column+" = "+value)
			m := newManager(t, do.Await(kinds["sqlite"](dir)))
			f := failure[*lease.RepositoryFailure](t, do, m.Acquire("k", lease.Wait))
			if f.Reason != lease.InvalidRecord || f.Key != "k" {
				t.Errorf("%s: failed with %+v, want invalid-record", column, f)
			}
		})
	}
}

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

func TestPathsThatCannotBeALeaseDatabaseAreTypedFailures(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("text"), []byte("this is not a database, but it is longer than a header of one hundred bytes, so that SQLite looks at it at all"), 0o600),
		os.Mkdir(at("folder"), 0o700),
		os.Symlink(at("nowhere/at/all"), at("dangling")),
		os.Symlink(at("target"), at("dangles")),
		os.WriteFile(at("empty"), nil, 0o600),
		os.Symlink(at("empty"), at("link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"", ":memory:", at("text"), at("folder"), at("folder") + "/", at("missing/leases.db"), at("text/leases.db"),
		at("dangling"), at("dangles"), at("link"), "nul\x00", at("x") + strings.Repeat("x", 300)} {
		run(t, func(t *testing.T, do effect.Do) {
			f := failure[*lease.RepositoryFailure](t, do, lease.OpenSQLite(path))
			if f.Reason != lease.IO || f.Key != "" {
				t.Errorf("%.60q: failed with %+v, want io", path, f)
			}
		})
	}
	expectFiles(t, dir, "text", "folder", "dangling", "dangles", "empty", "link")
	if info, err := os.Stat(at("empty")); err != nil || info.Size() > 0 {
		t.Errorf("the target of a link: %v, %v", info, err)
	}
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

func TestADatabaseStaysTheSameWhateverTheWorkingDirectoryBecomes(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(dir, filepath.Join(elsewhere, "way")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(elsewhere)
	run(t, func(t *testing.T, do effect.Do) {
		store := do.Await(lease.OpenSQLite("way/leases.db"))
		t.Chdir("/")
		l, _ := held(do, newManager(t, store), "k")
		do.Await(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return effect.Succeed(effect.Unit{}) }))
	})
	expectFiles(t, dir, "leases.db", "leases.db.k.fence")
}

func TestASaveComparesTheRowOfTheRecordsOwnKey(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		store := do.Await(kinds["sqlite"](t.TempDir()))
		put(t, do, store, lease.Record{Key: "a", Generation: 1, Revision: 1, RenewedAt: time.UnixMilli(1)})
		if err := store.Save(do, lease.Record{Key: "b", Generation: 1, Revision: 2, RenewedAt: time.UnixMilli(1)}, mo.Some[int64](1)); err == nil {
			t.Error("a save compared another key's revision")
		}
	})
}
