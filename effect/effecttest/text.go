package effecttest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Err is an expected failure that is nothing but its text, and equal to another with the same text. In traces it is bare.
type Err string

// Error is the text.
func (e Err) Error() string { return string(e) }

// Text is the form of a value in a trace: strings bare; "void" for nil and effect.Unit; "Some(x)" and "None"; "Ok(x)" and
// "Err(x)"; lists and pairs "[a,b]"; records "{k:v}"; durations in milliseconds; exits "Success(v)" and "Failure[reason, …]";
// causes "[reason, …]" of "Fail(e)", "Die(d)" and "Interrupt(who)"; errors "Tag(message)", or "Tag{k:v}" without a message, and
// "Error(message)" without a tag, and the message alone when the error's type is a string or a number.
//
// Who interrupted is a fiber's name, "#" and its number if it has none, "none", or "-1" for the library's own machinery.
func (t *Trace) Text(v any) string {
	switch v := v.(type) {
	case nil, effect.Unit:
		return "void"
	case string:
		return v
	case time.Duration:
		return fmt.Sprint(v.Milliseconds())
	case errors.FiberID:
		return marked(v)
	case *errors.Cause:
		return "[" + t.reasons(v) + "]"
	case errors.Reason:
		return t.reason(v)
	case *effect.Done:
		return v.Tag()
	}
	if x, ok := exitOf(v); ok {
		if x.Cause != nil {
			return "Failure[" + t.reasons(x.Cause) + "]"
		}
		return "Success(" + t.Text(x.Value) + ")"
	}
	if kind, inner, ok := sumOf(v); ok {
		if kind == "None" {
			return kind
		}
		return kind + "(" + t.Text(inner) + ")"
	}
	if err, ok := v.(error); ok {
		return t.failure(err)
	}
	return t.composite(reflect.ValueOf(v))
}

func (t *Trace) reasons(c *errors.Cause) string {
	var out []string
	for _, r := range c.Reasons() {
		out = append(out, t.reason(r))
	}
	return strings.Join(out, ", ")
}

func (t *Trace) reason(r errors.Reason) string {
	switch r := r.(type) {
	case errors.Fail:
		return "Fail(" + t.Text(r.Err) + ")"
	case errors.Die:
		return "Die(" + t.Text(r.Defect) + ")"
	case errors.Interrupt:
		return "Interrupt(" + marked(r.By) + ")"
	}
	return fmt.Sprint(r)
}

func (t *Trace) failure(err error) string {
	if bare(err) {
		return err.Error()
	}
	tag := "Error"
	if tagged, ok := err.(errors.Tagged); ok {
		tag = tagged.Tag()
		if err.Error() == "" {
			return tag + t.composite(reflect.ValueOf(err))
		}
	}
	return tag + "(" + err.Error() + ")"
}

// bare tells whether an error is a plain value that happens to be an error.
func bare(err error) bool {
	switch kind := reflect.ValueOf(err).Kind(); {
	case kind == reflect.String:
		return true
	default:
		return kind >= reflect.Bool && kind <= reflect.Float64
	}
}

func (t *Trace) composite(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return t.Text(v.Elem().Interface())
		}
	case reflect.Slice, reflect.Array:
		out := make([]string, v.Len())
		for i := range out {
			out[i] = t.Text(v.Index(i).Interface())
		}
		return "[" + strings.Join(out, ",") + "]"
	case reflect.Struct:
		if pair, ok := pairOf(v); ok {
			return t.Text(pair)
		}
		var out []string
		for f, field := range v.Fields() {
			if f.IsExported() {
				out = append(out, fieldName(f)+":"+t.Text(field.Interface()))
			}
		}
		return "{" + strings.Join(out, ",") + "}"
	case reflect.Map:
		var out []string
		for k, value := range v.Seq2() {
			out = append(out, t.Text(k.Interface())+":"+t.Text(value.Interface()))
		}
		slices.Sort(out)
		return "{" + strings.Join(out, ",") + "}"
	}
	return fmt.Sprint(v)
}

// fieldName is a field's name in records: ID is id, and FiberName is fiberName.
func fieldName(f reflect.StructField) string {
	if f.Name == strings.ToUpper(f.Name) {
		return strings.ToLower(f.Name)
	}
	return strings.ToLower(f.Name[:1]) + f.Name[1:]
}

// exitOf recognises the exits of all types.
func exitOf(v any) (scope.Exit, bool) {
	switch x := v.(type) {
	case scope.Exit:
		return x, true
	case interface {
		AsUnit() effect.Exit[effect.Unit]
	}:
		return scope.Exit{Value: reflect.ValueOf(x).FieldByName("Value").Interface(), Cause: x.AsUnit().Cause}, true
	}
	return scope.Exit{}, false
}

// sumOf recognises the options and results of all types.
func sumOf(v any) (kind string, inner any, ok bool) {
	get := func(method string) any { return reflect.ValueOf(v).MethodByName(method).Call(nil)[0].Interface() }
	switch x := v.(type) {
	case interface{ IsAbsent() bool }:
		if x.IsAbsent() {
			return "None", nil, true
		}
		return "Some", get("MustGet"), true
	case interface {
		IsError() bool
		Error() error
	}:
		if x.IsError() {
			return "Err", x.Error(), true
		}
		return "Ok", get("MustGet"), true
	}
	return "", nil, false
}

// pairOf recognises the pairs of all types.
func pairOf(v reflect.Value) ([]any, bool) {
	first, second := v.FieldByName("First"), v.FieldByName("Second")
	if v.NumField() != 2 || !first.IsValid() || !second.IsValid() {
		return nil, false
	}
	return []any{first.Interface(), second.Interface()}, true
}
