package otel

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/rivus/agentkit/effect"
	otelapi "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// Meter is a meter of effects that writes to OpenTelemetry's instruments, for [effect.Metering]. A counter is an Int64Counter, and a
// timer a Float64Histogram in seconds. An instrument is made when its name is first used.
//
// What OpenTelemetry refuses measures nothing, and the error goes to its handler of errors: a name with a space, or a counter that is
// to fall.
func Meter(m metric.Meter) effect.Meter { return &meter{of: m} }

type meter struct {
	of       metric.Meter
	counters sync.Map // string: metric.Int64Counter
	timers   sync.Map // string: metric.Float64Histogram
}

func (m *meter) Add(ctx context.Context, counter string, n int64, attrs ...slog.Attr) {
	if n < 0 {
		otelapi.Handle(fmt.Errorf("effect/otel: counter %q cannot fall by %d", counter, -n))
		return
	}
	instrument, ok := m.counters.Load(counter)
	if !ok {
		made, err := m.of.Int64Counter(counter)
		if err != nil {
			otelapi.Handle(err)
			made = noop.Int64Counter{}
		}
		instrument, _ = m.counters.LoadOrStore(counter, made)
	}
	instrument.(metric.Int64Counter).Add(ctx, n, metric.WithAttributes(attributes(attrs)...))
}

func (m *meter) Record(ctx context.Context, timer string, d time.Duration, attrs ...slog.Attr) {
	instrument, ok := m.timers.Load(timer)
	if !ok {
		made, err := m.of.Float64Histogram(timer, metric.WithUnit("s"))
		if err != nil {
			otelapi.Handle(err)
			made = noop.Float64Histogram{}
		}
		instrument, _ = m.timers.LoadOrStore(timer, made)
	}
	instrument.(metric.Float64Histogram).Record(ctx, d.Seconds(), metric.WithAttributes(attributes(attrs)...))
}
