package lease_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform/platformtest"
)

// fileStores are the two kinds of guards and fences.
var fileStores = []string{"file", "file with SQLite"}

// openStore opens one of our repositories for the length of a test's effect.
func openStore(do effect.Do, name, dir string) lease.Repository {
	if name == "file with SQLite" {
		return do.Await(lease.OpenFile(dir))
	}
	return do.Await(kinds[name](dir))
}

// 5.4.1, 5.4.3, and the golden directories
func TestGoldenDirectoriesAreReadAndTheirDeadHoldersTakenOver(t *testing.T) {
	for store, golden := range map[string]string{"file": "file", "file with SQLite": "file-sqlite-guards"} {
		t.Run(golden, func(t *testing.T) {
			run(t, func(t *testing.T, do effect.Do) {
				dir, described := goldenDatabase(t, golden)
				repository := openStore(do, store, dir)
				m := newManager(t, repository)
				for _, row := range described.Rows {
					r := load(t, do, repository, row.Key)
					if r.Generation != row.Generation || r.Key != row.Key || r.Validate() != nil {
						t.Errorf("%q reads as %+v, want generation %d", row.Key, r, row.Generation)
					}
					if r.Holder != nil {
						continue // whether this machine can judge it depends on the machine
					}
					if l, _ := held(do, m, row.Key); l.Token().Generation != row.Generation+1 {
						t.Errorf("%q is acquired as %v, want generation %d", row.Key, l.Token(), row.Generation+1)
					}
				}
				failure[*lease.Held](t, do, m.Acquire("remote:1"))
			})
		})
	}
}

// 5.4.1
func TestGuardsAndFencesAreProcessLocksBesideTheRecord(t *testing.T) {
	for store, want := range map[string]map[string][]string{
		"file": {"inside": {"k.lease.fence", "k.lease.json"}, "after": {"k.lease.json"}},
		"file with SQLite": {
			"inside": {"k.lease.fence", "k.lease.fence.holder", "k.lease.guard", "k.lease.json"},
			"after":  {"k.lease.fence", "k.lease.guard", "k.lease.json"},
		},
	} {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			run(t, func(t *testing.T, do effect.Do) {
				l, _ := held(do, newManager(t, openStore(do, store, dir)), "k")
				do.Await(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] {
					return effect.Call(func() { expectFiles(t, dir, want["inside"]...) })
				}))
			})
			expectFiles(t, dir, want["after"]...)
		})
	}
}

// LM-20, 5.4.3, 0.15, B01
func TestRecordFilesThatCannotBeReadAreRefusedByNameAndLeftAlone(t *testing.T) {
	for text, reason := range map[string]lease.FailureReason{
		"":                                     lease.InvalidRecord,
		"{":                                    lease.InvalidRecord,
		`{"schemaVersion":1}`:                  lease.InvalidRecord,
		`{"schemaVersion":1,"record":{"a":1}}`: lease.InvalidRecord,
		`{"schemaVersion":2,"record":{}}`:      lease.UnsupportedSchema,
		`[]`:                                   lease.UnsupportedSchema,
		`{"schemaVersion":1,"record":{"key":"task:1","generation":0,"revision":0,"holder":null,"holderId":null,"renewedAt":1}}`: lease.InvalidRecord,
	} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			path := filepath.Join(dir, "task%3A1.lease.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			m := newManager(t, openStore(do, "file", dir))
			f := failure[*lease.RepositoryFailure](t, do, m.Acquire("task:1", lease.Wait))
			if f.Reason != reason || f.Key != "task:1" {
				t.Errorf("%q: failed with %+v, want %s", text, f, reason)
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != text {
				t.Errorf("%q became %q, %v", text, data, err)
			}
			expectFiles(t, dir, "task%3A1.lease.json")
		})
	}
}

// Bad input: what is in a record's place and is no record. Were a link that leads nowhere no record, its key's tokens would begin
// again at 1.
func TestWhatIsInARecordsPlaceAndNoFileIsRefusedAndLeftAlone(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"folder":         func(path string) error { return os.Mkdir(path, 0o700) },
		"dangling link":  func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(path), "nothing"), path) },
		"link to itself": func(path string) error { return os.Symlink(path, path) },
	} {
		run(t, func(t *testing.T, do effect.Do) {
			dir := t.TempDir()
			if err := make(filepath.Join(dir, "k.lease.json")); err != nil {
				t.Fatal(err)
			}
			m := newManager(t, openStore(do, "file", dir))
			if f := failure[*lease.RepositoryFailure](t, do, m.Acquire("k", lease.Wait)); f.Reason != lease.IO || f.Key != "k" {
				t.Errorf("%s: failed with %+v, want io", name, f)
			}
			expectFiles(t, dir, "k.lease.json")
		})
	}
}

