package effect

import (
	"context"
	"log/slog"
	"time"

	"github.com/rivus/agentkit/errors"
)

// Meter counts and times: the port to a system of metrics. The module effect/otel has one for OpenTelemetry. Its methods are
// called from several goroutines.
type Meter interface {
	// Add adds n to a counter.
	Add(ctx context.Context, counter string, n int64, attrs ...slog.Attr)
	// Record adds a duration to a timer.
	Record(ctx context.Context, timer string, d time.Duration, attrs ...slog.Attr)
}

// Metering is the key of the meter that effects count and time with. Without one they do not.
var Metering = NewService[Meter]("effect.Meter")

//go:noinline
func (v *env) meter() (Meter, bool) { return Metering.in(v.services) }

// Count adds n to a counter.
func Count(counter string, n int64, attrs ...slog.Attr) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		if m, ok := v.meter(); ok {
			m.Add(v, counter, n, attrs...)
		}
		return u, nil
	}}
}

// Counted is e, with its end counted. The attribute "outcome" says which: "success", "failure", "defect" or "interruption".
func (e Effect[A]) Counted[N ~string](counter N, attrs ...slog.Attr) Effect[A] {
	return e.measured(func(v *env, m Meter, c *errors.Cause, _ time.Duration) {
		m.Add(v, string(counter), 1, append([]slog.Attr{outcome(c)}, attrs...)...)
	})
}

// Timed is e, with the time it takes recorded (Effect's trackDuration). The attribute "outcome" says how it ended, as with
// [Effect.Counted].
func (e Effect[A]) Timed[N ~string](timer N, attrs ...slog.Attr) Effect[A] {
	return e.measured(func(v *env, m Meter, c *errors.Cause, d time.Duration) {
		m.Record(v, string(timer), d, append([]slog.Attr{outcome(c)}, attrs...)...)
	})
}

func (e Effect[A]) measured[F ~func(*env, Meter, *errors.Cause, time.Duration)](note F) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		m, ok := v.meter()
		if !ok {
			return e.deeper(v)
		}
		start := time.Now()
		return e.guard(v, func(_ A, c *errors.Cause) *errors.Cause {
			note(v, m, c, time.Since(start))
			return c
		})
	}}
}

func outcome(c *errors.Cause) slog.Attr {
	text := "success"
	switch {
	case c.HasDies():
		text = "defect"
	case c.HasFails():
		text = "failure"
	case c != nil:
		text = "interruption"
	}
	return slog.String("outcome", text)
}
