package repocheck

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// samples are the failures of the main module, each as a program would meet it.
func samples() []errors.Tagged {
	noon := time.Date(2026, time.March, 27, 12, 0, 0, 0, time.UTC)
	other := platform.ProcessIdentity{Host: "build-7", BootID: "b", PID: 4711, StartTime: 99}
	holder := mo.Some(processlock.Holder{Host: "build-7", PID: 4711, AcquiredAt: noon})
	denied := &fs.PathError{Op: "open", Path: "run/daemon.lock", Err: syscall.EACCES}
	busy := &platform.SQLiteFailure{Op: "begin", Path: "leases.db", Code: platform.SQLiteBusy, Err: errors.New("database is locked (5)")}
	cannotOpen := &platform.SQLiteFailure{Op: "open", Path: "leases.db", Code: platform.SQLiteCantOpen, Err: errors.New("unable to open database file (14)")}
	return []errors.Tagged{
		&processlock.Held{Path: "run/daemon.lock", Holder: holder},
		&processlock.Held{Path: "run/daemon.lock"},
		&processlock.Lost{Path: "run/daemon.lock", Holder: holder, Reason: "its file was removed or replaced"},
		&processlock.PathInvalid{Path: "run", Reason: "is a directory"},
		&processlock.PermissionDenied{Path: "run/daemon.lock", Err: denied},
		&processlock.Failure{Path: "run/daemon.lock", Op: "open", Err: syscall.EMFILE},
		refused(processlock.Take(context.Background(), "x", processlock.Options{Retry: mo.Some(-time.Second)})),

		&lease.Held{Key: "task:42", Generation: 3, Holder: other, HolderID: "h", RenewedAt: noon},
		&lease.Lost{Key: "task:42", Generation: 3, Reason: lease.TakenOver, By: &other},
		&lease.Lost{Key: "task:42", Generation: 3, Reason: lease.ReleasedElsewhere},
		&lease.Lost{Key: "task:42", Generation: 3, Reason: lease.Missing},
		&lease.Lost{Key: "task:42", Generation: 3, Reason: lease.Expired},
		&lease.FenceRejected{Key: "task:42", Generation: 3, Current: mo.Some[int64](4)},
		&lease.FenceRejected{Key: "task:42", Generation: 3, Current: mo.Some[int64](3)},
		&lease.FenceRejected{Key: "task:42", Generation: 3},
		refused(lease.NewManager(lease.NewMemory(), lease.Config{TTL: time.Second, Heartbeat: time.Second})),
		refused(0, lease.ValidateKey("")),
		&lease.Reentrant{Key: "task:42", Generation: 3, Operation: "acquire"},
		&lease.RevisionConflict{Key: "task:42", Expected: mo.Some[int64](7), Stored: mo.Some[int64](8)},
		&lease.RepositoryFailure{Key: "task:42", Reason: lease.Busy, Message: "other processes keep leases.db locked", Cause: busy},
		&lease.RepositoryFailure{Reason: lease.IO, Message: "use leases.db", Cause: syscall.ENOSPC},
		&lease.RepositoryFailure{Reason: lease.IO, Message: "use leases.db", Cause: cannotOpen},
		refused(0, lease.Record{Key: "task:42"}.Validate()),
		&lease.RepositoryFailure{Reason: lease.UnsupportedSchema, Message: "leases.db has schema version 9, this library knows version 1; it is left as it is"},
		&lease.RepositoryFailure{Reason: lease.Unavailable, Message: "the platform has no SQLite; use OpenFile instead"},

		&lanes.QueueFull{Key: "room:1", MaxQueued: 32},
		&lanes.Closed{Key: "room:1", Since: noon, Draining: true},
		&lanes.ConfigInvalid{Field: "MaxConcurrent", Message: "must be at least 1, and is 0"},
		&lanes.KeyInvalid{Key: 0.5},
		&lanes.NeverEnds{Operation: "Drain", Key: "room:1", Phase: lanes.Activating},
		&lanes.DrainCut{Dropped: 2, Interrupted: 1},
		exit{lanes.ActivationFailed[string]{Key: "room:1", Cause: errors.FailCause(&effect.TimeoutError{After: time.Second})}},
		exit{lanes.ActivationInterrupted[string]{Key: "room:1", Reason: lanes.StopCancel}},
		exit{lanes.ActivationInterrupted[string]{Key: "room:1", Reason: lanes.StopClose}},
		exit{lanes.ActivationInterrupted[string]{Key: "room:1", Reason: lanes.StopTimeout}},

		&leased.HeldElsewhere{Key: "room:1", Holder: other},
		&leased.Served{Key: "room:1"},
		&leased.StoreFailure{Operation: "open", Path: "wakes.db", Cause: errors.ErrUnsupported},
		&leased.StoreFailure{Operation: "note", Key: "room:1", Path: "wakes.db", Cause: syscall.ENOSPC},
		&leased.StoreFailure{Operation: "list", Path: "wakes.db", Cause: syscall.EIO},

		busy,
		cannotOpen,
		&platform.SQLitePathInvalid{Path: ":memory:", Reason: "names a database in memory"},
		&platform.LockKindTooLate{},
		&platform.IdentityUnavailable{PID: 4711, Err: syscall.EACCES},
		&platform.IdentityUnavailable{PID: 4711, Err: errors.ErrUnsupported},

		&effect.NoSuchElementError{Op: "FromOption"},
		&effect.TimeoutError{After: 5 * time.Second},
		&effect.UnexpectedSuccess[int]{Value: 7},
		&effect.Done{},
		&effect.ValidationError{Failures: []error{errors.New("the name is empty")}, Items: 3},
		&effect.CapacityExceeded{Capacity: 8},
		&effect.Signaled{Signal: syscall.SIGTERM},
		&effect.InvalidConfig{Of: "RcMap", Field: "Capacity", Reason: "is negative"},
	}
}

// exit makes the exit of an activation a tagged error by its pointer-less type.
type exit struct {
	lanes.ActivationExit[string]
}

func (x exit) Error() string { return x.Err().Error() }

// refused is the failure that a call ended with.
func refused[A any](_ A, err error) errors.Tagged {
	failure, ok := errors.AsType[errors.Tagged](err)
	if !ok {
		panic(fmt.Sprintf("it ended with %v", err))
	}
	return failure
}

const messages = "testdata/failures.golden"

func TestFailuresReadAsInTheGoldenFile(t *testing.T) {
	var got strings.Builder
	for _, sample := range samples() {
		fmt.Fprintf(&got, "%s: %v\n", sample.Tag(), sample)
	}
	if *update {
		if err := os.WriteFile(messages, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(messages)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s\naccept it with: go test ./internal/repocheck -run FailuresRead -update", difference(string(want), got.String()))
	}
}

func TestTheGoldenFileHasEveryFailureOfTheMainModule(t *testing.T) {
	sampled := map[string]bool{}
	for _, sample := range samples() {
		of := reflect.TypeOf(sample)
		if x, ok := sample.(exit); ok {
			of = reflect.TypeOf(x.ActivationExit)
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		name, _, _ := strings.Cut(of.Name(), "[")
		sampled[strings.TrimPrefix(of.PkgPath(), Module+"/")+"."+name] = true
	}
	known, _, err := failures(repository)
	if err != nil {
		t.Fatal(err)
	}
	nested := nestedModules(repository)
	for _, f := range known {
		if name := f.dir + "." + f.typ; !inAny(f.dir, nested) && !sampled[name] {
			t.Errorf("%s (%s) is not among the samples", name, f.where)
		}
	}
}
