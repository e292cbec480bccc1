package guides

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
	"github.com/rivus/agentkit/scope"
)

func TestATimeoutReleasesTheResource(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		trace := effecttest.NewTimed()
		connection := effect.AcquireRelease(trace.Log("open"), func(effect.Unit, scope.Exit) effect.Effect[effect.Unit] {
			return trace.Log("close")
		})
		exit := effect.RunExit(t.Context(), connection.AndThen(effect.Sleep(time.Hour)).Scoped().Timeout(time.Minute))

		if _, timeout := errors.AsType[*effect.TimeoutError](exit.Cause.AsError()); !timeout {
			t.Errorf("it ended with %v", exit)
		}
		if want := []string{"open@0", "close@60000"}; !slices.Equal(trace.Lines(), want) {
			t.Errorf("got %q; want %q", trace.Lines(), want)
		}
	})
}

func TestATaskOfADeadWorkerIsTakenAtOnceAndOfASilentOneAfterTheTTL(t *testing.T) {
	for _, c := range []struct {
		dies bool
		want time.Duration
	}{{true, 0}, {false, time.Minute}} {
		effecttest.Bubble(t, func(t *testing.T) {
			fake := platformtest.New() // pid 1000 on a machine of its own
			fake.Processes.Start(1001)
			store := lease.NewMemory()
			worker := newManager(t, silent{store}, fake, 1001)
			other := newManager(t, store, fake, 1000)
			_, err := effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
				do.Await(worker.Acquire("task:42"))
				if c.dies {
					fake.Processes.Kill(1001)
				}
				began := time.Now()
				do.Await(other.Acquire("task:42", lease.Wait))
				if took := time.Since(began); took < c.want || took > c.want+time.Second {
					t.Errorf("dead: %v: it took %v; want %v", c.dies, took, c.want)
				}
				return none, nil
			}).Scoped().Run(t.Context())
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func newManager(t *testing.T, store lease.Repository, fake *platformtest.Fake, pid int) *lease.Manager {
	m, err := lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second, Platform: fake.As(pid)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAFullDiskIsToldAndLeavesTheLockFree(t *testing.T) {
	fake := platformtest.New()
	heal := fake.Files.Inject(platformtest.Fault{Op: "WriteVolatile", Err: syscall.ENOSPC})
	path, options := filepath.Join(t.TempDir(), "daemon.lock"), processlock.Options{Platform: fake.Platform()}
	if _, err := processlock.Take(t.Context(), path, options); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("it ended with %v", err)
	}
	heal()
	lock, err := processlock.Take(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}
