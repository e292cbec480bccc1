//go:build unix

package processlock_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
	"github.com/rivus/agentkit/scope"
)

func TestAScopeHoldsTheLockAsLongAsItLives(t *testing.T) {
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		inside, err := processlock.Acquire(path, o).FlatMap(func(lock *processlock.Lock) effect.Effect[bool] {
			return processlock.IsHeld(path, o)
		}).Scoped().Run(t.Context())
		if !inside || err != nil {
			t.Errorf("inside: held %v, %v", inside, err)
		}
		if after, err := processlock.IsHeld(path, o).Run(t.Context()); after || err != nil {
			t.Errorf("after: held %v, %v", after, err)
		}
	})
}

func TestARefusalIsATypedFailure(t *testing.T) {
	path := lockPath(t)
	taken(t, path, processlock.Options{})
	got, err := processlock.Acquire(path, processlock.Options{}).
		Map(func(*processlock.Lock) int { return 0 }).
		CatchAs(func(held *processlock.Held) effect.Effect[int] { return effect.Succeed(held.Holder.OrEmpty().PID) }).
		Scoped().Run(t.Context())
	if got != os.Getpid() || err != nil {
		t.Errorf("%v, %v; want this process's pid", got, err)
	}
	exit := effect.RunExit(t.Context(), processlock.Acquire("", processlock.Options{}).Scoped())
	if _, ok := errors.AsType[*processlock.PathInvalid](exit.Cause); !ok || exit.Cause.HasDies() {
		t.Errorf("%v; want *PathInvalid as a failure", exit)
	}
}

func TestInterruptingAWaitingAcquisitionEndsItAsAnInterruption(t *testing.T) {
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		fake.Processes.Start(7)
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			for _, holder := range []processlock.Options{{Platform: fake.As(7)}, {Platform: fake.Platform()}} {
				lock := taken(t, path, holder)
				wait := processlock.Acquire(path, processlock.Options{Platform: fake.Platform(), Wait: true}).AsUnit()
				began := time.Now()
				exit := effect.RunExit(t.Context(), effect.Fork(wait.Scoped()).FlatMap(func(f *effect.Fiber[effect.Unit]) effect.Effect[effect.Exit[effect.Unit]] {
					return effect.Sleep(1234 * time.Millisecond).AndThen(f.Interrupt()).AndThen(f.Await())
				}))
				if inner := exit.Value; !inner.Cause.HasInterruptsOnly() || time.Since(began) != 1234*time.Millisecond {
					t.Errorf("%v, %v after %v; want an interruption after 1.234s", exit, inner.Cause, time.Since(began))
				}
				released(t, lock)
				released(t, taken(t, path, processlock.Options{Platform: fake.Platform()}))
			}
		})
	})
}

func TestAnInterruptionAsTheLockIsTakenReleasesIt(t *testing.T) { // 2.4.4
	fake := platformtest.New()
	path := lockPath(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The last thing an acquisition does: whether it notices or not, the lock must not stay.
	remove := fake.SQLite.Inject(platformtest.Fault{Op: "State", Skip: 1, Before: func(string) { cancel() }})
	exit := effect.RunExit(ctx, processlock.Acquire(path, processlock.Options{Platform: fake.Platform()}).AsUnit().Scoped())
	if !exit.Cause.HasInterruptsOnly() {
		t.Errorf("%v; want an interruption", exit)
	}
	remove()
	released(t, taken(t, path, processlock.Options{Platform: fake.Platform()}))
}

func TestClosingTheScopeOfALostLockIsSilent(t *testing.T) { // 0.13
	path := lockPath(t)
	_, err := processlock.Acquire(path, processlock.Options{}).Tap(func(*processlock.Lock) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error { return os.Remove(path) })
	}).AsUnit().Scoped().Run(t.Context())
	if err != nil {
		t.Error(err)
	}
}

func TestWithoutAScopeAcquiringIsADefectAndTakesNothing(t *testing.T) {
	path := lockPath(t)
	exit := effect.RunExit(t.Context(), processlock.Acquire(path, processlock.Options{}))
	if !exit.Cause.HasDies() || names(t, path) != "" {
		t.Errorf("%v, and the folder holds %s", exit, names(t, path))
	}
}

func ExampleAcquire() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "daemon.lock")

	program := processlock.Acquire(path, processlock.Options{}).FlatMap(func(lock *processlock.Lock) effect.Effect[bool] {
		fmt.Println("serving under a lock by", lock.Mechanism())
		return processlock.IsHeld(path, processlock.Options{})
	}).Scoped()

	held, err := program.Run(context.Background())
	fmt.Println("held while serving:", held, err)
	held, err = processlock.IsHeld(path, processlock.Options{}).Run(context.Background())
	fmt.Println("held afterwards:", held, err)
	// Output:
	// serving under a lock by sqlite
	// held while serving: true <nil>
	// held afterwards: false <nil>
}

func ExampleTake() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	path := filepath.Join(dir, "daemon.lock")

	lock, err := processlock.Take(ctx, path, processlock.Options{})
	if err != nil {
		panic(err)
	}
	_, err = processlock.Take(ctx, path, processlock.Options{})
	held, ok := errors.AsType[*processlock.Held](err)
	fmt.Println("refused:", ok, "by this process:", held.Holder.OrEmpty().PID == os.Getpid())
	fmt.Println("released:", lock.Release())
	// Output:
	// refused: true by this process: true
	// released: <nil>
}

// In plain Go a scope of its own holds the lock.
func ExampleAcquire_plainGo() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "daemon.lock")

	err = scope.Do(context.Background(), func(ctx context.Context, s *scope.Scope) error {
		lock, err := processlock.Acquire(path, processlock.Options{}).Run(scope.Into(ctx, s))
		if err != nil {
			return err
		}
		fmt.Println("held:", lock.Verify(ctx) == nil)
		return nil
	})
	held, _ := processlock.Probe(context.Background(), path, processlock.Options{})
	fmt.Println("held afterwards:", held, err)
	// Output:
	// held: true
	// held afterwards: false <nil>
}
