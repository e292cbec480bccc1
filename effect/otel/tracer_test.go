package otel_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/effect/otel"
	"github.com/rivus/agentkit/errors"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// traced runs e and returns the spans that ended, in the order of their end.
func traced(t *testing.T, e effect.Effect[effect.Unit]) tracetest.SpanStubs {
	t.Helper()
	ended := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(ended))
	effecttest.Run(t, e.With(effect.Tracing.Of(otel.Tracer(provider.Tracer("test")))))
	return ended.GetSpans()
}

// text is a span in a line: its name, status and attributes.
func text(s tracetest.SpanStub) string {
	line := fmt.Sprint(s.Name, " ", s.SpanKind, " ", s.Status.Code, " ", s.Status.Description)
	for _, a := range s.Attributes {
		line += fmt.Sprintf(" %s=%s", a.Key, a.Value.String())
	}
	for _, e := range s.Events {
		line += " / " + e.Name
		for _, a := range e.Attributes {
			line += fmt.Sprintf(" %s=%s", a.Key, strings.SplitN(a.Value.String(), "\n", 2)[0])
		}
	}
	return line
}

func expectSpans(t *testing.T, spans tracetest.SpanStubs, want ...string) {
	t.Helper()
	var got []string
	for _, s := range spans {
		got = append(got, text(s))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

type refused struct{ Why string }

func (e *refused) Error() string { return "refused: " + e.Why }
func (e *refused) Tag() string   { return "Refused" }

// plain has no tag.
type plain string

func (e plain) Error() string { return string(e) }

func TestASpanIsBelowTheOneAroundItAlsoInAnotherFiber(t *testing.T) {
	spans := traced(t, effect.Fork(effect.Succeed(effect.Unit{}).WithSpan("child")).FlatMap((*effect.Fiber[effect.Unit]).Join).WithSpan("parent"))
	if len(spans) != 2 || spans[0].Name != "child" || spans[1].Name != "parent" {
		t.Fatalf("got %v", spans)
	}
	if spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() || spans[0].SpanContext.TraceID() != spans[1].SpanContext.TraceID() {
		t.Errorf("the child is below %v; want %v", spans[0].Parent, spans[1].SpanContext)
	}
}

func TestTheStatusOfASpanSaysHowItsEffectEnded(t *testing.T) {
	attempt := func(e effect.Effect[effect.Unit]) effect.Effect[effect.Unit] {
		return effect.ExitOf(e.WithSpan("s")).AsUnit()
	}
	spans := traced(t, effect.ForEachDiscard([]effect.Effect[effect.Unit]{
		effect.Succeed(effect.Unit{}),
		effect.Fail[effect.Unit](&refused{"late"}),
		effect.Fail[effect.Unit](plain("words")),
		effect.Never[effect.Unit]().Timeout(time.Second).WithSpan("inner"),
	}, attempt))
	expectSpans(t, spans,
		"s internal Unset ",
		"s internal Error refused: late / exception exception.type=Refused exception.message=refused: late",
		"s internal Error words / exception exception.type=otel_test.plain exception.message=words",
		"inner internal Error Operation timed out after '1s' / exception exception.type=TimeoutError exception.message=Operation timed out after '1s'",
		"s internal Error Operation timed out after '1s' / exception exception.type=TimeoutError exception.message=Operation timed out after '1s'",
	)
}

func TestADefectIsAnExceptionWithItsStack(t *testing.T) {
	spans := traced(t, effect.ExitOf(effect.Sync(func() effect.Unit { panic("bug") }).WithSpan("s")).AsUnit())
	if len(spans) != 1 || len(spans[0].Events) != 1 {
		t.Fatalf("got %v", spans)
	}
	found := map[string]string{}
	for _, a := range spans[0].Events[0].Attributes {
		found[string(a.Key)] = a.Value.String()
	}
	if found["exception.type"] != "string" || !strings.Contains(found["exception.message"], "bug") ||
		!strings.Contains(found["exception.stacktrace"], "TestADefectIsAnExceptionWithItsStack") {
		t.Errorf("got %v", found)
	}
}

func TestAnInterruptionIsNoError(t *testing.T) {
	spans := traced(t, effect.ExitOf(effect.Never[effect.Unit]().WithSpan("s").Timeout(time.Second)).AsUnit())
	expectSpans(t, spans, "s internal Unset  effect.interrupted=true")
}

func TestASpanHasAllThatIsSaidAboutIt(t *testing.T) {
	link := effect.SpanID{Trace: "0102030405060708090a0b0c0d0e0f10", Span: "0102030405060708"}
	inner := effect.AnnotateSpan(slog.Bool("done", true)).AndThen(effect.SpanEvent("saved", slog.Int("rows", 3)))
	spans := traced(t, inner.WithSpanOf(effect.SpanConfig{
		Name: "call", Kind: effect.SpanClient, Root: true, Links: []effect.SpanID{link, {Trace: "no", Span: "id"}},
		Attributes: []slog.Attr{slog.String("to", "db"), slog.Duration("within", 1500*time.Millisecond), slog.Group("a", slog.Int("b", 1))},
	}).WithSpan("around"))
	expectSpans(t, spans, "call client Unset  to=db within=1.5 a.b=1 done=true / saved rows=3", "around internal Unset ")
	call := spans[0]
	if call.Parent.IsValid() || call.SpanContext.TraceID() == spans[1].SpanContext.TraceID() {
		t.Errorf("the root is in a trace with others: %v", call)
	}
	if len(call.Links) != 1 || call.Links[0].SpanContext.SpanID().String() != link.Span || call.Links[0].SpanContext.TraceID().String() != link.Trace {
		t.Errorf("got the links %v", call.Links)
	}
}

func TestEachKindIsOpenTelemetrys(t *testing.T) {
	for kind, want := range map[effect.SpanKind]trace.SpanKind{
		effect.SpanInternal: trace.SpanKindInternal, effect.SpanServer: trace.SpanKindServer, effect.SpanClient: trace.SpanKindClient,
		effect.SpanProducer: trace.SpanKindProducer, effect.SpanConsumer: trace.SpanKindConsumer,
	} {
		spans := traced(t, effect.Succeed(effect.Unit{}).WithSpanOf(effect.SpanConfig{Name: "s", Kind: kind}))
		if len(spans) != 1 || spans[0].SpanKind != want {
			t.Errorf("%v became %v; want %v", kind, spans, want)
		}
	}
}

func TestALibraryBelowAndACallerAboveSeeTheSameTrace(t *testing.T) {
	ended := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(ended))
	ctx, above := provider.Tracer("caller").Start(t.Context(), "above")
	id, err := effect.Try(func(ctx context.Context) (effect.SpanID, error) {
		_, below := provider.Tracer("library").Start(ctx, "below")
		below.End()
		own, ok := effect.SpanFrom(ctx)
		if !ok {
			return effect.SpanID{}, errors.New("no span")
		}
		return own.ID(), nil
	}).WithSpan("effect").With(effect.Tracing.Of(otel.Tracer(provider.Tracer("test")))).Run(ctx)
	above.End()
	if err != nil {
		t.Fatal(err)
	}
	spans := ended.GetSpans()
	if spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() || spans[1].Parent.SpanID() != spans[2].SpanContext.SpanID() {
		t.Errorf("got %v", spans)
	}
	if at := spans[1].SpanContext; id.Span != at.SpanID().String() || id.Trace != at.TraceID().String() {
		t.Errorf("the span says it is %v; want %v", id, at)
	}
}
