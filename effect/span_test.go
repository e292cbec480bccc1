package effect_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

// recorder is a tracer that writes down what happens to its spans.
type recorder struct {
	mu      sync.Mutex
	lines   []string
	configs []SpanConfig
}

type recordedSpan struct {
	recorder *recorder
	name     string
}

type spanInContext struct{}

func (r *recorder) note(parts ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprint(parts...))
}

func (r *recorder) Start(ctx context.Context, config SpanConfig) (context.Context, Span) {
	above := "nothing"
	if outer, ok := SpanFrom(ctx); ok {
		above = outer.ID().Span
	}
	r.note(config.Name, " below ", above, config.Attributes)
	r.configs = append(r.configs, config)
	return context.WithValue(ctx, spanInContext{}, config.Name), &recordedSpan{r, config.Name}
}

func (s *recordedSpan) ID() SpanID { return SpanID{"trace", s.name} }

func (s *recordedSpan) Set(attrs ...slog.Attr) { s.recorder.note(s.name, " has ", attrs) }

func (s *recordedSpan) Event(name string, attrs ...slog.Attr) {
	s.recorder.note(name, " in ", s.name, attrs)
}

func (s *recordedSpan) End(cause *errors.Cause) {
	how := "well"
	switch {
	case cause.HasDies():
		how = "with a defect"
	case cause.HasFails():
		how = "with a failure"
	case cause != nil:
		how = "by an interruption"
	}
	s.recorder.note(s.name, " ends ", how)
}

func (r *recorder) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(r.lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestASpanEndsAsItsEffectEnds(t *testing.T) {
	r := &recorder{}
	effecttest.Run(t, seq(
		Succeed(Unit{}).WithSpan("a"),
		ExitOf(fail[Unit]("no").WithSpan("b")).AsUnit(),
		ExitOf(Sync(func() Unit { panic("bug") }).WithSpan("c")).AsUnit(),
		ExitOf(sleep(10).WithSpan("d").Timeout(5*ms)).AsUnit(),
	).With(Tracing.Of(r)))
	r.expect(t, "a below nothing[]", "a ends well", "b below nothing[]", "b ends with a failure", "c below nothing[]", "c ends with a defect",
		"d below nothing[]", "d ends by an interruption")
}

func TestASpanTravelsWithTheFibersThatAreForkedInIt(t *testing.T) {
	r := &recorder{}
	effecttest.Run(t, Fork(sleep(5).WithSpan("child")).FlatMap((*Fiber[Unit]).Join).WithSpan("parent").With(Tracing.Of(r)))
	r.expect(t, "parent below nothing[]", "child below parent[]", "child ends well", "parent ends well")
}

func TestTheInnermostSpanIsTheOneThatIsAnnotated(t *testing.T) {
	r := &recorder{}
	note := func(n int) Effect[Unit] {
		return AnnotateSpan(slog.Int("n", n)).AndThen(SpanEvent("event", slog.Int("m", n)))
	}
	effecttest.Run(t, seq(note(1).WithSpan("inner", slog.String("is", "new")), note(2)).WithSpan("outer").With(Tracing.Of(r)))
	r.expect(t, "outer below nothing[]", "inner below outer[is=new]", "inner has [n=1]", "event in inner[m=1]", "inner ends well",
		"outer has [n=2]", "event in outer[m=2]", "outer ends well")
}

func TestATracerIsToldAllThatIsSaidAboutASpan(t *testing.T) {
	r := &recorder{}
	config := SpanConfig{
		Name: "call", Kind: SpanClient, Root: true, Links: []SpanID{{"t", "s"}}, Attributes: []slog.Attr{slog.Int("n", 1)},
	}
	effecttest.Run(t, Succeed(1).WithSpanOf(config).With(Tracing.Of(r)))
	if len(r.configs) != 1 || fmt.Sprint(r.configs[0]) != fmt.Sprint(config) {
		t.Errorf("got %v", r.configs)
	}
}

func TestPlainGoFindsTheSpanInItsContext(t *testing.T) {
	r := &recorder{}
	exit := effecttest.Run(t, Try(func(ctx context.Context) (string, error) {
		span, ok := SpanFrom(ctx)
		if !ok {
			return "", errors.New("no span")
		}
		return fmt.Sprint(span.ID().Span, " ", ctx.Value(spanInContext{})), nil
	}).WithSpan("around").With(Tracing.Of(r)))
	if exit.Value != "around around" {
		t.Errorf("got %v", exit)
	}
}

func TestASpanInsideIsInterruptedLikeAnythingElse(t *testing.T) {
	r := &recorder{}
	exit := effecttest.Run(t, Gen(func(do Do) (bool, error) {
		f := do.Await(Fork(Never[Unit]().WithSpan("waits")))
		do.Await(sleep(1))
		return do.Await(f.Interrupt().AndThen(f.Await())).Cause.HasInterruptsOnly(), nil
	}).With(Tracing.Of(r)))
	r.expect(t, "waits below nothing[]", "waits ends by an interruption")
	if !exit.Value {
		t.Errorf("got %v", exit)
	}
}

func TestWithoutATracerThereIsNoSpan(t *testing.T) {
	exit := effecttest.Run(t, Try(func(ctx context.Context) (bool, error) {
		_, ok := SpanFrom(ctx)
		return ok, nil
	}).Tap(func(bool) Effect[Unit] { return AnnotateSpan(slog.Int("n", 1)).AndThen(SpanEvent("event")) }).WithSpan("none"))
	if exit.Cause != nil || exit.Value {
		t.Errorf("got %v", exit)
	}
	if _, ok := SpanFrom(t.Context()); ok {
		t.Error("a span outside of effects")
	}
}
