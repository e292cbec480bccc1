package otel_test

import (
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
)

// secret shows itself to logs as stars.
type secret string

func (secret) LogValue() slog.Value { return slog.StringValue("***") }

func TestEveryKindOfAttributeHasAFormInOpenTelemetry(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	spans := traced(t, effect.Succeed(effect.Unit{}).WithSpan("s",
		slog.Bool("bool", true), slog.Int("int", -1), slog.Float64("float", 0.5), slog.String("string", "text"),
		slog.Uint64("uint", math.MaxUint64), slog.Time("time", at), slog.Duration("duration", 250*time.Millisecond),
		slog.Any("error", errors.New("no")), slog.Any("texts", []string{"a", "b"}), slog.Any("secret", secret("key")),
		slog.Group("", slog.Int("inlined", 1)), slog.Group("outer", slog.Group("inner", slog.Int("n", 2))), slog.Attr{},
	))
	expectSpans(t, spans, `s internal Unset  bool=true int=-1 float=0.5 string=text uint=18446744073709551615 time=2026-01-02T03:04:05.0000006Z`+
		` duration=0.25 error=no texts=["a","b"] secret=*** inlined=1 outer.inner.n=2`)
}
