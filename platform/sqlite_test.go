package platform_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

var db = platform.OS().SQLite

func open(t testing.TB, path string) platform.SQLiteConn {
	t.Helper()
	c, err := db.Open(t.Context(), path, platform.ReadWriteCreate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func must(t testing.TB, c platform.SQLiteConn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := c.Exec(context.WithoutCancel(t.Context()), sql); err != nil {
			t.Fatal(err)
		}
	}
}

func code(err error) int {
	if f, ok := errors.AsType[*platform.SQLiteFailure](err); ok {
		return f.Code
	}
	return -1
}

func TestNoCharacterOfADatabasePathIsSpecial(t *testing.T) { // field fact 7
	dir := t.TempDir()
	t.Chdir(dir)
	names := []string{"q?x", "q?y", "a#b", "a%20b", "a%41", "a b", "file:x", "x?mode=memory", "x&nolock=1", "é", "e\u0301", "\xff\xfe", "'\"", ";", "+"}
	for _, name := range names {
		for _, path := range []string{filepath.Join(dir, "abs "+name), name, "/" + filepath.Join(dir, "two "+name)} {
			must(t, open(t, path), "CREATE TABLE t (a)")
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%q: %v; want a database of that name", path, err)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3*len(names) {
		t.Errorf("%d files, %v; want %d", len(entries), err, 3*len(names))
	}
}

func TestPathsThatNameNoSharedFileAreRefused(t *testing.T) { // field fact 7
	t.Chdir(t.TempDir())
	for _, path := range []string{"", ":memory:", "a\x00b"} {
		_, err := db.Open(t.Context(), path, platform.ReadWriteCreate)
		if f, ok := errors.AsType[*platform.SQLitePathInvalid](err); !ok || f.Path != path {
			t.Errorf("Open(%q) fails with %v; want *SQLitePathInvalid", path, err)
		}
		_, err = db.OpenLockFile(path, true)
		if f, ok := errors.AsType[*platform.SQLitePathInvalid](err); !ok || f.Path != path {
			t.Errorf("OpenLockFile(%q) fails with %v; want *SQLitePathInvalid", path, err)
		}
	}
	onlyNames(t, ".")
}

func TestOpeningInAMissingFolderIsSQLitesCode14(t *testing.T) { // PN-18, 2.2.1
	_, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "missing", "f"), platform.ReadWriteCreate)
	if code(err)&0xff != platform.SQLiteCantOpen {
		t.Errorf("%v; want code 14", err)
	}
	if _, err = db.Open(t.Context(), filepath.Join(t.TempDir(), "f"), platform.ReadWrite); code(err)&0xff != platform.SQLiteCantOpen {
		t.Errorf("without leave to create: %v; want code 14", err)
	}
}

func TestReadOnlyConnectionsDoNotWrite(t *testing.T) { // PN-18
	path := filepath.Join(t.TempDir(), "f")
	must(t, open(t, path), "CREATE TABLE t (a)")
	c, err := db.Open(t.Context(), path, platform.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(t.Context(), "INSERT INTO t VALUES (1)"); code(err)&0xff != platform.SQLiteReadOnly {
		t.Errorf("%v; want code 8", err)
	}
}

func TestStatementsTakeArgumentsAndReturnRows(t *testing.T) { // PN-18
	c := open(t, filepath.Join(t.TempDir(), "f"))
	must(t, c, "CREATE TABLE t (a, b, c, d, e)")
	insert, err := c.Prepare(t.Context(), "INSERT INTO t VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if n, err := insert.Exec(t.Context(), 1, "two", 2.5, []byte("four"), nil); n != 1 || err != nil {
			t.Errorf("%d, %v; want 1 row", n, err)
		}
	}
	row := platform.Row{int64(1), "two", 2.5, []byte("four"), nil}
	got, err := c.Query(t.Context(), "SELECT * FROM t WHERE a = ?", 1)
	if want := []platform.Row{row, row}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	read, err := c.Prepare(t.Context(), "SELECT b FROM t WHERE a = ? LIMIT 1")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read.Query(t.Context(), 1); err != nil || !reflect.DeepEqual(got, []platform.Row{{"two"}}) {
		t.Errorf("%v, %v; want one row", got, err)
	}
	if got, err := read.Query(t.Context(), 7); err != nil || len(got) != 0 {
		t.Errorf("%v, %v; want none", got, err)
	}
	if _, err := c.Query(t.Context(), "SELECT ?", struct{}{}); err == nil {
		t.Error("a struct was taken for an argument")
	}
	if err := errors.Join(read.Close(), read.Close()); err != nil {
		t.Error(err)
	}
	if _, err := read.Query(t.Context(), 1); err == nil {
		t.Error("a closed statement ran")
	}
}

func TestClosingDropsTheLockAlthoughStatementsAreOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	c := open(t, path)
	must(t, c, "CREATE TABLE t (a)", "BEGIN EXCLUSIVE")
	if _, err := c.Prepare(t.Context(), "SELECT * FROM t"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	must(t, open(t, path), "BEGIN EXCLUSIVE")
	if _, err := c.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a closed connection ran a statement")
	}
}

