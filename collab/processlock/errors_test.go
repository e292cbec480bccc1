package processlock_test

import (
	"io/fs"
	"syscall"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/errors"
)

func TestFailuresSayWhatToDo(t *testing.T) {
	h := processlock.Holder{Host: "vm", PID: 42, AcquiredAt: time.Date(2026, 11, 29, 14, 28, 46, 0, time.UTC)}
	denied := &fs.PathError{Op: "open", Path: "/x/l", Err: syscall.EACCES}
	for _, c := range []struct {
		err       errors.Tagged
		tag, text string
	}{
		{&processlock.Held{Path: "/x/l", Holder: mo.Some(h)}, "ProcessLockHeld",
			"process lock /x/l is held by pid 42 on vm since 2026-11-29T14:28:46Z; wait for it to be released, or stop that process"},
		{&processlock.Held{Path: "/x/l"}, "ProcessLockHeld",
			"process lock /x/l is held by a process that left no record of itself; wait for it to be released, or stop that process"},
		{&processlock.Lost{Path: "/x/l", Reason: "its file was removed", Holder: mo.Some(h)}, "ProcessLockLost",
			"process lock /x/l was lost before it was released: its file was removed; pid 42 on vm holds it since 2026-11-29T14:28:46Z; treat what was written since as unprotected"},
		{&processlock.Lost{Path: "/x/l", Reason: "its file was removed"}, "ProcessLockLost",
			"process lock /x/l was lost before it was released: its file was removed; treat what was written since as unprotected"},
		{&processlock.PathInvalid{Path: "/x", Reason: "is a directory"}, "ProcessLockPathInvalid",
			`process lock: the path "/x" is a directory; name a file of its own in an existing local folder`},
		{&processlock.PermissionDenied{Path: "/x/l", Err: denied}, "ProcessLockPermissionDenied",
			"process lock /x/l: open /x/l: permission denied; every process that shares the lock must be able to write the file and its folder"},
		{&processlock.Failure{Path: "/x/l", Op: "open", Err: syscall.EMFILE}, "ProcessLockFailure", "process lock /x/l: open: too many open files; remove the reason and try again"},
		{&processlock.ConfigInvalid{Message: "Retry is 0s; it must be above zero"}, "ProcessLockConfigInvalid", "process lock: Retry is 0s; it must be above zero"},
	} {
		if c.err.Tag() != c.tag || c.err.Error() != c.text {
			t.Errorf("%s: %s; want %s: %s", c.err.Tag(), c.err, c.tag, c.text)
		}
	}
	if err := error(&processlock.PermissionDenied{Err: denied}); !errors.Is(err, fs.ErrPermission) {
		t.Error("a permission failure is not fs.ErrPermission")
	}
}
