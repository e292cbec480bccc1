//go:build unix

package processlock_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// Nobody could take the lock before this process ends if its file stayed.
func TestALockFileThatItsMakerCannotReadIsRemovedAllTheSame(t *testing.T) { // B03
	fake, o := fileFake()
	for reads := range 2 { // back after it was written, and on its release
		path := lockPath(t)
		remove := fake.Files.Inject(platformtest.Fault{Op: "Read", Skip: reads, Err: syscall.EMFILE})
		lock, err := processlock.Take(t.Context(), path, o)
		if failure, ok := errors.AsType[*processlock.Failure](err); (err != nil) != (reads == 0) || err != nil && (!ok || !errors.Is(failure, syscall.EMFILE)) {
			t.Errorf("after %d reads: %v", reads, err)
		}
		if err == nil {
			released(t, lock)
		}
		if left := names(t, path); left != "" {
			t.Errorf("after %d reads %s is left", reads, left)
		}
		remove()
		lock = taken(t, path, o)
		fake.Files.Inject(platformtest.Fault{Op: "Read", Times: 1, Err: syscall.EMFILE})
		write(t, path, "another holder's") // in the same file
		if _, ok := errors.AsType[*processlock.Failure](lock.Release()); !ok || content(t, path) != "another holder's" {
			t.Errorf("a file that was changed meanwhile holds %q", content(t, path))
		}
	}
}
