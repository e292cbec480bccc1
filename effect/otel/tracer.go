package otel

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Tracer is a tracer of effects that makes OpenTelemetry's spans, for [effect.Tracing].
//
// A span whose effect did not succeed has the status Error with the text of the cause, and an event "exception" for each failure and
// each defect. One that was only interrupted has no error: its status stays unset, and the attribute effect.interrupted is true.
func Tracer(t trace.Tracer) effect.Tracer { return tracer{t} }

type tracer struct{ of trace.Tracer }

func (t tracer) Start(ctx context.Context, config effect.SpanConfig) (context.Context, effect.Span) {
	options := []trace.SpanStartOption{
		trace.WithSpanKind(kind(config.Kind)), trace.WithAttributes(attributes(config.Attributes)...), trace.WithLinks(links(config.Links)...),
	}
	if config.Root {
		options = append(options, trace.WithNewRoot())
	}
	ctx, s := t.of.Start(ctx, config.Name, options...)
	return ctx, span{s}
}

func kind(k effect.SpanKind) trace.SpanKind {
	switch k {
	case effect.SpanServer:
		return trace.SpanKindServer
	case effect.SpanClient:
		return trace.SpanKindClient
	case effect.SpanProducer:
		return trace.SpanKindProducer
	case effect.SpanConsumer:
		return trace.SpanKindConsumer
	}
	return trace.SpanKindInternal
}

// links leaves out what is not the id of a span.
func links(ids []effect.SpanID) (links []trace.Link) {
	for _, id := range ids {
		traceID, err := trace.TraceIDFromHex(id.Trace)
		if err != nil {
			continue
		}
		spanID, err := trace.SpanIDFromHex(id.Span)
		if err != nil {
			continue
		}
		links = append(links, trace.Link{SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID})})
	}
	return links
}

type span struct{ of trace.Span }

// ID is what the span is called, in hexadecimal digits.
func (s span) ID() effect.SpanID {
	c := s.of.SpanContext()
	return effect.SpanID{Trace: c.TraceID().String(), Span: c.SpanID().String()}
}

func (s span) Set(attrs ...slog.Attr) { s.of.SetAttributes(attributes(attrs)...) }

func (s span) Event(name string, attrs ...slog.Attr) {
	s.of.AddEvent(name, trace.WithAttributes(attributes(attrs)...))
}

func (s span) End(cause *errors.Cause) {
	switch {
	case cause == nil:
	case cause.HasInterruptsOnly():
		s.of.SetAttributes(attribute.Bool("effect.interrupted", true))
	default:
		s.of.SetStatus(codes.Error, cause.Error())
		for _, reason := range cause.Reasons() {
			s.record(reason)
		}
	}
	s.of.End()
}

// record notes a failure or a defect in the way that OpenTelemetry notes exceptions.
func (s span) record(reason errors.Reason) {
	var attrs []attribute.KeyValue
	switch r := reason.(type) {
	case errors.Fail:
		attrs = exception(r.Err, r.Err.Error())
	case errors.Die:
		attrs = append(exception(r.Defect, r.Error()), attribute.String("exception.stacktrace", string(r.Stack)))
	default:
		return
	}
	s.of.AddEvent("exception", trace.WithAttributes(attrs...))
}

// exception has the tag of what it is about for its type, if there is one.
func exception(what any, message string) []attribute.KeyValue {
	name := fmt.Sprintf("%T", what)
	if err, ok := what.(error); ok {
		if tag, ok := errors.TagOf(err); ok {
			name = tag
		}
	}
	return []attribute.KeyValue{attribute.String("exception.type", name), attribute.String("exception.message", message)}
}
