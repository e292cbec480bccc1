package otel_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func ExampleTracer() {
	ended := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(ended))
	save := effect.Call(func() {}).WithSpan("save")
	program := save.WithSpan("request").With(effect.Tracing.Of(otel.Tracer(provider.Tracer("example"))))
	_, err := program.Run(context.Background())
	for _, span := range ended.GetSpans() {
		fmt.Println(span.Name, span.Status.Code)
	}
	fmt.Println(err)
	// Output:
	// save Unset
	// request Unset
	// <nil>
}

func ExampleMeter() {
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	program := effect.Count("jobs", 3).With(effect.Metering.Of(otel.Meter(provider.Meter("example"))))
	if _, err := program.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	var measured metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &measured); err != nil {
		fmt.Println(err)
	}
	for _, m := range measured.ScopeMetrics[0].Metrics {
		fmt.Println(m.Name, m.Data.(metricdata.Sum[int64]).DataPoints[0].Value)
	}
	// Output: jobs 3
}
