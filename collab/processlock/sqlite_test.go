//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

const bySQLite = processlock.MechanismSQLite

func TestASQLiteLockIsTakenByTheseStatementsInThisOrder(t *testing.T) { // 2.2.1, field fact 1
	fake := platformtest.New()
	taken(t, lockPath(t), processlock.Options{Platform: fake.Platform()})
	want := "PRAGMA busy_timeout = 10;\nPRAGMA journal_mode = MEMORY;\nPRAGMA locking_mode = EXCLUSIVE;\nBEGIN EXCLUSIVE;\nPRAGMA user_version = 0"
	if got := strings.Join(fake.SQLite.Statements(), ";\n"); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestTheDatabaseStaysEmptyAndTheRecordGoes(t *testing.T) { // 2.2.2, 2.2.9, 2.5.1, PL-10
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{})
	if got := names(t, path); got != "daemon.lock daemon.lock.holder" {
		t.Errorf("held: %s", got)
	}
	shape := regexp.MustCompile(`^\{"host":"[^"]+","pid":\d+,"acquiredAt":\d{13},"nonce":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"\}$`)
	if text := content(t, path+".holder"); !shape.MatchString(text) {
		t.Errorf("the record is %s", text)
	}
	released(t, lock)
	if got := names(t, path); got != "daemon.lock" {
		t.Errorf("released: %s", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != 0 {
		t.Errorf("%d bytes, %v; want 0", info.Size(), err)
	}
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	if want := os.FileMode(0o666 &^ mask); info.Mode() != want {
		t.Errorf("mode %v; want %v", info.Mode(), want)
	}
}

func TestTheLockIsTheRecordLockThatSQLiteProcessesKnow(t *testing.T) { // 2.2.2
	if _, err := os.Stat("/proc/locks"); err != nil {
		t.Skip("the system has no /proc/locks")
	}
	path := lockPath(t)
	taken(t, path, processlock.Options{})
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	want := regexp.MustCompile(`OFDLCK +ADVISORY +WRITE +\S+ \S+:` + itoa(inode) + ` 1073741824 1073742335\n`)
	if !want.Match(locks) {
		t.Errorf("/proc/locks lacks %v:\n%s", want, locks)
	}
}

func itoa(n uint64) string {
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append(digits, byte('0'+n%10))
	}
	slices.Reverse(digits)
	return string(digits)
}

func TestAStaleRecordIsOverwrittenByTheNextHolder(t *testing.T) { // 2.2.10, 2.2.12
	path := lockPath(t)
	child := holder(t, bySQLite, path)
	child.Kill()
	if text := content(t, path+".holder"); !strings.Contains(text, "pid") {
		t.Fatalf("the killed holder left %q; want its record", text)
	}
	lock := taken(t, path, processlock.Options{})
	if text := content(t, path+".holder"); !strings.Contains(text, itoa(uint64(os.Getpid()))) {
		t.Errorf("the record is %s; want this process", text)
	}
	released(t, lock)
}

func TestARefusalReportsWhatTheRecordSays(t *testing.T) { // 2.2.10, 2.2.11, PS-1
	path := lockPath(t)
	holder(t, bySQLite, path)
	for name, c := range map[string]struct {
		record      string
		pid         int
		boot, start bool
	}{
		"today's":          {`{"host":"h","pid":7,"acquiredAt":1000,"nonce":"n"}`, 7, false, false},
		"legacy":           {golden(t, "process-lock-sqlite-legacy-holder/daemon.lock.holder"), 8087, true, true},
		"boot id only":     {`{"host":"h","bootId":"b","pid":7,"acquiredAt":1000,"nonce":"n"}`, 7, true, false},
		"start time only":  {`{"host":"h","pid":7,"startTime":5,"acquiredAt":1000,"nonce":"n"}`, 7, false, true},
		"more members":     {`{"v":[1],"host":"h","pid":7,"acquiredAt":1000,"nonce":"n"}`, 7, false, false},
		"byte order mark":  {"\ufeff" + `{"host":"h","pid":7,"acquiredAt":1000,"nonce":"n"}`, 7, false, false},
		"bad start time":   {`{"host":"h","pid":7,"startTime":"5","acquiredAt":1000,"nonce":"n"}`, 0, false, false},
		"no nonce":         {`{"host":"h","pid":7,"acquiredAt":1000}`, 0, false, false},
		"pid not a number": {`{"host":"h","pid":"7","acquiredAt":1000,"nonce":"n"}`, 0, false, false},
		"no JSON":          {`pid 7`, 0, false, false},
		"empty":            {``, 0, false, false},
	} {
		write(t, path+".holder", c.record)
		h, ok := refused(t, path, processlock.Options{}).Holder.Get()
		if h.PID != c.pid || ok != (c.pid != 0) || h.BootID.IsPresent() != c.boot || h.StartTime.IsPresent() != c.start {
			t.Errorf("%s: %+v, %v", name, h, ok)
		}
	}
	if err := os.Remove(path + ".holder"); err != nil {
		t.Fatal(err)
	}
	if h, ok := refused(t, path, processlock.Options{}).Holder.Get(); ok {
		t.Errorf("no record: %v", h)
	}
}

func TestALockWhoseRecordCannotBeWrittenIsUndone(t *testing.T) { // 2.2.8
	fake := platformtest.New()
	path := lockPath(t)
	remove := fake.Files.Inject(platformtest.Fault{Op: "WriteVolatile", Err: syscall.ENOSPC})
	_, err := processlock.Take(t.Context(), path, processlock.Options{Platform: fake.Platform()})
	if failure, ok := errors.AsType[*processlock.Failure](err); !ok || !errors.Is(err, syscall.ENOSPC) || failure.Path != path {
		t.Errorf("%v; want *Failure with ENOSPC", err)
	}
	remove()
	released(t, taken(t, path, processlock.Options{Platform: platform.OS()}))
}

func TestAReleaseThatCannotRemoveTheRecordFreesTheLock(t *testing.T) { // 2.2.9
	fake := platformtest.New()
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
	fake.Files.Inject(platformtest.Fault{Op: "Remove", Err: syscall.EIO})
	if err := lock.Release(); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v; want EIO", err)
	}
	released(t, taken(t, path, processlock.Options{Platform: platform.OS()}))
}

