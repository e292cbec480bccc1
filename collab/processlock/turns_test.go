//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestAcquisitionsOfOneProcessTakeTurnsInOrder(t *testing.T) { // 0.2
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			o := processlock.Options{Platform: fake.Platform()}
			first := taken(t, path, o)
			o.Wait = true
			var order []int
			for n := range 5 {
				go func() {
					lock := taken(t, path, o)
					order = append(order, n) // one at a time: they hold the lock
					time.Sleep(time.Second)
					released(t, lock)
				}()
				synctest.Wait()
			}
			began := time.Now()
			released(t, first)
			synctest.Wait()
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
				t.Errorf("order %v", order)
			}
			if len(order) == 5 && time.Since(began) != 10*time.Second {
				t.Errorf("after %v", time.Since(began))
			}
		})
	})
}

func TestAWaitingTurnMakesNoAttempt(t *testing.T) { // 0.2
	synctest.Test(t, func(t *testing.T) {
		fake := platformtest.New()
		path := lockPath(t)
		lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
		before := len(fake.SQLite.Statements())
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err := processlock.Take(ctx, path, processlock.Options{Platform: fake.Platform(), Wait: true})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if got := fake.SQLite.Statements()[before:]; len(got) != 0 {
			t.Errorf("it executed %q", got)
		}
		released(t, lock)
	})
}

func TestACancelledWaiterLeavesTheOthersTurnsAsTheyWere(t *testing.T) { // 0.2
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			o := processlock.Options{Platform: fake.Platform()}
			first := taken(t, path, o)
			o.Wait = true
			var order []int
			cancels := make([]context.CancelFunc, 4)
			for n := range 4 {
				ctx, cancel := context.WithCancel(context.Background())
				cancels[n] = cancel
				go func() {
					lock, err := processlock.Take(ctx, path, o)
					if err != nil {
						order = append(order, -n)
						return
					}
					order = append(order, n)
					released(t, lock)
				}()
				synctest.Wait()
			}
			cancels[1]()
			synctest.Wait()
			refused(t, path, processlock.Options{Platform: fake.Platform()})
			released(t, first)
			synctest.Wait()
			if !slices.Equal(order, []int{-1, 0, 2, 3}) {
				t.Errorf("order %v; want the cancelled one first, then 0 2 3", order)
			}
			for _, cancel := range cancels {
				cancel()
			}
		})
	})
}

func TestAnAttemptInProgressRefusesTheSameProcessAtOnce(t *testing.T) { // 0.1, 0.2
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		fake.Processes.Start(7)
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			other := taken(t, path, processlock.Options{Platform: fake.As(7)})
			ctx, cancel := context.WithCancel(t.Context())
			o := processlock.Options{Platform: fake.Platform()}
			ended := make(chan error)
			go func() {
				_, err := processlock.Take(ctx, path, processlock.Options{Platform: fake.Platform(), Wait: true})
				ended <- err
			}()
			synctest.Wait()
			released(t, other)
			// The lock is free, but an acquisition of this process is on its way to it.
			refused(t, path, o)
			if held, err := processlock.Probe(t.Context(), path, o); !held || err != nil {
				t.Errorf("Probe = %v, %v; want held", held, err)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			released(t, taken(t, path, o))
		})
	})
}

func TestTheSameFileHasOneTurnHoweverItsFolderIsNamed(t *testing.T) { // 0.2
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o777), os.Symlink("real", filepath.Join(dir, "link"))); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		lock := taken(t, filepath.Join(dir, "link", "l"), o)
		for _, path := range []string{"real/l", "./link/../real/l", filepath.Join(dir, "real", "l"), "link//l"} {
			refused(t, path, processlock.Options{Platform: mechanisms[m]()})
			if held, err := processlock.Probe(t.Context(), path, o); !held || err != nil {
				t.Errorf("Probe(%s) = %v, %v; want held", path, held, err)
			}
		}
		released(t, taken(t, "real/other", o))
		released(t, lock)
	})
}

func TestTheFolderOfALockMayChangeItsName(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	lock := taken(t, filepath.Join(dir, "a", "l"), processlock.Options{})
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*processlock.Lost](lock.Release()); !ok {
		t.Error("a lock whose path leads nowhere any more was released in silence")
	}
	released(t, taken(t, filepath.Join(dir, "b", "l"), processlock.Options{}))
}
