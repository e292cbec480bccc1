package lease_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform/platformtest"
)

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

func TestADatabaseOfOursHasTheSchemaPragmasAndFilesOfTheGoldenOne(t *testing.T) {
	_, golden := goldenDatabase(t, "sqlite")
	dir := t.TempDir()
	path := filepath.Join(dir, "leases.db")
	run(t, func(t *testing.T, do effect.Do) {
		m := newManager(t, do.Await(kinds["sqlite"](dir)))
		l, _ := held(do, m, "held:1")
		do.Await(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] {
			return effect.Call(func() {
				expectFiles(t, dir, "leases.db", "leases.db-shm", "leases.db-wal", "leases.db.held%3A1.fence", "leases.db.held%3A1.fence.holder")
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
