package effect_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

// tally is a meter that writes down what it is told.
type tally struct {
	mu    sync.Mutex
	lines []string
}

func (m *tally) note(name string, what any, attrs []slog.Attr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines = append(m.lines, fmt.Sprint(name, " ", what, " ", attrs))
}

func (m *tally) Add(_ context.Context, counter string, n int64, attrs ...slog.Attr) {
	m.note(counter, n, attrs)
}

func (m *tally) Record(_ context.Context, timer string, d time.Duration, attrs ...slog.Attr) {
	m.note(timer, d, attrs)
}

func (m *tally) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(m.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(m.lines, "\n"), strings.Join(want, "\n"))
	}
}

// ends are the four ways in which an effect can end, each after ten milliseconds.
func ends() []Effect[Unit] {
	return []Effect[Unit]{
		sleep(10), sleep(10).AndThen(fail[Unit]("no")), sleep(10).AndThen(Sync(func() Unit { panic("bug") })),
		Fork(Never[Unit]()).FlatMap(func(f *Fiber[Unit]) Effect[Unit] { return sleep(10).AndThen(f.InterruptFork()).AndThen(f.Join()) }),
	}
}

func TestCountAddsToACounter(t *testing.T) {
	m := &tally{}
	effecttest.Run(t, Count("jobs", 3, slog.String("kind", "a")).AndThen(Count("jobs", -1)).With(Metering.Of(m)))
	m.expect(t, "jobs 3 [kind=a]", "jobs -1 []")
}

func TestAnEffectIsCountedByHowItEnds(t *testing.T) {
	m := &tally{}
	for _, e := range ends() {
		effecttest.Run(t, e.Counted("ends", slog.Int("n", 1)).With(Metering.Of(m)))
	}
	m.expect(t, "ends 1 [outcome=success n=1]", "ends 1 [outcome=failure n=1]", "ends 1 [outcome=defect n=1]", "ends 1 [outcome=interruption n=1]")
}

func TestTheTimeOfAnEffectIsRecordedWithHowItEnds(t *testing.T) {
	m := &tally{}
	for _, e := range ends() {
		effecttest.Run(t, e.Timed("takes", slog.Int("n", 1)).With(Metering.Of(m)))
	}
	m.expect(t, "takes 10ms [outcome=success n=1]", "takes 10ms [outcome=failure n=1]", "takes 10ms [outcome=defect n=1]", "takes 10ms [outcome=interruption n=1]")
}

func TestAnEffectThatIsInterruptedFromOutsideIsCounted(t *testing.T) {
	m := &tally{}
	effecttest.Run(t, sleep(20).Timed("takes").Counted("ends").Timeout(5*ms).With(Metering.Of(m)))
	m.expect(t, "takes 5ms [outcome=interruption]", "ends 1 [outcome=interruption]")
}

func TestWithoutAMeterNothingIsMeasured(t *testing.T) {
	exit := effecttest.Run(t, Count("jobs", 1).AndThen(Succeed(2)).Counted("ends").Timed("takes"))
	if exit.Value != 2 {
		t.Errorf("got %v", exit)
	}
}
