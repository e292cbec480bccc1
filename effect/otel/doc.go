// Package otel has the spans and metrics of package effect in OpenTelemetry.
//
//	program.With(
//		effect.Tracing.Of(otel.Tracer(tracerProvider.Tracer("my/program"))),
//		effect.Metering.Of(otel.Meter(meterProvider.Meter("my/program"))),
//	)
//
// The providers are the application's: it makes them, and shuts them down when the program is over. The context of an effect carries
// the span as OpenTelemetry wants it, so that an instrumented library below finds it, and a span that such a library put into the
// context around a Run is the one above.
//
// It is a module of its own, so that programs without OpenTelemetry do not download it.
package otel
