package effect_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// printed is a log handler that leaves out what differs between two runs.
func printed() slog.Handler {
	return slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "fiber" {
				return slog.Attr{}
			}
			return a
		},
	})
}

func ExampleLogInfo() {
	logger := slog.New(printed())
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		do.Await(effect.LogDebug("look for work"))
		do.Await(effect.LogInfo("found it", "tasks", 3))
		do.Await(effect.LogWarn("one was late"))
		do.Await(effect.LogError("one failed"))
		return effect.Unit{}, nil
	}).AnnotateLogs(slog.String("room", "kitchen")).With(effect.Logging.Of(logger)))
	// Output:
	// level=DEBUG msg="look for work" room=kitchen
	// level=INFO msg="found it" tasks=3 room=kitchen
	// level=WARN msg="one was late" room=kitchen
	// level=ERROR msg="one failed" room=kitchen
	// Success({})
}

func ExampleLog() {
	const levelNotice = slog.LevelInfo + 2
	show(effect.Log(levelNotice, "a new version is there").With(effect.Logging.Of(slog.New(printed()))))
	// Output:
	// level=INFO+2 msg="a new version is there"
	// Success({})
}

// Plain Go inside an effect says where it belongs.
func ExampleLogHandler() {
	logger := slog.New(effect.LogHandler(printed()))
	work := effect.TryCall(func(ctx context.Context) error {
		logger.InfoContext(ctx, "a library at work")
		return nil
	})
	show(work.AnnotateLogs(slog.String("room", "kitchen")))
	// Output:
	// level=INFO msg="a library at work" room=kitchen
	// Success({})
}

// printingMeter is a meter of the examples.
type printingMeter struct{}

func (printingMeter) Add(_ context.Context, counter string, n int64, attrs ...slog.Attr) {
	fmt.Println(counter, n, attrs)
}

func (printingMeter) Record(_ context.Context, timer string, _ time.Duration, attrs ...slog.Attr) {
	fmt.Println(timer, "took a while", attrs)
}

func ExampleMeter() {
	var meter effect.Meter = printingMeter{}
	read := effect.Count("bytes", 7).AndThen(measure("notes"))
	show(read.Counted("reads").Timed("read").With(effect.Metering.Of(meter)))
	// Output:
	// bytes 7 []
	// reads 1 [outcome=failure]
	// read took a while [outcome=failure]
	// Failure(notes is no Go file)
}

// printingSpan is a span of the examples, and the tracer that makes it.
type printingSpan struct{ name string }

func (s printingSpan) Start(ctx context.Context, config effect.SpanConfig) (context.Context, effect.Span) {
	fmt.Println("begin", config.Name, config.Attributes)
	return ctx, printingSpan{config.Name}
}

func (s printingSpan) ID() effect.SpanID                 { return effect.SpanID{Trace: "1", Span: s.name} }
func (s printingSpan) Set(attrs ...slog.Attr)            { fmt.Println(s.name, "has", attrs) }
func (s printingSpan) Event(name string, _ ...slog.Attr) { fmt.Println(s.name, "event:", name) }
func (s printingSpan) End(cause *errors.Cause)           { fmt.Println("end", s.name, cause.AsError()) }

func ExampleTracer() {
	var tracer effect.Tracer = printingSpan{}
	query := effect.SpanEvent("the cache had nothing").
		AndThen(effect.AnnotateSpan(slog.Int("rows", 3))).
		AndThen(measure("notes"))
	show(query.WithSpan("query", slog.String("table", "tasks")).WithSpan("request").With(effect.Tracing.Of(tracer)))
	// Output:
	// begin request []
	// begin query [table=tasks]
	// query event: the cache had nothing
	// query has [rows=3]
	// end query notes is no Go file
	// end request notes is no Go file
	// Failure(notes is no Go file)
}

func ExampleSpanConfig() {
	serve := printing("serve").WithSpanOf(effect.SpanConfig{
		Name:  "request",
		Kind:  effect.SpanServer,
		Links: []effect.SpanID{{Trace: "7", Span: "the message that led to it"}},
	})
	show(serve.With(effect.Tracing.Of(printingSpan{})))
	// Output:
	// begin request []
	// serve
	// end request <nil>
	// Success({})
}

// Plain Go finds the span around it, to hand its id on.
func ExampleSpanFrom() {
	send := effect.Try(func(ctx context.Context) (string, error) {
		var span effect.Span
		span, ok := effect.SpanFrom(ctx)
		if !ok {
			return "without a trace", nil
		}
		return "as a part of trace " + span.ID().Trace, nil
	})
	show(send)
	show(send.WithSpan("send").With(effect.Tracing.Of(printingSpan{})))
	// Output:
	// Success(without a trace)
	// begin send []
	// end send <nil>
	// Success(as a part of trace 1)
}

func ExampleMonitor() {
	monitor := effect.NewMonitor()
	waits := effect.Sync(func() (found string) {
		for _, fiber := range monitor.Fibers() {
			if fiber.Name == "reader" {
				found = describe(fiber)
			}
		}
		return found
	})
	look := effect.RepeatWith(waits, effect.RepeatOptions[string]{Until: func(s string) bool { return s != "" }})
	reader := effect.NewDeferred[int]().Await()
	show(effect.Fork(reader, effect.ForkNamed("reader")).AndThen(look).With(effect.Monitoring.Of(monitor)))
	// Output: Success(reader waits in Deferred.Await)
}

// describe says what a fiber waits for, once it does.
func describe(f effect.FiberInfo) string {
	if f.Waits == "" {
		return ""
	}
	return f.Name + " waits in " + f.Waits
}

func ExampleMonitor_Dump() {
	monitor := effect.NewMonitor()
	var dump strings.Builder
	program := effect.Sync(func() error { return monitor.Dump(&dump) })
	show(program.With(effect.Monitoring.Of(monitor)))
	first, _, _ := strings.Cut(dump.String(), " at ")
	fmt.Println(first)
	// Output:
	// Success(<nil>)
	// 1 live fibers
}

// Where a fiber was forked, and by whom.
func ExampleFiberInfo() {
	monitor := effect.NewMonitor()
	show(effect.CurrentID().FlatMap(func(parent errors.FiberID) effect.Effect[bool] {
		return effect.Fork(effect.Sync(func() bool {
			child := monitor.Fibers()[1] // the root is the first
			fmt.Println(child.Kind, child.Name, child.Origin != effect.Place{})
			return child.Parent == parent
		}), effect.ForkNamed("reader")).FlatMap((*effect.Fiber[bool]).Join)
	}).With(effect.Monitoring.Of(monitor)))
	// Output:
	// fiber reader true
	// Success(true)
}
