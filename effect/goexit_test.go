package effect_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/scope"
)

// runtime.Goexit ends a goroutine and runs its deferred functions; t.FailNow is built on it.

func goexit() Effect[int] { return Sync(func() int { runtime.Goexit(); return 0 }) }

// exitOnAGoroutine runs e on a goroutine of its own, which e may end.
func exitOnAGoroutine(ctx context.Context, e Effect[int]) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		RunExit(ctx, e)
	}()
	<-done
}

func TestGoexitInAChildIsADefectAndReleasesItsResources(t *testing.T) {
	released := false
	child := AcquireRelease(Succeed(1), func(int, scope.Exit) Effect[Unit] {
		return Call(func() { released = true })
	}).AndThen(goexit()).Scoped()
	x := effecttest.Run(t, Fork(child).FlatMap(func(f *Fiber[int]) Effect[Exit[int]] { return f.Await() }))
	if !x.Value.Cause.HasDies() || !released {
		t.Errorf("the exit is %v, released: %v", x.Value, released)
	}
}

func TestGoexitEndsWhatItsFiberStarted(t *testing.T) {
	// Each program ends its goroutine by Goexit while a child, or another part, never ends by itself.
	child := Fork(Never[int]()).AndThen(goexit())
	programs := map[string]Effect[int]{
		"a child of the root":        child,
		"a child of a race's side":   Race(child, Never[int]()),
		"the other side of a race":   Race(goexit(), Never[int]()),
		"a race's second side":       RaceFirst(Never[int](), goexit()),
		"a child inside a timeout":   child.Timeout(time.Hour),
		"a child of a worker":        All([]Effect[int]{child, Never[int]()}, Unbounded).As(0),
		"the second worker":          All([]Effect[int]{Never[int](), child}, Unbounded).As(0),
		"a child of a generator":     Gen(func(do Do) (int, error) { return do.Await(child), nil }),
		"a child in a scope":         child.Scoped(),
		"a child with a finalizer":   child.Ensuring(sleep(10)),
		"a child in a region":        child.Uninterruptible(),
		"a child inside a nested Go": Try(func(ctx context.Context) (int, error) { return child.Run(ctx) }),
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			effecttest.Bubble(t, func(t *testing.T) { exitOnAGoroutine(t.Context(), program) })
		})
	}
}

func TestGoexitDeepInsideReachesTheRootsGoroutine(t *testing.T) {
	deep := goexit()
	for range 20_000 {
		deep = deep.Map(func(n int) int { return n })
	}
	ended, returned := make(chan struct{}), false
	go func() {
		defer close(ended)
		RunExit(t.Context(), deep)
		returned = true
	}()
	<-ended
	if returned {
		t.Error("the run returned to a goroutine that it had ended")
	}
}
