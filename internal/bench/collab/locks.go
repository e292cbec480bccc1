package collab

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/juju/clock"
	"github.com/juju/mutex/v2"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/rogpeppe/go-internal/lockedfile"
)

// TakeRelease takes a lock that is free and releases it.
var TakeRelease = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	path := filepath.Join(b.TempDir(), "daemon.lock")
	for b.Loop() {
		lock, err := processlock.Take(context.Background(), path, processlock.Options{})
		check(b, err)
		check(b, lock.Release())
	}
}}

// lockSQL takes the lock of a SQLite file as the process lock does.
var lockSQL = []string{
	"PRAGMA busy_timeout = 0",
	"PRAGMA journal_mode = MEMORY",
	"PRAGMA locking_mode = EXCLUSIVE",
	"BEGIN EXCLUSIVE",
	"PRAGMA user_version = 0",
}

// handLock opens and locks a SQLite file, and closes it again. Where it is held
// by somebody else, the error says so.
func handLock(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range lockSQL {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "ROLLBACK")
	return err
}

// HandLock does so again and again.
var HandLock = measure.Work{Name: "database/sql by hand", Bench: func(b *testing.B) {
	path := filepath.Join(b.TempDir(), "daemon.lock")
	for b.Loop() {
		check(b, handLock(path))
	}
}}

// Flock, LockedFile and JujuMutex are what others offer. None of them says who
// holds the lock, or proves that it is still held.
var (
	Flock = measure.Work{Name: "gofrs/flock", Bench: func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "daemon.lock")
		for b.Loop() {
			lock := flock.New(path)
			locked, err := lock.TryLock()
			if err != nil || !locked {
				b.Fatal(locked, err)
			}
			check(b, lock.Unlock())
		}
	}}
	LockedFile = measure.Work{Name: "lockedfile.Mutex", Bench: func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "daemon.lock")
		for b.Loop() {
			unlock, err := lockedfile.MutexAt(path).Lock()
			check(b, err)
			unlock()
		}
	}}
	JujuMutex = measure.Work{Name: "juju/mutex", Bench: func(b *testing.B) {
		spec := mutex.Spec{Name: "agentkit-bench", Clock: clock.WallClock, Delay: time.Millisecond, Timeout: time.Second}
		for b.Loop() {
			releaser, err := mutex.Acquire(spec)
			check(b, err)
			releaser.Release()
		}
	}}
)

// held starts a process that holds a lock until the benchmark has ended.
func held(b *testing.B) (path string) {
	path = filepath.Join(b.TempDir(), "daemon.lock")
	holder, err := start(roleHoldLock, path)
	check(b, err)
	b.Cleanup(holder.kill)
	_, err = holder.next()
	check(b, err)
	return path
}

// Refusal is refused a lock that another process holds, and learns by whom.
var Refusal = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	path := held(b)
	for b.Loop() {
		_, err := processlock.Take(context.Background(), path, processlock.Options{})
		if refused, ok := errors.AsType[*processlock.Held](err); !ok {
			b.Fatalf("got %v (%v), want a refusal", err, refused)
		}
	}
}}

// HandRefusal is one refused attempt of SQLite.
var HandRefusal = measure.Work{Name: "database/sql by hand", Bench: func(b *testing.B) {
	path := held(b)
	for b.Loop() {
		if err := handLock(path); err == nil {
			b.Fatal("got a lock that another process holds")
		}
	}
}}

// IsHeld asks whether another process holds a lock, which it does.
var IsHeld = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	path := held(b)
	for b.Loop() {
		is, err := processlock.Probe(context.Background(), path, processlock.Options{})
		if err != nil || !is {
			b.Fatal(is, err)
		}
	}
}}

// HandProbe asks the kernel about the bytes that SQLite locks.
var HandProbe = measure.Work{Name: "open, F_GETLK, close", Bench: func(b *testing.B) {
	path := held(b)
	for b.Loop() {
		is, err := probe(path)
		if err != nil || !is {
			b.Fatal(is, err)
		}
	}
}}

// Locks compares the process lock.
func Locks() []measure.Comparison {
	return []measure.Comparison{
		{
			Name: "process lock: take and release", Ours: TakeRelease, Baseline: HandLock,
			Peers: []measure.Work{Flock, LockedFile, JujuMutex}, Budget: open(1.5),
			Why: "An advisory lock on a plain file is one system call. Ours is a lock that programs in other languages keep too, says who holds it, and proves that it is held.",
		},
		{Name: "process lock: a refusal", Ours: Refusal, Baseline: HandRefusal, Budget: open(3), Why: "It reads who holds the lock and whether that process lives."},
		{Name: "process lock: IsHeld", Ours: IsHeld, Baseline: HandProbe, Budget: open(3), Why: "It checks the path and knows the locks of its own process, which the kernel does not tell."},
	}
}
