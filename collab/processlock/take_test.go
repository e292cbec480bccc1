//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestASecondProcessIsRefusedNamingTheHolder(t *testing.T) { // PL-1, S38
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		child := holder(t, m, path)
		held := refused(t, path, o)
		host, _ := os.Hostname()
		h, ok := held.Holder.Get()
		if held.Path != path || !ok || h.PID != child.PID() || h.Host != host || time.Since(h.AcquiredAt).Abs() > time.Minute {
			t.Errorf("%+v; want pid %d on %s", held, child.PID(), host)
		}
		if got := h.BootID.IsPresent() && h.StartTime.IsPresent(); got != (m == processlock.MechanismFile) {
			t.Errorf("boot id %v, start time %v", h.BootID, h.StartTime)
		}
	})
}

func TestAWaitingProcessGetsAReleasedLock(t *testing.T) { // PL-1
	each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
		path := lockPath(t)
		first := holder(t, m, path)
		waiting := platformtest.Start(t, "take", string(m), path, "wait")
		waiting.Quiet(100 * time.Millisecond)
		first.Send("release")
		first.Expect("held")
		within(t, 1500*time.Millisecond, func() { waiting.Expect("held") })
	})
}

func TestAWaitingProcessGetsTheLockOfAKilledHolder(t *testing.T) { // PL-1, S38
	each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
		path := lockPath(t)
		first := holder(t, m, path)
		waiting := platformtest.Start(t, "take", string(m), path, "wait")
		waiting.Quiet(100 * time.Millisecond)
		first.Kill()
		within(t, 1500*time.Millisecond, func() { waiting.Expect("held") })
	})
}

func TestAStoppedHolderKeepsTheLock(t *testing.T) {
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		child := holder(t, m, path)
		child.Stop()
		refused(t, path, o)
		child.Continue()
		child.Send("release")
		child.Expect("held")
		released(t, taken(t, path, o))
	})
}

func TestOfFourContendersExactlyOneSucceedsAKilledHolder(t *testing.T) { // PL-2, S61, 2.2.13
	each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
		path := lockPath(t)
		var contenders []*platformtest.Child
		for range 4 {
			contenders = append(contenders, platformtest.Start(t, "contend", string(m), path))
		}
		for round := range 3 {
			holder(t, m, path).Kill()
			race(t, contenders, round)
		}
	})
}

func TestTheSameProcessIsRefusedUntilItHasReleased(t *testing.T) { // PL-3
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		lock := taken(t, path, o)
		if h, ok := refused(t, path, o).Holder.Get(); !ok || h.PID != os.Getpid() {
			t.Errorf("refused by %v; want this process", h)
		}
		if lock.Path() != path || lock.Mechanism() != m || lock.Holder().MustGet().PID != os.Getpid() {
			t.Errorf("path %s, mechanism %s, holder %v", lock.Path(), lock.Mechanism(), lock.Holder())
		}
		released(t, lock)
		again := taken(t, path, o)
		released(t, lock) // once more: it must not touch the new one
		refused(t, path, o)
		released(t, again)
	})
}

func TestAllReleasesShareTheOutcomeOfTheFirst(t *testing.T) { // PL-3, 2.1.6
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		path := lockPath(t)
		lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
		boom := errors.New("boom")
		fake.Files.Inject(platformtest.Fault{Op: "Remove", Err: boom, Times: 1})
		first := lock.Release()
		if !errors.Is(first, boom) {
			t.Errorf("%v; want the fault", first)
		}
		if failure, ok := errors.AsType[*processlock.Failure](first); !ok || failure.Path != path {
			t.Errorf("%T; want *Failure", first)
		}
		if second := lock.Release(); second != first {
			t.Errorf("second release: %v; want %v", second, first)
		}
	})
}

func TestAnInterruptedContextTakesNothing(t *testing.T) { // PL-4, 2.4.2
	each(t, func(t *testing.T, _ processlock.Mechanism, o processlock.Options) {
		path := lockPath(t)
		reason := errors.New("reason")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(reason)
		for _, o.Wait = range []bool{false, true} {
			_, err := processlock.Take(ctx, path, o)
			if !errors.Is(err, reason) || !errors.Is(err, context.Canceled) {
				t.Errorf("%v; want the context's error and its cause", err)
			}
		}
		if got := names(t, path); got != "" {
			t.Errorf("the folder holds %s; want nothing", got)
		}
	})
}

func TestAnInterruptedWaitEndsAtOnce(t *testing.T) { // PL-4, 2.4.3
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		fake.Processes.Start(7)
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			lock := taken(t, path, processlock.Options{Platform: fake.As(7)})
			defer released(t, lock)
			ctx, cancel := context.WithTimeout(context.Background(), 1234*time.Millisecond)
			defer cancel()
			began := time.Now()
			_, err := processlock.Take(ctx, path, processlock.Options{Platform: fake.Platform(), Wait: true, Retry: mo.Some(time.Hour)})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 1234*time.Millisecond {
				t.Errorf("%v after %v; want the deadline after 1.234s", err, time.Since(began))
			}
		})
	})
}

