package effect

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"github.com/rivus/agentkit/errors"
)

// Logging is the key of the logger that effects log to. Its default is [slog.Default], as it is at the time.
var Logging = &Service[*slog.Logger]{key: key{"effect.Logger"}, fallback: slog.Default}

// annotations are the attributes that [Effect.AnnotateLogs] adds.
var annotations hidden[[]slog.Attr]

// Log is the effect that logs, to the logger of [Logging]. The arguments are those of [slog.Logger.Log]; what surrounds
// the effect is added, see [LogHandler].
func Log(level slog.Level, msg string, args ...any) Effect[Unit] { return logAt(level, msg, args) }

// LogDebug is [Log] at the level Debug.
func LogDebug(msg string, args ...any) Effect[Unit] { return logAt(slog.LevelDebug, msg, args) }

// LogInfo is [Log] at the level Info.
func LogInfo(msg string, args ...any) Effect[Unit] { return logAt(slog.LevelInfo, msg, args) }

// LogWarn is [Log] at the level Warn.
func LogWarn(msg string, args ...any) Effect[Unit] { return logAt(slog.LevelWarn, msg, args) }

// LogError is [Log] at the level Error.
func LogError(msg string, args ...any) Effect[Unit] { return logAt(slog.LevelError, msg, args) }

// logAt is called by the function whose caller is the source.
func logAt(level slog.Level, msg string, args []any) Effect[Unit] {
	var source [1]uintptr
	runtime.Callers(3, source[:])
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		handler := v.logger().Handler()
		if !handler.Enabled(v, level) {
			return u, nil
		}
		r := slog.NewRecord(time.Now(), level, msg, source[0])
		r.Add(args...)
		if _, adds := handler.(*logHandler); !adds {
			r.AddAttrs(v.logAttrs()...)
		}
		_ = handler.Handle(v, r) // as log/slog does: there is nobody to tell
		return u, nil
	}}
}

// AnnotateLogs is e, with these attributes in all that is logged within, also by fibers that it forks (Effect's annotateLogs).
func (e Effect[A]) AnnotateLogs[T interface{ slog.Attr }](attrs ...T) Effect[A] {
	inner := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		inner[i] = slog.Attr(a)
	}
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		outer, _ := annotations.in(v.services)
		return e.deeper(v.with(v.scope, v.services.bind([]Binding{annotations.of(slices.Concat(outer, inner))})))
	}}
}

//go:noinline
func (v *env) logger() *slog.Logger {
	logger, _ := Logging.in(v.services)
	return logger
}

// logAttrs is what surrounds a region: its fiber, its span and its annotations.
func (v *env) logAttrs() []slog.Attr {
	attrs := []slog.Attr{slog.String("fiber", v.fiber.id.String())}
	if span, ok := currentSpan.in(v.services); ok {
		id := span.ID()
		attrs = append(attrs, slog.String("trace_id", id.Trace), slog.String("span_id", id.Span))
	}
	annotated, _ := annotations.in(v.services)
	return append(attrs, annotated...)
}

// LogHandler is h, with what surrounds the effect added to what is logged with its context: the fiber, the ids of the span, and
// the annotations. So plain Go inside an effect may log with slog.InfoContext(ctx, …) and say where it belongs.
func LogHandler(h slog.Handler) slog.Handler { return &logHandler{h} }

type logHandler struct{ slog.Handler }

// Handle adds the attributes.
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	if v, _ := envOf(ctx); v != nil {
		r = r.Clone()
		r.AddAttrs(v.logAttrs()...)
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps adding.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return LogHandler(h.Handler.WithAttrs(attrs))
}

// WithGroup keeps adding, within the group.
func (h *logHandler) WithGroup(name string) slog.Handler {
	return LogHandler(h.Handler.WithGroup(name))
}
