package guides

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

const operating = "../../docs/operating.md"

func guide(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// filesOf are the files in the tables of the guide, without those that are there for a moment.
func filesOf(text string) (files []string) {
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]*) \\|").FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(row[2], "for a moment") {
			files = append(files, row[1])
		}
	}
	slices.Sort(files)
	return files
}

// everything uses all that leaves files in a folder, and calls look while it does.
func everything(t *testing.T, dir string, look func()) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	withoutSQLite := platform.OS()
	withoutSQLite.SQLite = nil
	if err := os.Mkdir(at("records"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		do.Await(processlock.Acquire(at("daemon.lock"), processlock.Options{}))
		do.Await(processlock.Acquire(at("plain.lock"), processlock.Options{Platform: withoutSQLite}))
		do.Check(do.Await(leased.OpenSQLite(at("wakes.db"), nil)).Note(do, "room:1"))
		fenced := func(store lease.Repository, work effect.Effect[effect.Unit]) effect.Effect[effect.Unit] {
			fake := platformtest.New() // a process that can be identified, on every system
			leases := do.Try(lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second, Platform: fake.Platform()}))
			return do.Await(leases.Acquire("task:42")).RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return work })
		}
		records := do.Await(lease.OpenFile(at("records"), lease.WithPlatform(withoutSQLite)))
		database := do.Await(lease.OpenSQLite(at("leases.db")))
		return do.Await(fenced(database, fenced(records, effect.Call(func() { look() })))), nil
	}).Scoped().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

func below(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheFilesOnDiskAreThoseOfTheGuide(t *testing.T) {
	want := filesOf(guide(t, operating))
	dir := t.TempDir()
	everything(t, dir, func() {
		if got := below(t, dir); !slices.Equal(got, want) {
			t.Errorf("on the disk are\n%q; the guide has\n%q", got, want)
		}
	})
	for _, gone := range below(t, dir) {
		if strings.HasSuffix(gone, ".holder") || strings.HasSuffix(gone, "-wal") || gone == "plain.lock" {
			t.Errorf("%s is left when nobody runs", gone)
		}
	}
}

func TestTheStatementsOfTheGuideRun(t *testing.T) {
	var statements []string
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(guide(t, operating), -1) {
		statements = append(statements, block[1])
	}
	holders, waiting, backup, raise := statements[0], statements[1], statements[2], statements[3]
	t.Chdir(t.TempDir())
	everything(t, ".", func() {
		if held, wakes := query(t, "leases.db", holders), query(t, "wakes.db", waiting); held != 1 || wakes != 1 {
			t.Errorf("there are %d holders and %d wakes; want one of each", held, wakes)
		}
		query(t, "leases.db", backup)
	})
	if got := query(t, "leases-backup.db", holders); got != 1 {
		t.Errorf("the backup has %d holders", got)
	}
	query(t, "leases.db", raise)
	token, err := effect.Gen(func(do effect.Do) (lease.Token, error) {
		store := do.Await(lease.OpenSQLite("leases.db"))
		fake := platformtest.New()
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second, Platform: fake.Platform()}))
		return do.Await(leases.Acquire("task:42")).Token(), nil
	}).Scoped().Run(t.Context())
	if err != nil || token.Generation != 1000002 {
		t.Errorf("the next token is %v, %v", token, err)
	}
}

func query(t *testing.T, name, statement string) (count int) {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	for rows.Next() {
		count++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return count
}
