//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// isHeld requires an answer and returns it.
func isHeld(t testing.TB, path string, o processlock.Options) bool {
	t.Helper()
	held, err := processlock.Probe(context.WithoutCancel(t.Context()), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func TestAMissingLockFileIsFreeAndStaysMissing(t *testing.T) { // 0.1
	each(t, func(t *testing.T, _ processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		if isHeld(t, path, o) || isHeld(t, filepath.Join(filepath.Dir(path), "missing", "l"), o) {
			t.Error("a missing lock is held")
		}
		if got := names(t, path); got != "" {
			t.Errorf("the folder holds %s; want nothing", got)
		}
	})
}

func TestALockIsSeenAsHeldByEveryProcessUntilItsHolderIsGone(t *testing.T) { // 0.1
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		child := holder(t, m, path)
		before := names(t, path)
		if !isHeld(t, path, o) {
			t.Error("another process's lock is free")
		}
		platformtest.Start(t, "probe", string(m), path).Expect("true")
		if got := names(t, path); got != before {
			t.Errorf("asking made %s of %s", got, before)
		}
		child.Kill()
		if isHeld(t, path, o) {
			t.Error("a killed holder's lock is held")
		}
		if got := names(t, path); got != before {
			t.Errorf("asking made %s of %s", got, before)
		}
		lock := taken(t, path, o)
		if !isHeld(t, path, o) {
			t.Error("this process's own lock is free")
		}
		platformtest.Start(t, "probe", string(m), path).Expect("true")
		released(t, lock)
		if isHeld(t, path, o) {
			t.Error("a released lock is held")
		}
	})
}

func TestAskingDoesNotDropTheHoldersLock(t *testing.T) { // 0.1, field fact 2
	path := lockPath(t)
	lock := taken(t, path, processlock.Options{})
	// A copy of the library in this process does not know of the turn and asks the kernel.
	fake := platformtest.New()
	for range 3 {
		if !isHeld(t, path, processlock.Options{Platform: fake.Platform()}) {
			t.Error("free")
		}
	}
	platformtest.Start(t, "take", "sqlite", path, "try").Expect("refused by " + itoa(uint64(os.Getpid())))
	if err := lock.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAskingReadsNoProcessIdentityWithSQLite(t *testing.T) { // 0.1
	fake := platformtest.New()
	fake.Processes.FailHost(errors.ErrUnsupported)
	path := lockPath(t)
	write(t, path, "")
	if isHeld(t, path, processlock.Options{Platform: fake.Platform()}) || fake.Processes.Probes() != 0 {
		t.Errorf("%d probes", fake.Processes.Probes())
	}
	if got := fake.SQLite.Statements(); len(got) != 0 {
		t.Errorf("it executed %q", got)
	}
}

func TestAskersAtTheSameMomentAllSeeAFreeLockAsFree(t *testing.T) { // 0.1
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		released(t, taken(t, path, o))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					if held, err := processlock.Probe(context.Background(), path, o); held || err != nil {
						t.Errorf("Probe = %v, %v; want free", held, err)
						return
					}
				}
			})
		}
		all.Wait()
	})
}

func TestAcquisitionsSucceedUnderAHailOfQuestions(t *testing.T) { // 0.1
	path := lockPath(t)
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for range 2 {
		// Each as another process: its questions reach the kernel.
		o := processlock.Options{Platform: platformtest.New().Platform()}
		asking.Go(func() {
			for ctx.Err() == nil {
				if _, err := processlock.Probe(context.Background(), path, o); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	fake := platformtest.New()
	for range 50 {
		released(t, taken(t, path, processlock.Options{Platform: fake.Platform()}))
	}
	stop()
	asking.Wait()
	for _, sql := range fake.SQLite.Statements() {
		if strings.HasPrefix(sql, "PRAGMA busy_timeout = 0;") {
			t.Error("a question made an acquisition try again")
		}
	}
}

func TestTheContextIsLookedAtOnceBeforeAsking(t *testing.T) { // 0.1
	each(t, func(t *testing.T, _ processlock.Mechanism, o processlock.Options) {
		reason := errors.New("reason")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(reason)
		if _, err := processlock.Probe(ctx, lockPath(t), o); !errors.Is(err, reason) || !errors.Is(err, context.Canceled) {
			t.Errorf("%v; want the context's error and its cause", err)
		}
	})
	fakes(t, func(t *testing.T, _ processlock.Mechanism, fake *platformtest.Fake) {
		path := lockPath(t)
		write(t, path, "")
		ctx, cancel := context.WithCancel(t.Context())
		fake.Files.Inject(platformtest.Fault{Before: func(string) { cancel() }})
		if _, err := processlock.Probe(ctx, path, processlock.Options{Platform: fake.Platform()}); err != nil {
			t.Errorf("interrupted half-way: %v; want an answer", err)
		}
	})
}

func TestABlindSystemAsksSQLiteItself(t *testing.T) { // 0.9: Windows
	fake := platformtest.New()
	fake.SQLite.Blind()
	o := processlock.Options{Platform: fake.Platform()}
	path := lockPath(t)
	if isHeld(t, path, o) || names(t, path) != "" {
		t.Errorf("missing: held, or made %s", names(t, path))
	}
	child := holder(t, bySQLite, path)
	if !isHeld(t, path, o) {
		t.Error("held: free")
	}
	child.Send("verify")
	child.Expect("held")
	child.Kill()
	if isHeld(t, path, o) {
		t.Error("killed: held")
	}
	write(t, path, "some other file")
	if _, err := processlock.Probe(t.Context(), path, o); err == nil {
		t.Error("a file that is no database: no failure")
	}
}
