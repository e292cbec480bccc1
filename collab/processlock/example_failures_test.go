package processlock_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
	"github.com/samber/mo"
)

// atPath calls f with the path of a lock in a folder that is removed afterwards.
func atPath(f func(path string)) {
	dir, err := os.MkdirTemp("", "locks")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f(filepath.Join(dir, "daemon.lock"))
}

// withoutSQLite is a machine whose locks are files, and on which nobody else is alive but process 7.
func withoutSQLite() *platformtest.Fake {
	fake := platformtest.New()
	fake.SQLite = nil
	fake.Processes.Start(7)
	return fake
}

// The next one takes the lock file of a holder that has died.
func ExampleReclaimed() {
	atPath(func(path string) {
		ctx := context.Background()
		machine := withoutSQLite()
		if _, err := processlock.Take(ctx, path, processlock.Options{Platform: machine.As(7)}); err != nil {
			fmt.Println(err)
			return
		}
		machine.Processes.Kill(7)
		lock, err := processlock.Take(ctx, path, processlock.Options{
			Platform: machine.Platform(),
			OnReclaim: func(r processlock.Reclaimed) {
				fmt.Println("taken from", r.Holder.OrEmpty(), "-", r.Reason)
			},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(lock.Mechanism() == processlock.MechanismFile, lock.Release())
	})
	// Output:
	// taken from pid 7 on host - the holder's process is gone
	// true <nil>
}

func ExampleHolder() {
	describe := func(h processlock.Holder) string {
		return fmt.Sprintf("%s, since %s", h, h.AcquiredAt.Format(time.TimeOnly))
	}
	fmt.Println(describe(processlock.Holder{Host: "build-3", PID: 42, AcquiredAt: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}))
	// Output: pid 42 on build-3, since 12:00:00
}

// Somebody cleaned up too eagerly.
func ExampleLost() {
	atPath(func(path string) {
		lock, err := processlock.Take(context.Background(), path, processlock.Options{Platform: withoutSQLite().Platform()})
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = os.Remove(path)
		lost, ok := errors.AsType[*processlock.Lost](lock.Release())
		fmt.Println(ok, filepath.Base(lost.Path))
	})
	// Output: true daemon.lock
}

func ExamplePathInvalid() {
	atPath(func(path string) {
		_, err := processlock.Take(context.Background(), filepath.Dir(path), processlock.Options{})
		if refused, ok := errors.AsType[*processlock.PathInvalid](err); ok {
			fmt.Println("the path", refused.Reason)
		}
	})
	// Output: the path is a directory
}

func ExampleConfigInvalid() {
	_, err := processlock.Take(context.Background(), "daemon.lock", processlock.Options{Retry: mo.Some(-time.Second)})
	if wrong, ok := errors.AsType[*processlock.ConfigInvalid](err); ok {
		fmt.Println(wrong.Message)
	}
	// Output: Retry is -1s; it must be above zero
}

func ExamplePermissionDenied() {
	atPath(func(path string) {
		machine := withoutSQLite()
		machine.Files.Inject(platformtest.Fault{Op: "CreateExclusive", Err: fs.ErrPermission})
		_, err := processlock.Take(context.Background(), path, processlock.Options{Platform: machine.Platform()})
		denied, ok := errors.AsType[*processlock.PermissionDenied](err)
		fmt.Println(ok, denied.Err)
	})
	// Output: true permission denied
}

func ExampleFailure() {
	atPath(func(path string) {
		machine := withoutSQLite()
		machine.Files.Inject(platformtest.Fault{Op: "CreateExclusive", Err: errors.New("input/output error")})
		_, err := processlock.Take(context.Background(), path, processlock.Options{Platform: machine.Platform()})
		failure, ok := errors.AsType[*processlock.Failure](err)
		fmt.Println(ok, failure.Err)
	})
	// Output: true input/output error
}