// 1.3.6, 5.4.3
func TestAByteOrderMarkAndUnknownMembersAreTolerated(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir := t.TempDir()
		text := "\ufeff" + `{"x":1,"schemaVersion":1,"record":{"key":"k","generation":4,"revision":8,"holder":null,"holderId":null,"renewedAt":1,"y":2}}`
		if err := os.WriteFile(filepath.Join(dir, "k.lease.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, _ := held(do, newManager(t, openStore(do, "file", dir)), "k"); l.Token().Generation != 5 {
			t.Errorf("got %v, want generation 5", l.Token())
		}
	})
}

// guard is a child that keeps the process lock of its second argument, by the mechanism of its first, until its input ends.
func guard(args []string, commands *bufio.Scanner) error {
	p := withoutSQLite()
	if args[0] == "file with SQLite" {
		p = nil
	}
	lock, err := processlock.Take(context.Background(), args[1], processlock.Options{Platform: p})
	if err != nil {
		return err
	}
	fmt.Println("held")
	commands.Scan()
	return lock.Release()
}

// LM-21, LM-22, 5.4.4, 5.4.7
func TestAStalledGuardMakesASaveBusyAndAWaitingAcquisitionOutwaitsIt(t *testing.T) {
	for _, store := range fileStores {
		t.Run(store, func(t *testing.T) {
			run(t, func(t *testing.T, do effect.Do) {
				dir := t.TempDir()
				child := platformtest.Start(t, "guard", store, filepath.Join(dir, "k.lease.guard"))
				child.Expect("held")
				m := newManager(t, openStore(do, store, dir))
				began := time.Now()
				f := failure[*lease.RepositoryFailure](t, do, m.Acquire("k"))
				if took := time.Since(began); f.Reason != lease.Busy || took < time.Second || took > 3*time.Second*slowdown {
					t.Errorf("failed with %+v after %v, want busy after about a second", f, took)
				}
				waiter := do.Await(effect.Fork(m.Acquire("k", lease.Wait).Scoped()))
				child.Send("release")
				if token := do.Await(waiter.Join()).Token(); token.Generation != 1 {
					t.Errorf("the waiter got %v", token)
				}
			})
		})
	}
}

// LM-23, 5.4.6
func TestTheGuardOfADeadProcessIsNoObstacle(t *testing.T) {
	for _, store := range fileStores {
		t.Run(store, func(t *testing.T) {
			run(t, func(t *testing.T, do effect.Do) {
				dir := t.TempDir()
				child := platformtest.Start(t, "guard", store, filepath.Join(dir, "k.lease.guard"))
				child.Expect("held")
				child.Kill()
				began := time.Now()
				held(do, newManager(t, openStore(do, store, dir)), "k")
				if took := time.Since(began); took > time.Second*slowdown {
					t.Errorf("it took %v, want at once", took)
				}
			})
		})
	}
}

// 0.19
func TestARecordFileIsDurableBeforeItsAcquisitionIsReported(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		dir := t.TempDir()
		store := do.Await(lease.OpenFile(dir, lease.WithPlatform(fake.Platform())))
		synced := ""
		fake.Files.Inject(platformtest.Fault{Op: "SyncDir", Before: func(string) {
			data, _ := os.ReadFile(filepath.Join(dir, "k.lease.json"))
			synced = string(data)
		}})
		m := newManager(t, store, on(fake.Platform()))
		held(do, m, "k")
		if !strings.Contains(synced, `"generation":1,"revision":1,`) {
			t.Errorf("the directory was synced over the record %q", synced)
		}
	})
}

// Bad input: directories
func TestPathsThatAreNoDirectoryAreTypedFailures(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", file, filepath.Join(dir, "missing"), "nul\x00"} {
		run(t, func(t *testing.T, do effect.Do) {
			if f := failure[*lease.RepositoryFailure](t, do, lease.OpenFile(path)); f.Reason != lease.IO || f.Key != "" {
				t.Errorf("%q: failed with %+v, want io", path, f)
			}
		})
	}
	expectFiles(t, dir, "file")
}