func TestAnInterruptedQueryKeepsTheLock(t *testing.T) { // C04, field fact 6
	path := filepath.Join(t.TempDir(), "f")
	c := open(t, path)
	must(t, c, "BEGIN EXCLUSIVE")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Query(ctx, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v; want the context's error", err)
	}
	// A pool would have closed the connection by now.
	if _, err := open(t, path).Exec(t.Context(), "BEGIN EXCLUSIVE"); code(err)&0xff != platform.SQLiteBusy {
		t.Errorf("another connection: %v; want busy", err)
	}
	must(t, c, "ROLLBACK")
}

func TestBusyIsToldByTheMaskedCodeOrTheMessage(t *testing.T) { // 2.2.4
	for _, c := range []struct {
		failure platform.SQLiteFailure
		want    bool
	}{
		{platform.SQLiteFailure{Code: 5}, true},
		{platform.SQLiteFailure{Code: 6}, true},
		{platform.SQLiteFailure{Code: 5 | 2<<8}, true},
		{platform.SQLiteFailure{Code: 6 | 1<<8}, true},
		{platform.SQLiteFailure{Code: 1, Err: errors.New("database is locked")}, true},
		{platform.SQLiteFailure{Code: 1, Err: errors.New("the database is locked")}, false},
		{platform.SQLiteFailure{Code: 10}, false},
		{platform.SQLiteFailure{Code: 8}, false},
		{platform.SQLiteFailure{}, false},
	} {
		if got := c.failure.Busy(); got != c.want {
			t.Errorf("%+v: busy %v; want %v", c.failure, got, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "f")
	must(t, open(t, path), "BEGIN EXCLUSIVE")
	_, err := open(t, path).Exec(t.Context(), "BEGIN EXCLUSIVE")
	if f, ok := errors.AsType[*platform.SQLiteFailure](err); !ok || !f.Busy() {
		t.Errorf("%v; want busy", err)
	}
}

func TestAWaitForALockEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must(t, open(t, path), "BEGIN EXCLUSIVE")
	c := open(t, path)
	must(t, c, "PRAGMA busy_timeout = 60000")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := c.Exec(ctx, "BEGIN EXCLUSIVE"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v; want the context's error", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, err := db.Open(ctx, path, platform.ReadWrite); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open under an ended context: %v", err)
	}
}

func TestALockSurvivesEveryCloseOfTheFileInItsProcess(t *testing.T) { // C01, field fact 2
	dir := t.TempDir()
	path, link := filepath.Join(dir, "f"), filepath.Join(dir, "hard link")
	holder := platformtest.Start(t, "hold", path)
	holder.Expect("held")
	if err := os.Link(path, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("hard link", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	holder.Send(path + " " + filepath.Join(dir, "link"))
	holder.Expect("read")
	f, err := db.OpenLockFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if state, err := f.State(); err != nil || state != platform.LockExclusive {
		t.Errorf("the kernel shows %v, %v; want an exclusive lock", state, err)
	}
	if _, err := open(t, path).Exec(t.Context(), "BEGIN EXCLUSIVE"); code(err)&0xff != platform.SQLiteBusy {
		t.Errorf("another process: %v; want busy", err)
	}
	holder.Kill()
	must(t, open(t, path), "BEGIN EXCLUSIVE")
}

func TestALockKindThatComesTooLateIsReported(t *testing.T) { // behaviour 0.10
	child := platformtest.Start(t, "too late", filepath.Join(t.TempDir(), "f"))
	for range 2 {
		child.Expect("SQLiteLockKindTooLate")
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	early := platformtest.StartWith(t, platformtest.ChildOptions{
		Program: "too late", Args: []string{filepath.Join(t.TempDir(), "f")}, Env: []string{"MODERNC_SQLITE_OFD_LOCK=1"},
	})
	early.Expect("<nil>")
}

func TestALockProvesItselfWithoutBeingDisturbed(t *testing.T) { // field fact 3
	path := filepath.Join(t.TempDir(), "f")
	f, err := db.OpenLockFile(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	check := func(when string, state platform.LockState, current bool) {
		t.Helper()
		if got, err := f.State(); err != nil || f.Proves() && got != state {
			t.Errorf("%s: state %v, %v; want %v", when, got, err, state)
		}
		if got, err := f.Current(); err != nil || got != current {
			t.Errorf("%s: current %v, %v; want %v", when, got, err, current)
		}
	}
	check("new", platform.LockFree, true)
	c := open(t, path)
	must(t, c, "BEGIN IMMEDIATE")
	check("reserved", platform.LockContended, true)
	must(t, c, "ROLLBACK", "BEGIN EXCLUSIVE")
	check("exclusive", platform.LockExclusive, true)
	reader, err := db.OpenLockFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	check("after another look", platform.LockExclusive, true)
	if err := os.Rename(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	check("renamed", platform.LockExclusive, false)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("replaced", platform.LockExclusive, false)
	must(t, c, "ROLLBACK")
	check("released", platform.LockFree, false)
}

func TestReadersDoNotCountAsHolders(t *testing.T) { // behaviour 0.1
	path := filepath.Join(t.TempDir(), "f")
	c := open(t, path)
	must(t, c, "CREATE TABLE t (a)", "BEGIN")
	if _, err := c.Query(t.Context(), "SELECT * FROM t"); err != nil {
		t.Fatal(err)
	}
	unlocked(t, path, "while somebody reads")
}
