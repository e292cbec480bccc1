package errors

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
)

// Error is the reasons on one line, separated by "; ".
func (c *Cause) Error() string {
	if c.IsEmpty() {
		return ErrEmptyCause.Error()
	}
	var b strings.Builder
	for i, r := range c.reasons {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(r.Error())
	}
	return b.String()
}

// Format prints one line for %v and %s, a quoted line for %q, and every reason, defects with their fiber and
// stack, for %+v.
func (c *Cause) Format(f fmt.State, verb rune) {
	switch {
	case verb == 'v' && f.Flag('+'):
		c.writeLong(f)
	case verb == 'q':
		_, _ = io.WriteString(f, strconv.Quote(c.Error()))
	default:
		_, _ = io.WriteString(f, c.Error())
	}
}

func (c *Cause) writeLong(w io.Writer) {
	if c.IsEmpty() {
		_, _ = io.WriteString(w, ErrEmptyCause.Error())
		return
	}
	for i, r := range c.reasons {
		if i > 0 {
			_, _ = io.WriteString(w, "\n")
		}
		_, _ = io.WriteString(w, strings.ReplaceAll(long(r), "\n", "\n    "))
	}
}

// long is a reason with all there is to it.
func long(r Reason) string {
	switch r := r.(type) {
	case Fail:
		if r.Err == nil {
			return r.Error()
		}
		if tag, ok := TagOf(r.Err); ok {
			return fmt.Sprintf("failure %s: %+v", tag, r.Err)
		}
		return fmt.Sprintf("failure: %+v", r.Err)
	case Die:
		text := fmt.Sprintf("defect: %+v", r.Defect)
		if r.Fiber != "" {
			text += "\non fiber " + r.Fiber
		}
		if len(r.Stack) > 0 {
			text += "\n" + strings.TrimRight(string(r.Stack), "\n")
		}
		return text
	}
	return r.Error()
}

// Pretty is one line a reason for people. Interruptions are left out when there is another reason (Effect's Cause.pretty).
func (c *Cause) Pretty() string {
	shown := c.WithoutInterrupts()
	if shown.IsEmpty() {
		shown = c
	}
	lines := make([]string, len(shown.Reasons()))
	for i, r := range shown.Reasons() {
		lines[i] = r.Error()
	}
	return strings.Join(lines, "\n")
}

// LogValue is the reasons as a group of attributes for log/slog.
func (c *Cause) LogValue() slog.Value {
	attrs := make([]slog.Attr, 0, len(c.Reasons()))
	for i, r := range c.Reasons() {
		attrs = append(attrs, slog.Attr{Key: strconv.Itoa(i), Value: slog.GroupValue(reasonAttrs(r)...)})
	}
	return slog.GroupValue(attrs...)
}

func reasonAttrs(r Reason) []slog.Attr {
	switch r := r.(type) {
	case Fail:
		attrs := []slog.Attr{slog.String("reason", "Fail")}
		if r.Err == nil {
			return append(attrs, slog.String("error", r.Error()))
		}
		if tag, ok := TagOf(r.Err); ok {
			attrs = append(attrs, slog.String("tag", tag))
		}
		return append(attrs, slog.Any("error", r.Err))
	case Die:
		attrs := []slog.Attr{slog.String("reason", "Die"), slog.String("defect", fmt.Sprint(r.Defect))}
		if r.Fiber != "" {
			attrs = append(attrs, slog.String("fiber", r.Fiber))
		}
		if len(r.Stack) > 0 {
			attrs = append(attrs, slog.String("stack", string(r.Stack)))
		}
		return attrs
	case Interrupt:
		attrs := []slog.Attr{slog.String("reason", "Interrupt"), slog.Int64("by", int64(r.By))}
		if r.Err != nil {
			attrs = append(attrs, slog.String("error", r.Err.Error()))
		}
		return attrs
	}
	return nil
}

// MarshalJSON is an array with an object a reason: {"_tag":"Fail","tag":…,"error":…}, {"_tag":"Die","defect":…,"fiber":…,"stack":…}
// or {"_tag":"Interrupt","by":…,"error":…}. Errors and defects are their text.
func (c *Cause) MarshalJSON() ([]byte, error) {
	type object struct {
		Kind   string   `json:"_tag"`
		Tag    string   `json:"tag,omitempty"`
		Error  string   `json:"error,omitempty"`
		Defect string   `json:"defect,omitempty"`
		Fiber  string   `json:"fiber,omitempty"`
		Stack  string   `json:"stack,omitempty"`
		By     *FiberID `json:"by,omitempty"`
	}
	out := make([]object, 0, len(c.Reasons()))
	for _, r := range c.Reasons() {
		switch r := r.(type) {
		case Fail:
			tag, _ := TagOf(r.Err)
			out = append(out, object{Kind: "Fail", Tag: tag, Error: r.Error()})
		case Die:
			out = append(out, object{Kind: "Die", Defect: fmt.Sprint(r.Defect), Fiber: r.Fiber, Stack: string(r.Stack)})
		case Interrupt:
			o := object{Kind: "Interrupt", By: &r.By}
			if r.Err != nil {
				o.Error = r.Err.Error()
			}
			out = append(out, o)
		}
	}
	return json.Marshal(out)
}