func TestALockObtainedDuringTheInterruptionIsReleased(t *testing.T) { // 2.4.4
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		path := lockPath(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		op := map[processlock.Mechanism]string{processlock.MechanismSQLite: "WriteVolatile", processlock.MechanismFile: "WriteAtomic"}[m]
		remove := fake.Files.Inject(platformtest.Fault{Op: op, Before: func(string) { cancel() }})
		o := processlock.Options{Platform: fake.Platform()}
		if _, err := processlock.Take(ctx, path, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%v; want the interruption", err)
		}
		remove()
		released(t, taken(t, path, o))
	})
}

func TestAnUnreadableIdentityLeavesALockFileUnmade(t *testing.T) { // PL-5, 0.3, 0.9
	fake := fakeOf(processlock.MechanismFile)
	fake.Processes.Fail(1000, errors.ErrUnsupported)
	path := lockPath(t)
	_, err := processlock.Take(t.Context(), path, processlock.Options{Platform: fake.Platform()})
	if failure, ok := errors.AsType[*platform.IdentityUnavailable](err); !ok || failure.PID != 1000 || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v; want *IdentityUnavailable", err)
	}
	if got := names(t, path); got != "" {
		t.Errorf("the folder holds %s; want nothing", got)
	}
}

func TestAnUnreadableIdentityDoesNotStopASQLiteLock(t *testing.T) { // 0.3, 0.9
	fake := platformtest.New()
	fake.Processes.FailHost(errors.ErrUnsupported)
	fake.Processes.Fail(1000, errors.ErrUnsupported)
	path := lockPath(t)
	write(t, path+".holder", `{"host":"host","pid":5,"acquiredAt":1,"nonce":"of a dead holder"}`)
	lock := taken(t, path, processlock.Options{Platform: fake.Platform()})
	if h, ok := lock.Holder().Get(); ok {
		t.Errorf("the holder is %v; want none", h)
	}
	if got := names(t, path); got != "daemon.lock" {
		t.Errorf("the folder holds %s; want the dead holder's record gone", got)
	}
	if h, ok := refused(t, path, processlock.Options{Platform: platform.OS()}).Holder.Get(); ok {
		t.Errorf("refused by %v; want no holder", h)
	}
	released(t, lock)
}

func TestTakingASQLiteLockProbesNoProcess(t *testing.T) { // PS-1, 1.1.10
	fake := platformtest.New()
	path := lockPath(t)
	o := processlock.Options{Platform: fake.Platform()}
	lock := taken(t, path, o)
	refused(t, path, o)
	released(t, lock)
	if n := fake.Processes.Probes(); n != 0 {
		t.Errorf("%d probes; want none", n)
	}
}

func TestWaitingBacksOffAndOnlyTheFirstAttemptMayBlock(t *testing.T) { // PL-6
	for _, blind := range []bool{false, true} {
		t.Run(fmt.Sprintf("blind=%v", blind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := platformtest.New()
				fake.Processes.Start(7)
				path := lockPath(t)
				defer released(t, taken(t, path, processlock.Options{Platform: fake.As(7)}))
				if blind {
					fake.SQLite.Blind()
				}
				before := len(fake.SQLite.Statements())
				ctx, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)
				defer cancel()
				_, err := processlock.Take(ctx, path, processlock.Options{Platform: fake.Platform(), Wait: true, Retry: mo.Some(10 * time.Millisecond)})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				count := map[string]int{}
				for _, sql := range fake.SQLite.Statements()[before:] {
					timeout, _, _ := strings.Cut(sql, ";")
					count[timeout]++
				}
				blocking, others := count["PRAGMA busy_timeout = 10"], count["PRAGMA busy_timeout = 0"]
				if blocking > 5 || others >= 12 || blind && (blocking != 5 || others == 0) {
					t.Errorf("%d blocking attempts and %d others; want at most 5 and fewer than 12", blocking, others)
				}
			})
		})
	}
}

func TestARefusalSleepsNothingOut(t *testing.T) { // 0.4
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		fake.Processes.Start(7)
		path := lockPath(t)
		synctest.Test(t, func(t *testing.T) {
			defer released(t, taken(t, path, processlock.Options{Platform: fake.As(7)}))
			began := time.Now() // virtual: only a pause moves it
			refused(t, path, processlock.Options{Platform: fake.Platform()})
			if d := time.Since(began); d != 0 {
				t.Errorf("it slept for %v", d)
			}
		})
	})
}

func TestOptionsAreValidated(t *testing.T) {
	for name, o := range map[string]processlock.Options{
		"no pause":       {Retry: mo.Some(time.Duration(0))},
		"negative pause": {Retry: mo.Some(-time.Second)},
		"no files":       {Platform: &platform.Platform{}},
		"incomparable":   {Platform: &platform.Platform{Files: incomparable{}, Processes: platform.OS().Processes, Clock: platform.OS().Clock}},
	} {
		_, err := processlock.Take(t.Context(), lockPath(t), o)
		if _, ok := errors.AsType[*processlock.ConfigInvalid](err); !ok {
			t.Errorf("%s: %v; want *ConfigInvalid", name, err)
		}
		if _, err := processlock.Probe(t.Context(), lockPath(t), o); err == nil {
			t.Errorf("%s: Probe accepts it", name)
		}
	}
}

// incomparable is a file system that cannot be a key.
type incomparable struct {
	platform.FileSystem
	_ []int
}
