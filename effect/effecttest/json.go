package effecttest

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// JSON is a value as decoded JSON has it, for [Recording]: exits are {_tag: "Success", value} and {_tag: "Failure", cause:
// [{_tag: "Fail", error} | {_tag: "Die", defect} | {_tag: "Interrupt", by}]}, errors {_tag, message}, options {_tag: "Some",
// value} and {_tag: "None"}, results {_tag: "Ok", value} and {_tag: "Err", error}, nil and effect.Unit null.
func (t *Trace) JSON(v any) any {
	switch v := v.(type) {
	case nil, effect.Unit:
		return nil
	case *errors.Cause:
		reasons := []any{}
		for _, r := range v.Reasons() {
			reasons = append(reasons, t.jsonReason(r))
		}
		return reasons
	}
	if x, ok := exitOf(v); ok {
		if x.Cause != nil {
			return map[string]any{"_tag": "Failure", "cause": t.JSON(x.Cause)}
		}
		return map[string]any{"_tag": "Success", "value": t.JSON(x.Value)}
	}
	switch kind, inner, _ := sumOf(v); kind {
	case "None":
		return map[string]any{"_tag": kind}
	case "Some", "Ok":
		return map[string]any{"_tag": kind, "value": t.JSON(inner)}
	case "Err":
		return map[string]any{"_tag": kind, "error": t.JSON(inner)}
	}
	if err, ok := v.(error); ok && !bare(err) {
		tag := "Error"
		if tagged, ok := err.(errors.Tagged); ok {
			tag = tagged.Tag()
		}
		return map[string]any{"_tag": tag, "message": err.Error()}
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Slice, reflect.Array:
		out := make([]any, r.Len())
		for i := range out {
			out[i] = t.JSON(r.Index(i).Interface())
		}
		return out
	case reflect.Struct:
		if pair, ok := pairOf(r); ok {
			return t.JSON(pair)
		}
		out := map[string]any{}
		for f, field := range r.Fields() {
			if f.IsExported() {
				out[fieldName(f)] = t.JSON(field.Interface())
			}
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for k, value := range r.Seq2() {
			out[t.resolve(t.Text(k.Interface()))] = t.JSON(value.Interface())
		}
		return out
	}
	return decoded(v)
}

func (t *Trace) jsonReason(r errors.Reason) any {
	switch r := r.(type) {
	case errors.Fail:
		return map[string]any{"_tag": "Fail", "error": t.JSON(r.Err)}
	case errors.Die:
		return map[string]any{"_tag": "Die", "defect": t.JSON(r.Defect)}
	case errors.Interrupt:
		return map[string]any{"_tag": "Interrupt", "by": t.resolve(marked(r.By))}
	}
	return nil
}

// decoded is v as it comes back from JSON: all numbers are of one type.
func decoded(v any) (out any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.NewDecoder(strings.NewReader(string(text))).Decode(&out)
	}
	if err != nil {
		panic("effecttest: a value that JSON cannot hold: " + err.Error())
	}
	return out
}
