//go:build linux

package lease_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

const nobody = 65534

// sharedDir is a directory that other users may write.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lease")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// asNobody starts a contender under another uid and returns what it says to an attempt.
func asNobody(t *testing.T, args ...string) string {
	t.Helper()
	child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "acquire", Args: args, UID: nobody})
	child.Expect("ready")
	child.Send("go")
	line, _ := word(child)
	return line
}

// A04
func TestAHolderOfAnotherUserIsRespectedWhileItLivesAndTakenOverWhenItIsDead(t *testing.T) {
	platformtest.Privileged(t)
	for _, store := range shared {
		t.Run(store, func(t *testing.T) {
			dir := sharedDir(t)
			if err := os.WriteFile(filepath.Join(dir, "leases.db"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(dir, "leases.db"), 0o666); err != nil {
				t.Fatal(err)
			}
			holder := contenders(t, 1, store, dir, minutes, "try")
			winners(t, holder)
			if said := asNobody(t, store, dir, minutes, "try"); said != fmt.Sprint("refused by ", holder[0].PID()) {
				t.Errorf("while it lives: %q", said)
			}
			holder[0].Kill()
			if said := asNobody(t, store, dir, minutes, "try"); said != "held 2 the holder's process is gone" {
				t.Errorf("after it died: %q", said)
			}
		})
	}
}

// B03
func TestARecordThatMayNotBeReadIsATypedFailureAndItsHolderKeepsIt(t *testing.T) {
	platformtest.Privileged(t)
	dir := sharedDir(t)
	holder := contenders(t, 1, "file", dir, minutes, "try")
	winners(t, holder)
	path := filepath.Join(dir, "k.lease.json")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if said := asNobody(t, "file", dir, minutes, "wait"); !strings.Contains(said, `store of lease "k": io:`) || !strings.Contains(said, "permission denied") {
		t.Errorf("the rival said %q, want an io failure", said)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the record became %q, %v", after, err)
	}
}

// C03, for the lease database
func TestADatabaseThatMayNotBeWrittenIsATypedFailure(t *testing.T) {
	platformtest.Privileged(t)
	dir := sharedDir(t)
	run(t, func(t *testing.T, do effect.Do) {
		_, release := held(do, newManager(t, do.Await(kinds["sqlite"](dir))), "k")
		release()
	})
	child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "open", Args: []string{dir}, UID: nobody})
	if said := child.Line(); !strings.Contains(said, "may not write") {
		t.Errorf("a user without the right to write said %q", said)
	}
}

// B05, for the lease database: one who may only read would wait for the other end of a pipe
func TestAPipeInTheWayIsRefusedToOtherUsersToo(t *testing.T) {
	platformtest.Privileged(t)
	dir := sharedDir(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "leases.db"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, func(t *testing.T, do effect.Do) {
		if f := failure[*lease.RepositoryFailure](t, do, kinds["sqlite"](dir)); f.Reason != lease.IO {
			t.Errorf("failed with %+v, want io", f)
		}
	})
	child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "open", Args: []string{dir}, UID: nobody})
	if said := child.Line(); !strings.Contains(said, "no regular file") {
		t.Errorf("a user without the right to write said %q", said)
	}
	expectFiles(t, dir, "leases.db")
}

// B03
func TestTooManyOpenFilesIsATypedFailureAndNoProofOfDeath(t *testing.T) {
	virtual(t, func(t *testing.T, do effect.Do) {
		fake := platformtest.New()
		dir := t.TempDir()
		store := do.Await(lease.OpenFile(dir, lease.WithPlatform(fake.Platform())))
		l, _ := held(do, newManager(t, store, on(fake.Platform())), "k")
		fake.Processes.Start(2000)
		rival := newManager(t, store, on(fake.As(2000)))
		fake.Files.Inject(platformtest.Fault{Op: "Read", Times: 1, Err: syscall.EMFILE})
		if f := failure[*lease.RepositoryFailure](t, do, rival.Acquire("k")); f.Reason != lease.IO {
			t.Errorf("failed with %+v, want io", f)
		}
		fake.Processes.Fail(1000, syscall.EMFILE)
		failure[*lease.Held](t, do, rival.Acquire("k"))
		do.Await(effect.Sleep(time.Second))
		if l.Context().Err() != nil {
			t.Error("the holder lost its lease")
		}
	})
}

// C07 on a real full disk, for ever
func TestAHolderOnAFullDiskIsToldBeforeAnybodyCouldTakeItsLease(t *testing.T) {
	platformtest.Privileged(t)
	for _, store := range append([]string{"sqlite"}, fileStores...) {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
			run(t, func(t *testing.T, do effect.Do) {
				repository := openStore(do, store, dir)
				const ttl = 600 * time.Millisecond
				l, _ := held(do, newManager(t, repository, func(c *lease.Config) { c.TTL, c.Heartbeat = ttl, ttl/6 }), "k")
				work := do.Await(effect.Fork(l.WhileHeld(effect.Never[int]())))
				filled := fill(t, dir)
				rival := newManager(t, repository, func(c *lease.Config) { c.TTL, c.Heartbeat = ttl, ttl/6 })
				began := time.Now()
				for taken := false; !taken && time.Since(began) < 3*ttl*slowdown; {
					stored := load(t, do, repository, "k")
					_, err := effect.Await(do, rival.Acquire("k"))
					if _, refused := errors.AsType[*lease.Held](err); refused {
						do.Await(effect.Sleep(ttl / 50))
						continue
					}
					taken = true
					if l.Context().Err() == nil {
						t.Errorf("the record %+v could be taken (%v) before its holder was told", stored, err)
					}
				}
				if lost := failure[*lease.Lost](t, do, work.Join().Timeout(10*time.Second)); lost.Reason != lease.Expired && lost.Reason != lease.TakenOver {
					t.Errorf("lost with %q, want expired", lost.Reason)
				}
				if err := os.Remove(filled); err != nil {
					t.Fatal(err)
				}
				if r := load(t, do, repository, "k"); r.Validate() != nil || r.Generation > 2 {
					t.Errorf("the full disk left the record %+v", r)
				}
			})
		})
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, dir string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	return f.Name()
}
