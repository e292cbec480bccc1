package otel

import (
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
)

// attributes are attrs for OpenTelemetry, which knows neither times nor durations nor groups: a duration is its seconds, a time its
// text, and a member of a group has the group's name and a dot before its own.
func attributes(attrs []slog.Attr) []attribute.KeyValue {
	return appendAttributes(make([]attribute.KeyValue, 0, len(attrs)), "", attrs)
}

func appendAttributes(to []attribute.KeyValue, prefix string, attrs []slog.Attr) []attribute.KeyValue {
	for _, a := range attrs {
		value := a.Value.Resolve()
		switch {
		case value.Kind() == slog.KindGroup && a.Key == "": // inlined, as log/slog does
			to = appendAttributes(to, prefix, value.Group())
		case value.Kind() == slog.KindGroup:
			to = appendAttributes(to, prefix+a.Key+".", value.Group())
		case a.Key != "":
			to = append(to, attribute.KeyValue{Key: attribute.Key(prefix + a.Key), Value: converted(value)})
		}
	}
	return to
}

func converted(value slog.Value) attribute.Value {
	switch value.Kind() {
	case slog.KindBool:
		return attribute.BoolValue(value.Bool())
	case slog.KindInt64:
		return attribute.Int64Value(value.Int64())
	case slog.KindFloat64:
		return attribute.Float64Value(value.Float64())
	case slog.KindDuration:
		return attribute.Float64Value(value.Duration().Seconds())
	case slog.KindTime:
		return attribute.StringValue(value.Time().Format(time.RFC3339Nano))
	case slog.KindAny:
		if texts, ok := value.Any().([]string); ok {
			return attribute.StringSliceValue(texts)
		}
		return attribute.StringValue(fmt.Sprint(value.Any()))
	}
	return attribute.StringValue(value.String()) // strings, and numbers above those of int64
}
