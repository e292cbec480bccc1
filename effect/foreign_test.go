package effect_test

import (
	"context"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

func TestScopeContextEndsWithItsScope(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		var inside error
		ctx, err := ScopeContext().Tap(func(ctx context.Context) Effect[Unit] {
			return Call(func() {
				inside = ctx.Err()
			})
		}).Scoped().Run(t.Context())
		if err != nil || inside != nil {
			t.Fatalf("run: %v, inside: %v", err, inside)
		}
		if ctx.Err() != context.Canceled || context.Cause(ctx) != context.Canceled {
			t.Errorf("after the scope: %v, cause %v", ctx.Err(), context.Cause(ctx))
		}
	})
}

func TestScopeContextHasTheCauseOfItsScope(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		var ctx context.Context
		_, _ = ScopeContext().FlatMap(func(c context.Context) Effect[Unit] {
			ctx = c
			return fail[Unit]("broken")
		}).Scoped().Run(t.Context())
		if cause := context.Cause(ctx); !errors.Is(cause, E("broken")) {
			t.Errorf("the cause is %v", cause)
		}
	})
}

func TestScopeContextOutlivesAnInterruptedFiberUntilItsScopeCloses(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		trace := effecttest.NewTimed()
		program := ScopeContext().FlatMap(func(ctx context.Context) Effect[Unit] {
			context.AfterFunc(ctx, func() { trace.Add("signal") })
			return sleep(1000)
		}).Ensuring(sleep(20)).Ensuring(trace.Log("inner")).Scoped()
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		_, _ = program.Run(ctx)
		time.Sleep(ms)
		wantLines(t, trace, "inner@30", "signal@30")
	})
}

func TestScopeContextWithoutAScopeSaysWhatIsMissing(t *testing.T) {
	if x := effecttest.Run(t, ScopeContext()); !hasDefect[*NoScope](x.Cause) {
		t.Errorf("got %v", x)
	}
}

type closer struct {
	trace *effecttest.Trace
	err   error
}

func (c *closer) Close() error {
	c.trace.Add("closed")
	return c.err
}

func TestAcquireCloserClosesWithItsScope(t *testing.T) {
	trace := effecttest.New()
	e := AcquireCloser(Succeed(&closer{trace: trace})).AndThen(trace.Log("used")).Scoped()
	if x := effecttest.Run(t, e); x.IsFailure() {
		t.Errorf("got %v", x)
	}
	wantLines(t, trace, "used", "closed")
}

func TestAcquireCloserReportsTheErrorOfClose(t *testing.T) {
	trace := effecttest.New()
	e := AcquireCloser(Succeed(&closer{trace, E("disk full")})).AndThen(fail[int]("body")).Scoped()
	want := errors.NewCause(failing("body"), failing("disk full"))
	if x := effecttest.Run(t, e); !x.Cause.Equal(want) {
		t.Errorf("got %v; want %v", x, want)
	}
}

func TestTimedMeasures(t *testing.T) {
	x := effecttest.Run(t, Timed(sleep(30).As("v")))
	if want := (Pair[time.Duration, string]{First: 30 * ms, Second: "v"}); x.Value != want {
		t.Errorf("got %v; want %v", x, want)
	}
}

// wantLines compares a trace with what it must be.
func wantLines(t *testing.T, trace *effecttest.Trace, want ...string) {
	t.Helper()
	err := effecttest.Compare(effecttest.Recording{Trace: want}, effecttest.Recording{Trace: trace.Lines()}, effecttest.Forced)
	if err != nil {
		t.Error(err)
	}
}

// hasDefect tells whether a defect of this type is in the cause.
func hasDefect[D any](c *errors.Cause) bool {
	for _, d := range c.Defects() {
		if _, ok := d.(D); ok {
			return true
		}
	}
	return false
}
