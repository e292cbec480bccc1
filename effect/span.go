package effect

import (
	"context"
	"log/slog"

	"github.com/rivus/agentkit/errors"
)

// Tracer makes spans: the port to a tracing system. The module effect/otel has one for OpenTelemetry.
type Tracer interface {
	// Start begins a span below the one in ctx, if there is one. The context it returns is ctx with the new span in it, so that
	// other libraries which trace find it there.
	Start(ctx context.Context, config SpanConfig) (context.Context, Span)
}

// Span is a part of a program's run that a [Tracer] shows. Its methods may be called from several goroutines.
type Span interface {
	// ID names the span in the tracing system.
	ID() SpanID
	// Set adds attributes, or replaces those with the same keys.
	Set(attrs ...slog.Attr)
	// Event notes that something happened now.
	Event(name string, attrs ...slog.Attr)
	// End ends the span. The cause says why it did not succeed; nil when it did.
	End(cause *errors.Cause)
}

// SpanID names a span, and the trace it belongs to.
type SpanID struct {
	Trace, Span string // the trace, and the span in it
}

// SpanConfig describes a span that is to begin.
type SpanConfig struct {
	// Name of the span. Required.
	Name string
	// Kind of the span. Defaults to [SpanInternal].
	Kind SpanKind
	// Root begins a trace of its own. Defaults to a span below the one around it.
	Root bool
	// Links are spans that this one has to do with.
	Links []SpanID
	// Attributes of the span.
	Attributes []slog.Attr
}

// SpanKind says what part in a conversation a span plays.
type SpanKind uint8

// The kinds of spans, as OpenTelemetry has them.
const (
	SpanInternal SpanKind = iota
	SpanServer
	SpanClient
	SpanProducer
	SpanConsumer
)

// Tracing is the key of the tracer that spans are made by. Without one there are no spans, and [Effect.WithSpan] changes nothing.
var Tracing = NewService[Tracer]("effect.Tracer")

// currentSpan is the innermost one.
var currentSpan hidden[Span]

// WithSpan is e within a span, which ends as e ends (Effect's withSpan). It travels with the fibers that e forks.
func (e Effect[A]) WithSpan[N ~string](name N, attrs ...slog.Attr) Effect[A] {
	return e.WithSpanOf(SpanConfig{Name: string(name), Attributes: attrs})
}

// WithSpanOf is [Effect.WithSpan] with all that can be said about a span.
func (e Effect[A]) WithSpanOf[C interface{ SpanConfig }](config C) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		tracer, ok := v.tracer()
		if !ok {
			return e.deeper(v)
		}
		ctx, span := tracer.Start(v, SpanConfig(config))
		w := v.with(v.scope, v.services.bind([]Binding{currentSpan.of(span)}))
		w.values = surround(ctx)
		return e.guard(w, func(_ A, c *errors.Cause) *errors.Cause {
			span.End(c)
			return c
		})
	}}
}

//go:noinline
func (v *env) tracer() (Tracer, bool) { return Tracing.in(v.services) }

// SpanFrom is the span around ctx: for plain Go inside an effect.
func SpanFrom(ctx context.Context) (Span, bool) {
	if v, _ := envOf(ctx); v != nil {
		return currentSpan.in(v.services)
	}
	return nil, false
}

// AnnotateSpan sets attributes of the span around the effect, if there is one (Effect's annotateCurrentSpan).
func AnnotateSpan(attrs ...slog.Attr) Effect[Unit] {
	return onSpan(func(s Span) { s.Set(attrs...) })
}

// SpanEvent notes an event in the span around the effect, if there is one.
func SpanEvent(name string, attrs ...slog.Attr) Effect[Unit] {
	return onSpan(func(s Span) { s.Event(name, attrs...) })
}

func onSpan(f func(Span)) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		if span, ok := currentSpan.in(v.services); ok {
			f(span)
		}
		return u, nil
	}}
}
