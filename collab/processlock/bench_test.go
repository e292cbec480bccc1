//go:build unix

package processlock_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// Each benchmark runs the work beside its raw cost, taking turns, so that a noisy machine is noisy for both, and reports
// both medians and their ratio.

// beside measures work and raw in turns and reports.
func beside(b *testing.B, most float64, raw, work func() error) {
	var of [2][]time.Duration
	for b.Loop() {
		for n, f := range []func() error{raw, work} {
			began := time.Now()
			if err := f(); err != nil {
				b.Fatal(err)
			}
			of[n] = append(of[n], time.Since(began))
		}
	}
	slices.Sort(of[0])
	slices.Sort(of[1])
	r, w := of[0][len(of[0])/2], of[1][len(of[1])/2]
	b.ReportMetric(float64(r.Nanoseconds()), "raw-ns")
	b.ReportMetric(float64(w.Nanoseconds()), "ns/op")
	b.ReportMetric(float64(w)/float64(r), fmt.Sprintf("of-raw(<=%v)", most))
}

// statements take the lock by hand.
var statements = []string{"PRAGMA busy_timeout = 0", "PRAGMA journal_mode = MEMORY", "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"}

// byHand opens the database, goes for the lock and closes it, as one writes it with database/sql: on a pinned connection.
func byHand(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// bare is byHand on the driver's own connection.
func bare(ctx context.Context, path string) error {
	conn, err := platform.OS().SQLite.Open(ctx, path, platform.ReadWriteCreate)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err = conn.Exec(ctx, statement); err != nil {
			break
		}
	}
	return errors.Join(err, conn.Close())
}

func BenchmarkAcquireAndRelease(b *testing.B) {
	for name, raw := range map[string]func(context.Context, string) error{"database sql": byHand, "bare driver": bare} {
		b.Run(name, func(b *testing.B) {
			ctx, path := context.Background(), lockPath(b)
			beside(b, 1.5, func() error { return raw(ctx, path) }, func() error {
				lock, err := processlock.Take(ctx, path, processlock.Options{})
				if err != nil {
					return err
				}
				return lock.Release()
			})
		})
	}
}

func BenchmarkRefusal(b *testing.B) {
	ctx, path := context.Background(), lockPath(b)
	holder(b, bySQLite, path)
	beside(b, 3, func() error {
		if bare(ctx, path) == nil {
			return errors.New("the attempt by hand got a held lock")
		}
		return nil
	}, func() error {
		if lock, err := processlock.Take(ctx, path, processlock.Options{}); err == nil {
			return fmt.Errorf("got a held lock: %w", lock.Release())
		}
		return nil
	})
}

func BenchmarkIsHeld(b *testing.B) {
	ctx := context.Background()
	for _, held := range []bool{false, true} {
		b.Run(fmt.Sprintf("held=%v", held), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "l")
			child := holder(b, bySQLite, path)
			if !held {
				child.Send("release")
				child.Expect("held")
			}
			beside(b, 3, func() error {
				fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
				if err != nil {
					return err
				}
				lock := unix.Flock_t{Type: unix.F_RDLCK, Start: 0x40000000, Len: 512}
				if err := unix.FcntlFlock(uintptr(fd), unix.F_GETLK, &lock); err != nil {
					return err
				}
				return unix.Close(fd)
			}, func() error {
				got, err := processlock.Probe(ctx, path, processlock.Options{})
				if err == nil && got != held {
					err = fmt.Errorf("held %v; want %v", got, held)
				}
				return err
			})
		})
	}
}

// BenchmarkHandOff reports the median time from a release to the moment at which a process that was waiting, with the
// default settings, has the lock.
func BenchmarkHandOff(b *testing.B) {
	for m := range mechanisms {
		b.Run(string(m), func(b *testing.B) {
			delays := handOffs(b, m, max(b.N, 1), 100*time.Millisecond)
			b.ReportMetric(float64(delays[len(delays)/2].Nanoseconds())/1e6, "median-ms(<=5)")
			b.ReportMetric(float64(delays[len(delays)-1].Nanoseconds())/1e6, "max-ms")
		})
	}
}

// BenchmarkTakeover reports the median time from a holder's SIGKILL to the moment at which a waiting process has the lock.
func BenchmarkTakeover(b *testing.B) {
	path := lockPath(b)
	waiting := platformtest.Start(b, "await", string(bySQLite), path)
	var delays []time.Duration
	for range max(b.N, 1) {
		first := holder(b, bySQLite, path)
		waiting.Send("wait")
		waiting.Quiet(30 * time.Millisecond)
		began := monotonic()
		first.Kill()
		var got int64
		if _, err := fmt.Sscan(waiting.Line(), &got); err != nil {
			b.Fatal(err)
		}
		delays = append(delays, time.Duration(got-began))
	}
	slices.Sort(delays)
	b.ReportMetric(float64(delays[len(delays)/2].Nanoseconds())/1e6, "median-ms")
}
