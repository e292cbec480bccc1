package effect_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func TestAMissingServiceIsADefectThatNamesItAndWhatThereIs(t *testing.T) {
	repo, clock := NewService[int]("Repo"), NewService[string]("Clock")
	x := effecttest.Run(t, repo.Get().With(clock.Of("now")))
	if !hasDefect[*ServiceNotFound](x.Cause) {
		t.Fatalf("got %v", x)
	}
	if text := x.Cause.Error(); !strings.Contains(text, "Service not found: Repo") || !strings.Contains(text, "Clock") {
		t.Errorf("%q does not name both", text)
	}
}

func TestAMissingScopeIsADefectThatNamesBothRemedies(t *testing.T) {
	for name, e := range map[string]Effect[Unit]{
		"AcquireRelease": AcquireRelease(Succeed(Unit{}), func(Unit, scope.Exit) Effect[Unit] { return Succeed(Unit{}) }),
		"AddFinalizer":   AddFinalizer(fin(Succeed(Unit{}))),
		"ForkScoped":     ForkScoped(Succeed(1)).AsUnit(),
		"CurrentScope":   CurrentScope().AsUnit(),
	} {
		x := effecttest.Run(t, e)
		if !hasDefect[*NoScope](x.Cause) {
			t.Errorf("%s: got %v", name, x)
			continue
		}
		for _, part := range []string{name, "Scoped()", "scope.Do"} {
			if !strings.Contains(x.Cause.Error(), part) {
				t.Errorf("%s: %q does not say %q", name, x.Cause.Error(), part)
			}
		}
	}
}

func TestANilFunctionIsADefect(t *testing.T) {
	for name, e := range map[string]Effect[int]{
		"Sync":         Sync[int](nil),
		"Try":          Try[int](nil),
		"Suspend":      Suspend[int](nil),
		"Async":        Async[int](nil),
		"Gen":          Gen[int](nil),
		"Map":          Succeed(1).Map((func(int) int)(nil)),
		"FlatMap":      Succeed(1).FlatMap((func(int) Effect[int])(nil)),
		"Catch":        fail[int]("e").Catch((func(error) Effect[int])(nil)),
		"CatchCause":   fail[int]("e").CatchCause((func(*errors.Cause) Effect[int])(nil)),
		"OnExit":       Succeed(1).OnExit((func(Exit[int]) Effect[Unit])(nil)),
		"MapError":     fail[int]("e").MapError((func(error) error)(nil)),
		"FilterOrElse": Succeed(1).FilterOrElse(nil, func(n int) Effect[int] { return Succeed(n) }),
		"ForEach":      ForEach([]int{1}, (func(int) Effect[int])(nil)).As(1),
		"at once":      ForEach([]int{1, 2}, (func(int) Effect[int])(nil), Unbounded).As(1),
		"Mask":         Mask((func(Restore) Effect[int])(nil)),
	} {
		if x := effecttest.Run(t, e); !hasDefect[runtime.Error](x.Cause) || x.Cause.HasFails() {
			t.Errorf("%s: got %v", name, x)
		}
	}
}

func TestRunRefusesANilContext(t *testing.T) {
	defer func() {
		if r := recover(); r != "effect: nil context" {
			t.Errorf("got %v", r)
		}
	}()
	var none context.Context
	_, _ = Succeed(1).Run(none)
	t.Error("it ran")
}

func TestAwaitWithoutAFiberIsADefectThatNamesTheRemedy(t *testing.T) {
	var none context.Context
	for name, ctx := range map[string]context.Context{"nil": none, "no fiber": t.Context()} {
		_, err := Await(ctx, Succeed(1))
		if err == nil || !strings.Contains(err.Error(), "run the effect with its Run method") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestClosingAScopeTwiceRunsItsFinalizersOnce(t *testing.T) {
	trace := effecttest.New()
	s := scope.New()
	closing := CloseScope(s, scope.Exit{})
	x := effecttest.Run(t, AddFinalizerTo(s, fin(trace.Log("closed"))).AndThen(closing).AndThen(closing))
	if x.IsFailure() {
		t.Errorf("got %v", x)
	}
	wantLines(t, trace, "closed")
}

func TestARecoverInAGeneratorDoesNotSwallowTheFailure(t *testing.T) {
	x := effecttest.Run(t, Gen(func(do Do) (n int, _ error) {
		func() {
			defer func() { _ = recover() }()
			do.Await(fail[int]("e"))
		}()
		return 7, nil
	}))
	if want := ExitFail[int](E("e")); !x.Equal(want) {
		t.Errorf("got %v; want %v", x, want)
	}
}

func TestARecoverInAGeneratorDoesNotSwallowAnInterruption(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		_, err := Gen(func(do Do) (n int, _ error) {
			func() {
				defer func() { _ = recover() }()
				do.Await(sleep(100))
			}()
			return 7, nil
		}).Run(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestDeferredFunctionsOfAGeneratorRunAsItUnwinds(t *testing.T) {
	trace := effecttest.New()
	effecttest.Run(t, Gen(func(do Do) (n int, _ error) {
		defer trace.Add("deferred")
		do.Await(fail[int]("e"))
		trace.Add("unreachable")
		return
	}))
	wantLines(t, trace, "deferred")
}

func TestADoAfterItsGeneratorIsADefect(t *testing.T) {
	leak := Gen(func(do Do) (Do, error) { return do, nil })
	for name, use := range map[string]func(Do){
		"Await": func(do Do) { do.Await(Succeed(1)) },
		"Try":   func(do Do) { do.Try(1, E("e")) },
		"Check": func(do Do) { do.Check(nil) },
	} {
		x := effecttest.Run(t, leak.FlatMap(func(do Do) Effect[Unit] {
			return Call(func() {
				use(do)
			})
		}))
		if !x.Cause.HasDies() || !strings.Contains(x.Cause.Error(), "after its generator had ended") {
			t.Errorf("%s: got %v", name, x)
		}
	}
}

// The panic that unwinds a generator cannot be recovered on another goroutine. It says what happened.
func TestADoOnAnotherGoroutineSaysWhatHappened(t *testing.T) {
	said := make(chan any, 1)
	effecttest.Run(t, Gen(func(do Do) (u Unit, _ error) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { said <- recover() }()
			do.Await(fail[int]("e"))
		}()
		<-done
		return
	}))
	text, ok := (<-said).(interface{ String() string })
	if !ok || !strings.Contains(text.String(), "from another goroutine than its own: e") {
		t.Errorf("got %v", text)
	}
}

func TestAFailureWithoutAnErrorIsAFailureAllTheSame(t *testing.T) {
	x := effecttest.Run(t, Fail[int](nil))
	if !x.Cause.HasFails() || x.Cause.Error() != "failure without an error" {
		t.Errorf("got %v", x)
	}
}

func TestANilCauseIsTheEmptyCause(t *testing.T) {
	if x := effecttest.Run(t, FailCause[int](nil)); x.IsSuccess() || !x.Cause.IsEmpty() {
		t.Errorf("got %v", x)
	}
}
