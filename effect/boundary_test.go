package effect_test

import (
	"context"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/scope"
)

// requests serves a thousand requests inside one effect, as a server does whose base context is that effect's: run is how a
// handler runs. It tells how many resources of the handlers were released before the server ended, and after.
func requests(t *testing.T, run func(context.Context, Effect[*Fiber[Unit]]) error) (before, after int) {
	t.Helper()
	released := 0
	resource := AcquireRelease(Succeed(1), func(int, scope.Exit) Effect[Unit] {
		return Call(func() { released++ })
	})
	handler := resource.AndThen(Fork(Never[Unit]()))
	x := effecttest.Run(t, Try(func(ctx context.Context) (u Unit, _ error) {
		for i := range 1000 {
			request, cancel := context.WithCancel(context.WithValue(ctx, contextKey("request"), i))
			err := run(request, handler)
			cancel()
			if err != nil {
				return u, err
			}
		}
		before = released
		return
	}).Scoped())
	if x.Cause != nil {
		t.Error(x)
	}
	return before, released
}

func TestARunOnARequestsContextLeavesNothingWithTheServer(t *testing.T) {
	before, _ := requests(t, func(ctx context.Context, handler Effect[*Fiber[Unit]]) error {
		_, err := handler.Scoped().Run(ctx)
		return err
	})
	if before != 1000 {
		t.Errorf("%d of 1000 were released by their request", before)
	}
}

func TestARunOnARequestsContextHasNoScopeOfTheServer(t *testing.T) {
	x := effecttest.Run(t, Try(func(ctx context.Context) (Exit[int], error) {
		return RunExit(ctx, AcquireRelease(Succeed(1), func(int, scope.Exit) (u Effect[Unit]) { return })), nil
	}).Scoped())
	d, ok := x.Value.Cause.FindDie()
	if _, isNoScope := d.Defect.(*NoScope); !ok || !isNoScope {
		t.Errorf("got %v; want the defect NoScope", x)
	}
}

func TestAwaitOnARequestsContextKeepsResourcesUntilTheServerEnds(t *testing.T) {
	before, after := requests(t, func(ctx context.Context, handler Effect[*Fiber[Unit]]) error {
		_, err := Await(ctx, handler)
		return err
	})
	if before != 0 || after != 1000 {
		t.Errorf("%d were released before the server ended, and %d in all", before, after)
	}
}

func TestAScopeInTheContextOwnsWhatARunAcquires(t *testing.T) {
	released := false
	s := scope.New()
	acquire := AcquireRelease(Succeed(1), func(int, scope.Exit) Effect[Unit] {
		return Call(func() { released = true })
	})
	if _, err := acquire.Run(scope.Into(t.Context(), s)); err != nil || released {
		t.Errorf("%v, released: %v", err, released)
	}
	if err := s.Close(t.Context(), scope.Exit{}); err != nil || !released {
		t.Errorf("%v, released: %v", err, released)
	}
}

func TestTheSurroundingScopeCanBeHandedToARun(t *testing.T) {
	x := effecttest.Run(t, Gen(func(do Do) (int, error) {
		s := do.Await(CurrentScope())
		return AcquireRelease(Succeed(1), func(int, scope.Exit) (u Effect[Unit]) { return }).Run(scope.Into(do, s))
	}).Scoped())
	if x.Value != 1 {
		t.Errorf("got %v", x)
	}
}
