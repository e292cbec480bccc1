package scope_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// text is a failure that is only a text, and equal to another with the same text.
type text string

func (t text) Error() string { return string(t) }

// finalizer logs its name and returns err.
func finalizer(log *[]string, name string, err error) func(context.Context, scope.Exit) error {
	return func(context.Context, scope.Exit) error {
		*log = append(*log, name)
		return err
	}
}

func wantLog(t *testing.T, log []string, want ...string) {
	t.Helper()
	if !slices.Equal(log, want) {
		t.Errorf("got %q; want %q", log, want)
	}
}

// wantCause compares an error with a cause of these reasons.
func wantCause(t *testing.T, err error, want ...errors.Reason) {
	t.Helper()
	c, _ := errors.AsType[*errors.Cause](err)
	if !c.Equal(errors.NewCause(want...)) {
		t.Errorf("got [%v]; want [%v]", err, errors.NewCause(want...))
	}
}

func fail(s string) errors.Reason { return errors.Fail{Err: text(s)} }

func die(defect any) errors.Reason { return errors.Die{Defect: defect} }

func TestDoRunsFinalizersInReverse(t *testing.T) {
	var log []string
	err := scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		for _, name := range []string{"a", "b", "c"} {
			if err := s.Add(ctx, finalizer(&log, name, nil)); err != nil {
				return err
			}
		}
		log = append(log, "body")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	wantLog(t, log, "body", "c", "b", "a")
}

func TestDoReturnsTheErrorOfItsBodyAsItIs(t *testing.T) {
	err := scope.Do(t.Context(), func(context.Context, *scope.Scope) error { return io.ErrUnexpectedEOF })
	if err != io.ErrUnexpectedEOF {
		t.Errorf("got %#v", err)
	}
}

func TestDoReturnsTheErrorOfAFinalizerAfterASuccess(t *testing.T) {
	err := scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		return s.Add(ctx, finalizer(new([]string), "a", text("close")))
	})
	wantCause(t, err, fail("close"))
}

func TestDoJoinsTheErrorsOfBodyAndFinalizers(t *testing.T) {
	err := scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		_ = s.Add(ctx, finalizer(new([]string), "a", text("close a")))
		_ = s.Add(ctx, finalizer(new([]string), "b", text("close b")))
		return io.ErrUnexpectedEOF
	})
	wantCause(t, err, errors.Fail{Err: io.ErrUnexpectedEOF}, fail("close b"), fail("close a"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, text("close a")) {
		t.Errorf("%v hides an error", err)
	}
}

func TestFinalizersGetTheErrorOfTheBody(t *testing.T) {
	var got scope.Exit
	_ = scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		_ = s.Add(ctx, func(_ context.Context, exit scope.Exit) error {
			got = exit
			return nil
		})
		return text("e")
	})
	wantCause(t, got.Cause, fail("e"))
}

func TestACauseThatTheBodyReturnsPassesItsReasonsOn(t *testing.T) {
	err := scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		_ = s.Add(ctx, finalizer(new([]string), "a", text("close")))
		return errors.NewCause(errors.Interrupt{By: 7})
	})
	wantCause(t, err, errors.Interrupt{By: 7}, fail("close"))
}

func TestADefectOfAFinalizerTurnsTheErrorOfTheBodyIntoADefect(t *testing.T) {
	err := scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		_ = s.Add(ctx, func(context.Context, scope.Exit) error { panic("bug") })
		return text("e")
	})
	wantCause(t, err, die(text("e")), die("bug"))
}

// panicOf is what f panics with.
func panicOf(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func TestAPanicOfTheBodyGoesOnAfterTheFinalizers(t *testing.T) {
	var log []string
	var exit scope.Exit
	r := panicOf(func() {
		_ = scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
			_ = s.Add(ctx, func(_ context.Context, x scope.Exit) error {
				log, exit = append(log, "closed"), x
				return nil
			})
			panic("boom")
		})
	})
	if r != "boom" {
		t.Errorf("got %v", r)
	}
	wantLog(t, log, "closed")
	wantCause(t, exit.Cause, die("boom"))
}

func TestAPanicOfTheBodyCarriesWhatTheFinalizersAdd(t *testing.T) {
	r := panicOf(func() {
		_ = scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
			_ = s.Add(ctx, finalizer(new([]string), "a", text("close")))
			panic(io.ErrUnexpectedEOF)
		})
	})
	p, ok := r.(*scope.Panic)
	if !ok || p.Value != io.ErrUnexpectedEOF || !errors.Is(p, io.ErrUnexpectedEOF) {
		t.Fatalf("got %#v", r)
	}
	wantCause(t, errors.Recovered(p), die(io.ErrUnexpectedEOF), die(text("close")))
	if got, want := p.Error(), "defect: unexpected EOF; defect: close"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestGoexitInTheBodyRunsTheFinalizers(t *testing.T) {
	var log []string
	var exit scope.Exit
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = scope.Do(context.Background(), func(ctx context.Context, s *scope.Scope) error {
			_ = s.Add(ctx, func(_ context.Context, x scope.Exit) error {
				log, exit = append(log, "closed"), x
				return nil
			})
			goexit()
			return nil
		})
	})
	wg.Wait()
	wantLog(t, log, "closed")
	wantCause(t, exit.Cause, die("runtime.Goexit"))
}

func TestGoexitInAFinalizerRunsTheOthers(t *testing.T) {
	var log []string
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = scope.Do(context.Background(), func(ctx context.Context, s *scope.Scope) error {
			_ = s.Add(ctx, finalizer(&log, "a", nil))
			_ = s.Add(ctx, func(context.Context, scope.Exit) error {
				goexit()
				return nil
			})
			return s.Add(ctx, finalizer(&log, "c", nil))
		})
	})
	wg.Wait()
	wantLog(t, log, "c", "a")
}

func TestFinalizersGetTheValuesOfTheirRegistrationAndNotItsCancellation(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "outer"), time.Hour)
	_ = scope.Do(ctx, func(ctx context.Context, s *scope.Scope) error {
		ctx = context.WithValue(ctx, key{}, "inner")
		_ = s.Add(ctx, func(ctx context.Context, _ scope.Exit) error {
			if ctx.Value(key{}) != "inner" || ctx.Err() != nil {
				t.Errorf("value %v, error %v", ctx.Value(key{}), ctx.Err())
			}
			if _, ok := ctx.Deadline(); ok {
				t.Error("the finalizer has the deadline of what is over")
			}
			return nil
		})
		cancel()
		return ctx.Err()
	})
}

func TestTheContextOfDoCarriesItsScope(t *testing.T) {
	_ = scope.Do(t.Context(), func(ctx context.Context, s *scope.Scope) error {
		if got, ok := scope.From(ctx); !ok || got != s {
			t.Errorf("got %v, %v", got, ok)
		}
		return nil
	})
	if _, ok := scope.From(t.Context()); ok {
		t.Error("a context that nothing was put into has a scope")
	}
}

func TestDoRefusesANilContext(t *testing.T) {
	var none context.Context
	r := panicOf(func() { _ = scope.Do(none, func(context.Context, *scope.Scope) error { return nil }) })
	if r != "cannot create context from nil parent" {
		t.Errorf("got %v", r)
	}
}