func TestFailuresOfSQLiteAreNotHeldLocks(t *testing.T) { // 2.2.4
	path := lockPath(t)
	for name, c := range map[string]struct {
		fault platformtest.Fault
		want  string
	}{
		"cannot open":          {platformtest.Fault{Op: "Open", Err: platformtest.Failure(14)}, "ProcessLockFailure"},
		"corrupt":              {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(11)}, "ProcessLockFailure"},
		"input/output":         {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(10 | 15<<8)}, "ProcessLockFailure"},
		"read-only":            {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(8)}, "ProcessLockPermissionDenied"},
		"too late":             {platformtest.Fault{Op: "Open", Err: &platform.LockKindTooLate{}}, "SQLiteLockKindTooLate"},
		"query":                {platformtest.Fault{Op: "State", Err: syscall.EIO}, "ProcessLockFailure"},
		"too many files":       {platformtest.Fault{Op: "OpenLockFile", Err: syscall.EMFILE}, "ProcessLockFailure"},
		"close":                {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(7)}, "ProcessLockFailure"},
		"moved, for a moment":  {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(8 | 4<<8), Times: 2}, ""},
		"busy, for a moment":   {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(5), Times: 3}, ""},
		"locked, for a moment": {platformtest.Fault{Op: "Exec", Err: platformtest.Failure(6), Times: 3}, ""},
	} {
		fake := platformtest.New()
		fake.SQLite.Inject(c.fault)
		lock, err := processlock.Take(t.Context(), path, processlock.Options{Platform: fake.Platform()})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v; want the lock", name, err)
				continue
			}
			released(t, lock)
		} else if err == nil || say(err) != c.want {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	released(t, taken(t, path, processlock.Options{})) // nothing of it is left
}

func TestALockThatTheKernelDoesNotShowIsRefused(t *testing.T) { // field fact 3
	fake := platformtest.New()
	path := lockPath(t)
	_, err := processlock.Take(t.Context(), path, processlock.Options{Platform: forgetful(fake)})
	if failure, ok := errors.AsType[*processlock.Failure](err); !ok || !strings.Contains(failure.Error(), "kernel does not show it") {
		t.Errorf("%v; want *Failure", err)
	}
}

func TestTheHoldersOwnClosesDoNotDropTheLock(t *testing.T) { // C01, field fact 2
	path := lockPath(t)
	link := filepath.Join(filepath.Dir(path), "hard-link")
	child := holder(t, bySQLite, path)
	if err := os.Link(path, link); err != nil {
		t.Fatal(err)
	}
	child.Send("read " + path + " " + link)
	child.Expect("read")
	refused(t, path, processlock.Options{})
	child.Send("verify")
	child.Expect("held")
	child.Send("release")
	child.Expect("held")
}

func TestTwoProcessesThatMayNotWriteTheFileBothGetAPermissionFailure(t *testing.T) { // C03, field fact 1
	platformtest.Privileged(t)
	dir := openFolder(t)
	for name, mode := range map[string]os.FileMode{"read-only": 0o444, "of-another-owner": 0o644, "unreadable": 0o600} {
		path := filepath.Join(dir, name)
		write(t, path, "")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "take", Args: []string{"sqlite", path, "try"}, UID: 65534})
			child.Expect("ProcessLockPermissionDenied")
		}
		if got := content(t, path); got != "" {
			t.Errorf("%s: %q; want it untouched", name, got)
		}
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"sqlite", "file"} {
		child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "take", Args: []string{m, filepath.Join(closed, "l"), "try"}, UID: 65534})
		child.Expect("ProcessLockPermissionDenied")
	}
}

