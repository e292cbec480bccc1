package lease_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/scope"
)

const (
	ttl  = 2 * time.Second
	beat = 500 * time.Millisecond
)

// kinds are our repositories. Files stand for a platform without SQLite, whose guards and fences are lock files.
var kinds = map[string]func(dir string) effect.Effect[lease.Repository]{
	"memory": func(string) effect.Effect[lease.Repository] {
		return effect.Succeed[lease.Repository](lease.NewMemory())
	},
	"sqlite": func(dir string) effect.Effect[lease.Repository] {
		return lease.OpenSQLite(dir + "/leases.db").Map(func(r *lease.SQLite) lease.Repository { return r })
	},
	"file": func(dir string) effect.Effect[lease.Repository] {
		return lease.OpenFile(dir, lease.WithPlatform(withoutSQLite())).Map(func(r *lease.File) lease.Repository { return r })
	},
}

func withoutSQLite() *platform.Platform {
	p := platform.OS()
	p.SQLite = nil
	return p
}

// onEveryStore runs a test over each kind of repository, in virtual time.
func onEveryStore(t *testing.T, body func(t *testing.T, do effect.Do, repository lease.Repository)) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			virtual(t, func(t *testing.T, do effect.Do) { body(t, do, do.Await(open(dir))) })
		})
	}
}

// virtual runs a test as an effect with a scope, in virtual time.
func virtual(t *testing.T, body func(t *testing.T, do effect.Do)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { run(t, body) })
}

// run runs a test as an effect with a scope.
func run(t *testing.T, body func(t *testing.T, do effect.Do)) {
	t.Helper()
	_, err := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		body(t, do)
		return effect.Unit{}, nil
	}).Scoped().Run(context.Background())
	if err != nil {
		t.Errorf("the test's effect ended with %+v", err)
	}
}

// newManager makes a manager with the timing of these tests.
func newManager(t *testing.T, repository lease.Repository, change ...func(*lease.Config)) *lease.Manager {
	t.Helper()
	config := lease.Config{TTL: ttl, Heartbeat: beat}
	for _, c := range change {
		c(&config)
	}
	m, err := lease.NewManager(repository, config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// failure is what e fails with, as a T.
func failure[T error, A any](t *testing.T, do effect.Do, e effect.Effect[A]) (found T) {
	t.Helper()
	value, err := effect.Await(do, e)
	found, ok := errors.AsType[T](err)
	if !ok {
		t.Fatalf("ended with %v, %v; want a %T", value, err, found)
	}
	return found
}

// held acquires in a scope of its own, which release closes, or the end of the test.
func held(do effect.Do, m *lease.Manager, key string, options ...lease.AcquireOption) (l *lease.Lease, release func()) {
	s := scope.New()
	l = do.Await(m.Acquire(key, options...).InScope(s))
	closed := effect.CloseScope(s, scope.Exit{})
	do.Await(effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] { return closed }))
	return l, func() { do.Await(closed) }
}

// stranger is a process that nobody here can judge.
var stranger = platform.ProcessIdentity{Host: "elsewhere.example", BootID: "99999999-2222-4333-8444-555555555555", PID: 1, StartTime: 1}

// usurp takes the lease of key away, as another machine would, between two renewals.
func usurp(t *testing.T, ctx context.Context, repository lease.Repository, key string) lease.Record {
	t.Helper()
	for {
		r := load(t, ctx, repository, key)
		next := lease.Record{
			Key: key, Generation: r.Generation + 1, Revision: r.Revision + 1,
			Holder: &stranger, HolderID: "usurper", RenewedAt: time.UnixMilli(1),
		}
		err := repository.Save(ctx, next, mo.Some(r.Revision))
		if err == nil {
			return next
		}
		if _, conflict := err.(*lease.RevisionConflict); !conflict {
			t.Fatal(err)
		}
	}
}

// put stores a record as the first of its key.
func put(t *testing.T, ctx context.Context, repository lease.Repository, r lease.Record) {
	t.Helper()
	if err := repository.Save(ctx, r, mo.None[int64]()); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, ctx context.Context, repository lease.Repository, key string) lease.Record {
	t.Helper()
	r, found, err := repository.Load(ctx, key)
	if err != nil || !found {
		t.Fatalf("Load(%q): found %v, %v", key, found, err)
	}
	return r
}

func self(t *testing.T) platform.ProcessIdentity {
	t.Helper()
	p, err := platform.OS().Processes.Self()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// defect is the cause of e's end, which must be a defect.
func defect[A any](t *testing.T, do effect.Do, e effect.Effect[A]) *errors.Cause {
	t.Helper()
	_, err := effect.Await(do, e)
	cause, ok := errors.AsType[*errors.Cause](err)
	if !ok || !cause.HasDies() {
		t.Fatalf("ended with %v, want a defect", err)
	}
	return cause
}

// isLost waits for the loss of a lease.
func isLost(t *testing.T, do effect.Do, l *lease.Lease) *lease.Lost {
	t.Helper()
	return failure[*lease.Lost](t, do, l.Lost())
}

// journal is a log that fibers write.
type journal struct {
	mu      sync.Mutex
	entries []string
}

func (j *journal) add(entry string) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.entries = append(j.entries, entry)
	})
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.entries, ", ")
}

// noFibersLeft fails the test if heartbeats of leases still run when it is over.
func noFibersLeft(t *testing.T) {
	t.Cleanup(func() {
		deadline := time.Now().Add(5 * time.Second)
		for {
			buffer := make([]byte, 1<<20)
			stacks := string(buffer[:runtime.Stack(buffer, true)])
			if !strings.Contains(stacks, "lease.(*heart)") {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("heartbeats are left:\n%s", stacks)
				return
			}
			runtime.Gosched()
		}
	})
}
