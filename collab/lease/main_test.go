package lease_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/lease/leasetest"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
	"github.com/rivus/agentkit/scope"
)

func TestMain(m *testing.M) {
	all := leasetest.Programs(stores...)
	maps.Copy(all, programs)
	platformtest.Main(m, all)
}

// stores are our repositories as the contract sees them.
var stores = []leasetest.Store{
	{Name: "memory", Open: opener(kinds["memory"])},
	{Name: "sqlite", Open: opener(kinds["sqlite"]), Persistent: true, Foreign: foreignDatabase},
	{Name: "file", Open: opener(kinds["file"]), Persistent: true, Foreign: foreignFile, Age: ageLockFiles},
	{Name: "file with SQLite", Persistent: true, Foreign: foreignFile, Open: opener(func(dir string) effect.Effect[lease.Repository] {
		return lease.OpenFile(dir).Map(func(r *lease.File) lease.Repository { return r })
	})},
}

// opener opens a repository for plain Go.
func opener(open func(dir string) effect.Effect[lease.Repository]) func(context.Context, string) (lease.Repository, func() error, error) {
	return func(ctx context.Context, dir string) (lease.Repository, func() error, error) {
		s := scope.New()
		repository, err := open(dir).Run(scope.Into(ctx, s))
		return repository, func() error { return s.Close(context.Background(), scope.Exit{}) }, err
	}
}

// LR-1 … LR-6, LM-1, LM-2
func TestEveryRepositoryPassesTheContract(t *testing.T) {
	for _, s := range stores {
		t.Run(s.Name, func(t *testing.T) { leasetest.Run(t, s) })
	}
}

func foreignDatabase(t testing.TB, dir, key string) func() bool {
	path := filepath.Join(dir, "leases.db")
	execute(t, path, "PRAGMA user_version = 2")
	return func() bool {
		return query(t, path, "PRAGMA user_version") == "2" && query(t, path, "SELECT revision FROM lease_record WHERE key = '"+key+"'") == "1"
	}
}

func foreignFile(t testing.TB, dir, key string) func() bool {
	path := filepath.Join(dir, lease.FileName(key)+".lease.json")
	const text = `{"schemaVersion":2,"record":"of another kind"}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		data, err := os.ReadFile(path)
		return err == nil && string(data) == text
	}
}

// ageLockFiles makes lock files as old as those that nobody will write to any more: a process that is killed before it has
// written its stamp leaves an empty one, which counts as held for 30 s.
func ageLockFiles(t testing.TB, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.lease.*"))
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-31 * time.Second)
	for _, file := range files {
		if err := os.Chtimes(file, old, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// execute runs a statement on a database, as other code would.
func execute(t testing.TB, path, statement string, args ...any) {
	t.Helper()
	db := database(t, path)
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// query is the one value a statement returns.
func query(t testing.TB, path, statement string) string {
	t.Helper()
	db := database(t, path)
	defer db.Close()
	var value sql.NullString
	if err := db.QueryRow(statement).Scan(&value); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return value.String
}

func database(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(fmt.Errorf("open %s: %w", path, err))
	}
	db.SetMaxOpenConns(1)
	return db
}