func TestALockOnAReadOnlyMountIsAPermissionFailure(t *testing.T) { // C03
	platformtest.Privileged(t)
	dir := openFolder(t)
	path := filepath.Join(dir, "l")
	write(t, path, "")
	for _, m := range []string{"sqlite", "file"} {
		for _, target := range []string{path, path + "-new"} {
			if m == "file" && target == path {
				continue // an existing file is judged, not written
			}
			child := platformtest.StartWith(t, platformtest.ChildOptions{
				Program: "take", Args: []string{m, target, "try"},
				Wrap: []string{"unshare", "--mount", "sh", "-c", `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`, dir},
			})
			child.Expect("ProcessLockPermissionDenied")
		}
	}
}

func TestAnUnprivilegedProcessIsRefusedByAnotherUsersHolder(t *testing.T) { // A04
	platformtest.Privileged(t)
	for _, m := range []processlock.Mechanism{bySQLite, byFile} {
		path := filepath.Join(openFolder(t), "l")
		child := holder(t, m, path)
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		rival := func() *platformtest.Child {
			return platformtest.StartWith(t, platformtest.ChildOptions{Program: "take", Args: []string{string(m), path, "try"}, UID: 65534})
		}
		rival().Expect("refused by " + itoa(uint64(child.PID())))
		child.Kill()
		rival().Expect("held")
	}
}

func TestARemovedOrReplacedFileIsALostLock(t *testing.T) { // field fact 3, 0.13
	for name, harm := range map[string]func(path string) error{
		"removed":  os.Remove,
		"renamed":  func(path string) error { return os.Rename(path, path+"-away") },
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		path := lockPath(t)
		lock := taken(t, path, processlock.Options{})
		if err := lock.Verify(t.Context()); err != nil {
			t.Errorf("before: %v", err)
		}
		if err := harm(path); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{lock.Verify(t.Context()), lock.Release(), lock.Release()} {
			if lost, ok := errors.AsType[*processlock.Lost](err); !ok || lost.Path != path {
				t.Errorf("%s: %v; want *Lost", name, err)
			}
		}
		released(t, taken(t, path, processlock.Options{}))
	}
}

func TestALostLockLeavesTheSuccessorsRecordAlone(t *testing.T) { // 0.13
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	successor := holder(t, bySQLite, path)
	lost, ok := errors.AsType[*processlock.Lost](lock.Release())
	if !ok || lost.Holder.OrEmpty().PID != successor.PID() {
		t.Errorf("%v; want *Lost naming pid %d", lost, successor.PID())
	}
	if h := refused(t, path, processlock.Options{}).Holder.OrEmpty(); h.PID != successor.PID() {
		t.Errorf("the record names %v; want the successor", h)
	}
}

func TestAWaitingAcquisitionFollowsTheFileThatIsAtThePath(t *testing.T) {
	path := lockPath(t)
	first := holder(t, bySQLite, path)
	waiting := platformtest.Start(t, "take", "sqlite", path, "wait")
	waiting.Quiet(50 * time.Millisecond)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	waiting.Expect("held")
	waiting.Send("verify")
	waiting.Expect("held")
	first.Send("release")
	first.Expect("ProcessLockLost")
}

func TestACopyOfTheLibraryInTheSameProcessIsExcludedByTheLockItself(t *testing.T) { // 0.17
	// Turns are shared through the SQLite value; with another one, as a second copy has, only the lock is left.
	fake := platformtest.New()
	fake.Processes.Start(7)
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
	refused(t, path, processlock.Options{Platform: fake.As(7)})
	if held, err := processlock.Probe(t.Context(), path, processlock.Options{Platform: fake.As(7)}); !held || err != nil {
		t.Errorf("Probe = %v, %v; want held", held, err)
	}
	released(t, lock)
	released(t, taken(t, path, processlock.Options{Platform: fake.As(7)}))
}

func TestABlindSystemLocksToo(t *testing.T) { // 0.9: Windows
	fake := platformtest.New()
	fake.SQLite.Blind()
	fake.Processes.Start(7)
	fake.Processes.FailHost(errors.ErrUnsupported)
	fake.Processes.Fail(1000, errors.ErrUnsupported)
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
	if lock.Holder().IsPresent() {
		t.Errorf("the holder is %v; want none", lock.Holder())
	}
	began := time.Now()
	refused(t, path, processlock.Options{Platform: fake.As(7)})
	if took := time.Since(began); took < 20*time.Millisecond {
		t.Errorf("refused after %v; want it to settle first, not knowing a held lock from contention", took)
	}
	if err := lock.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	released(t, lock)
	released(t, taken(t, path, processlock.Options{Platform: fake.As(7)}))
}
