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
	otelapi "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// measured runs e and returns what was measured, a line for each instrument and each set of attributes.
func measured(t *testing.T, e effect.Effect[effect.Unit]) (lines []string) {
	t.Helper()
	reader := sdk.NewManualReader()
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	effecttest.Run(t, e.With(effect.Metering.Of(otel.Meter(provider.Meter("test")))))
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					lines = append(lines, fmt.Sprintf("%s: %d, rises: %v {%s}", m.Name, p.Value, data.IsMonotonic, p.Attributes.Encoded(attribute.DefaultEncoder())))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					lines = append(lines, fmt.Sprintf("%s: %d of %v%s {%s}", m.Name, p.Count, p.Sum, m.Unit, p.Attributes.Encoded(attribute.DefaultEncoder())))
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func expectMeasured(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCountsOfOneNameAddUpForEachSetOfAttributes(t *testing.T) {
	expectMeasured(t, measured(t, effect.Count("jobs", 2).AndThen(effect.Count("jobs", 3)).AndThen(effect.Count("jobs", 1, slog.String("kind", "a")))),
		"jobs: 1, rises: true {kind=a}", "jobs: 5, rises: true {}")
}

func TestAnEffectIsCountedAndTimedByHowItEnds(t *testing.T) {
	ends := func(e effect.Effect[effect.Unit]) effect.Effect[effect.Unit] {
		return effect.ExitOf(effect.Sleep(250 * time.Millisecond).AndThen(e).Timed("takes").Counted("ends")).AsUnit()
	}
	expectMeasured(t, measured(t, effect.ForEachDiscard([]effect.Effect[effect.Unit]{
		effect.Succeed(effect.Unit{}), effect.Succeed(effect.Unit{}), effect.Fail[effect.Unit](&refused{"late"}),
	}, ends)),
		"ends: 1, rises: true {outcome=failure}", "ends: 2, rises: true {outcome=success}",
		"takes: 1 of 0.25s {outcome=failure}", "takes: 2 of 0.5s {outcome=success}")
}

// heard is what goes to OpenTelemetry's handler of errors while f runs.
func heard(f func()) (errs []string) {
	before := otelapi.GetErrorHandler()
	defer otelapi.SetErrorHandler(before)
	otelapi.SetErrorHandler(otelapi.ErrorHandlerFunc(func(err error) { errs = append(errs, err.Error()) }))
	f()
	return errs
}

func TestWhatOpenTelemetryRefusesIsReportedAndMeasuresNothing(t *testing.T) {
	var lines []string
	errs := heard(func() {
		lines = measured(t, effect.Count("jobs", -1).AndThen(effect.Count("bad name", 1)).AndThen(effect.Succeed(effect.Unit{}).Timed("bad timer")))
	})
	expectMeasured(t, lines)
	if len(errs) != 3 || !strings.Contains(errs[0], `"jobs" cannot fall by 1`) || !strings.Contains(errs[1], "bad name") || !strings.Contains(errs[2], "bad timer") {
		t.Errorf("got the errors %q", errs)
	}
}
