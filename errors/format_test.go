package errors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rivus/agentkit/errors"
)

var update = flag.Bool("update", false, "write the golden texts")

// golden compares a text with the golden file of the test.
func golden(t *testing.T, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(t.Name(), "/", "_")+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// samples are causes of every kind.
var samples = []*errors.Cause{
	nil,
	errors.NewCause(fail("e")),
	errors.FailCause(nil),
	errors.FailCause(fmt.Errorf("take the lock: %w", &held{"pid 7 since 12:00"})),
	errors.NewCause(die("boom"), errors.Die{Defect: fmt.Errorf("index out of range"), Stack: []byte("goroutine 7 [running]:\nmain.f()\n\t/src/main.go:7\n")}),
	errors.NewCause(errors.Die{Defect: "boom", Stack: []byte("goroutine 9 [running]:\nmain.g()\n\t/src/main.go:9\n"), Fiber: `#9, part of #7 "worker"`}),
	errors.NewCause(interrupt(3), interrupt(errors.InternalFiber), interrupt(0)),
	errors.NewCause(errors.Interrupt{Kind: context.DeadlineExceeded, Err: text("too slow")}, fail("e")),
	errors.FailCause(errors.NewCause(die("inner"))),
	errors.NewCause(errors.Fail{Err: text("two\nlines \"quoted\"")}),
}

func TestCauseTexts(t *testing.T) {
	for name, text := range map[string]func(*errors.Cause) string{
		"one line":  func(c *errors.Cause) string { return fmt.Sprintf("%v", c) },
		"long":      func(c *errors.Cause) string { return fmt.Sprintf("%+v", c) },
		"quoted":    func(c *errors.Cause) string { return fmt.Sprintf("%q", c) },
		"pretty":    (*errors.Cause).Pretty,
		"JSON":      inJSON,
		"slog text": func(c *errors.Cause) string { return logged(c, textHandler) },
		"slog JSON": func(c *errors.Cause) string { return logged(c, jsonHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			var all strings.Builder
			for _, c := range samples {
				all.WriteString(text(c) + "\n--\n")
			}
			golden(t, all.String())
		})
	}
}

func TestTheStringVerbIsTheOneLineForm(t *testing.T) {
	c := errors.NewCause(fail("e"), die("d"))
	if got := fmt.Sprintf("%s", c); got != c.Error() {
		t.Errorf("got %q; want %q", got, c.Error())
	}
}

func inJSON(c *errors.Cause) string {
	out, err := c.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(out)
}

func textHandler(w *bytes.Buffer, o *slog.HandlerOptions) slog.Handler {
	return slog.NewTextHandler(w, o)
}

func jsonHandler(w *bytes.Buffer, o *slog.HandlerOptions) slog.Handler {
	return slog.NewJSONHandler(w, o)
}

// logged is the line that a logger writes, without its time.
func logged(c *errors.Cause, handler func(*bytes.Buffer, *slog.HandlerOptions) slog.Handler) string {
	var out bytes.Buffer
	slog.New(handler(&out, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})).Error("failed", "cause", c)
	return strings.TrimSpace(out.String())
}

func FuzzCauseFormats(f *testing.F) {
	f.Add("e", "d", "stack")
	f.Add("", "\x00", "\n")
	f.Add("\xff\xfe", `"}`, "\r\n\n")
	f.Fuzz(func(t *testing.T, failure, defect, stack string) {
		c := errors.NewCause(fail(failure), errors.Die{Defect: defect, Stack: []byte(stack)})
		line, long := fmt.Sprintf("%v", c), fmt.Sprintf("%+v", c)
		for _, part := range []string{failure, defect} {
			if !strings.Contains(line, part) || !strings.Contains(long, strings.ReplaceAll(part, "\n", "\n    ")) {
				t.Errorf("%q is missing in %q or in %q", part, line, long)
			}
		}
		out, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back []map[string]string
		if err := json.Unmarshal(out, &back); err != nil || len(back) != 2 {
			t.Fatalf("%s is not a list of two: %v", out, err)
		}
		if want := throughJSON(t, failure); back[0]["error"] != want {
			t.Errorf("%q became %q; want %q", failure, back[0]["error"], want)
		}
	})
}

// throughJSON is what JSON makes of a text.
func throughJSON(t *testing.T, s string) (back string) {
	out, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(out, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}
