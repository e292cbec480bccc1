package processlock_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/internal/descriptors"
	"github.com/rivus/agentkit/platform/platformtest"
)

func init() { programs["scarce"] = scarce }

// scarce is a child that takes the lock (its arguments are the mechanism and the path) with no, one, two, ... descriptors to spare,
// and then releases it with none. It says what went wrong.
func scarce(args []string, _ *bufio.Scanner) error {
	if err := descriptors.CloseGaps(); err != nil {
		return err
	}
	m, path := processlock.Mechanism(args[0]), args[1]
	o := processlock.Options{Platform: mechanisms[m]()}
	failures := 0
	for n := range 12 {
		var lock *processlock.Lock
		var failed, asked error
		before := descriptors.Open()
		if err := descriptors.Few(n, func() {
			lock, failed = processlock.Take(context.Background(), path, o)
			_, asked = processlock.Probe(context.Background(), path, o)
		}); err != nil {
			return err
		}
		for _, err := range []error{failed, asked} {
			if said := say(err); err != nil && said != "ProcessLockFailure" && said != "ProcessIdentityUnavailable" {
				fmt.Printf("with %d: %s %v\n", n, said, err)
			}
		}
		if failed == nil {
			if err := descriptors.Few(0, func() { failed = lock.Release() }); err != nil {
				return err
			}
			if failed != nil {
				fmt.Printf("a release with none after a lock with %d: %v\n", n, failed)
			}
		} else {
			failures++
		}
		if after := descriptors.Open(); after != before {
			fmt.Printf("with %d: %d files are open, and %d were before\n", n, after, before)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 1 || len(left) == 1 && (m == byFile || left[0].Name() != filepath.Base(path)) {
			fmt.Printf("with %d: %v are left, %v\n", n, left, err)
		}
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			fmt.Printf("with %d: the file holds %q\n", n, text)
		}
	}
	fmt.Println("failures:", failures > 0, "all:", failures == 12)
	return nil
}

func TestWithoutFilesToOpenNothingIsHalfDone(t *testing.T) { // C07, B03: EMFILE
	for _, m := range []processlock.Mechanism{bySQLite, byFile} {
		path := lockPath(t)
		platformtest.Start(t, "scarce", string(m), path).Expect("failures: true all: false")
		released(t, taken(t, path, processlock.Options{Platform: mechanisms[m]()}))
	}
}

func TestALockOnAFullDiskIsATypedFailureAndNothingIsHalfDone(t *testing.T) { // C07: ENOSPC
	platformtest.Privileged(t)
	for _, m := range []processlock.Mechanism{bySQLite, byFile} {
		dir := t.TempDir()
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
		path, filler := filepath.Join(dir, "l"), filepath.Join(dir, "filler")
		holder := holder(t, m, filepath.Join(dir, "held"))
		f, err := os.Create(filler)
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
		_ = f.Close()
		for range 3 {
			child := platformtest.Start(t, "take", string(m), path, "wait")
			child.Expect("ProcessLockFailure")
			if err := child.Wait(); err != nil {
				t.Error(err)
			}
		}
		left := strings.ReplaceAll(names(t, path), " l", "") // with SQLite an empty file
		if text, err := os.ReadFile(path); len(text) > 0 || err == nil && m == byFile {
			t.Errorf("%s: the lock file holds %q, %v", m, text, err)
		}
		if want := map[processlock.Mechanism]string{bySQLite: "filler held held.holder", byFile: "filler held"}[m]; left != want {
			t.Errorf("%s: %q are left, want %q", m, left, want)
		}
		holder.Send("verify") // a full disk is nothing to who has a lock
		holder.Expect("held")
		holder.Send("release")
		holder.Expect("held")
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		released(t, taken(t, path, processlock.Options{Platform: mechanisms[m]()}))
	}
}
