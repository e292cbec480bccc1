package effect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

// logged is what was logged, a line each: the level, the message, and the attributes that are asked for.
type logged struct{ text bytes.Buffer }

func (l *logged) handler() slog.Handler {
	return slog.NewJSONHandler(&l.text, &slog.HandlerOptions{AddSource: true, Level: slog.LevelDebug})
}

func (l *logged) with() Binding { return Logging.Of(slog.New(l.handler())) }

func (l *logged) lines(keys ...string) (lines []string) {
	for text := range strings.Lines(l.text.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(text), &record); err != nil {
			return append(lines, err.Error())
		}
		line := fmt.Sprint(record["level"], " ", record["msg"])
		for _, key := range keys {
			line += fmt.Sprintf(" %s=%v", key, record[key])
		}
		lines = append(lines, line)
	}
	return lines
}

func (l *logged) expect(t *testing.T, keys []string, want ...string) {
	t.Helper()
	if got := l.lines(keys...); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEachLevelIsLoggedWithItsArguments(t *testing.T) {
	var l logged
	effecttest.Run(t, seq(
		LogDebug("a", "n", 1), LogInfo("b", "n", 2), LogWarn("c", "n", 3), LogError("d", slog.Int("n", 4)), Log(slog.LevelError+4, "e", "n", 5),
	).With(l.with()))
	l.expect(t, []string{"n"}, "DEBUG a n=1", "INFO b n=2", "WARN c n=3", "ERROR d n=4", "ERROR+4 e n=5")
}

func TestWhatIsBelowTheLevelIsNotLogged(t *testing.T) {
	var l logged
	logger := slog.New(slog.NewJSONHandler(&l.text, &slog.HandlerOptions{Level: slog.LevelWarn}))
	effecttest.Run(t, seq(LogInfo("quiet"), LogWarn("loud")).With(Logging.Of(logger)))
	l.expect(t, nil, "WARN loud")
}

func TestTheSourceOfALineIsWhereItsEffectWasMade(t *testing.T) {
	var l logged
	effecttest.Run(t, LogInfo("here").With(l.with()))
	var record struct{ Source slog.Source }
	if err := json.Unmarshal(l.text.Bytes(), &record); err != nil || filepath.Base(record.Source.File) != "log_test.go" ||
		!strings.HasSuffix(record.Source.Function, "TestTheSourceOfALineIsWhereItsEffectWasMade") {
		t.Errorf("got %+v, %v", record, err)
	}
}

func TestWithoutALoggerTheDefaultOfSlogAtTheTimeIsUsed(t *testing.T) {
	var l logged
	e := LogInfo("to the default")
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(l.handler()))
	effecttest.Run(t, e)
	l.expect(t, nil, "INFO to the default")
}

func TestAnnotationsAddUpAndTravelWithTheFiber(t *testing.T) {
	var l logged
	effecttest.Run(t, Gen(func(do Do) (u Unit, _ error) {
		do.Await(LogInfo("outside"))
		inner := LogInfo("inside").AnnotateLogs(slog.String("inner", "b"))
		child := do.Await(Fork(sleep(1).AndThen(inner)).AnnotateLogs(slog.String("outer", "a")))
		do.Await(LogInfo("beside"))
		do.Await(child.Join())
		return
	}).With(l.with()))
	l.expect(t, []string{"outer", "inner"}, "INFO outside outer=<nil> inner=<nil>", "INFO beside outer=<nil> inner=<nil>", "INFO inside outer=a inner=b")
}

func TestALineSaysWhichFiberAndWhichSpanItIsFrom(t *testing.T) {
	var l logged
	tracer := &recorder{}
	effecttest.Run(t, Gen(func(do Do) (u Unit, _ error) {
		do.Await(LogInfo("root"))
		child := do.Await(Fork(LogInfo("child").AndThen(CurrentID())).WithSpan("work"))
		if id := do.Await(child.Join()).String(); !strings.Contains(strings.Join(l.lines("fiber"), "\n"), "INFO child fiber="+id) {
			t.Errorf("the fiber %s is not in %v", id, l.lines("fiber"))
		}
		return
	}).With(l.with(), Tracing.Of(tracer)))
	l.expect(t, []string{"trace_id", "span_id"}, "INFO root trace_id=<nil> span_id=<nil>", "INFO child trace_id=trace span_id=work")
}

func TestPlainGoLogsWithWhatSurroundsTheEffect(t *testing.T) {
	var l logged
	logger := slog.New(LogHandler(l.handler()))
	logger.InfoContext(t.Context(), "outside")
	effecttest.Run(t, Try(func(ctx context.Context) (u Unit, _ error) {
		logger.InfoContext(ctx, "plain Go")
		logger.With("added", 1).InfoContext(ctx, "derived")
		return
	}).AndThen(LogInfo("effect")).AnnotateLogs(slog.Int("job", 7)).With(Logging.Of(logger)))
	l.expect(t, []string{"job", "added"}, "INFO outside job=<nil> added=<nil>", "INFO plain Go job=7 added=<nil>", "INFO derived job=7 added=1", "INFO effect job=7 added=<nil>")
	if n := strings.Count(l.text.String(), `"job":7`); n != 3 {
		t.Errorf("the annotation is there %d times, in\n%s", n, l.text.String())
	}
}

func TestALogHandlerAddsWithinItsGroup(t *testing.T) {
	var l logged
	logger := slog.New(LogHandler(l.handler())).WithGroup("g")
	effecttest.Run(t, LogInfo("grouped").AnnotateLogs(slog.Int("job", 7)).With(Logging.Of(logger)))
	var record struct{ G map[string]any }
	if err := json.Unmarshal(l.text.Bytes(), &record); err != nil {
		t.Fatal(err)
	}
	if keys := slices.Sorted(maps.Keys(record.G)); !slices.Equal(keys, []string{"fiber", "job"}) {
		t.Errorf("got %v in the group", keys)
	}
}
