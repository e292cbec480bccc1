package lanes

import (
	"testing"
	"time"
)

func TestTheStatusShowsRunningLanesInStartOrderThenTheQueue(t *testing.T) {
	var b *bench
	onBench(t, Config[string]{MaxConcurrent: 2, Activate: takes(10 * time.Second)}, func(bench *bench) {
		b = bench
		epoch := time.Now()
		b.wake("b")
		b.pass(time.Second)
		b.wake("a")
		b.pass(time.Second)
		b.wake("d", "c", "b")
		b.pass(time.Second)
		s := b.Status()
		if oneLine(s) != "b* a|d c" || s.Closed || s.Draining {
			t.Errorf("got %s", oneLine(s))
		}
		for i, want := range []struct {
			since time.Duration
			phase Phase
		}{{0, Activating}, {time.Second, Activating}, {2 * time.Second, Starting}, {2 * time.Second, Starting}} {
			if got := s.Lanes[i]; got.Since.Sub(epoch) != want.since || got.Phase != want.phase {
				t.Errorf("lane %s: since %v, phase %v; want %v", got.Key, got.Since.Sub(epoch), got.Phase, want)
			}
		}
	})
}

func TestNamesOfStatesPhasesKindsResultsAndReasons(t *testing.T) {
	for got, want := range map[string]string{
		Queued.String(): "queued", Running.String(): "running", State(0).String(): "idle",
		Starting.String(): "start", Activating.String(): "activation", CleaningUp.String(): "clean-up", Exiting.String(): "OnExit", over.String(): "end",
		EventStuck.String(): "stuck", EventKind(99).String(): "",
		WakeStarted.String(): "started", WakeQueued.String(): "queued", WakeCoalesced.String(): "coalesced", WakeResult(0).String(): "refused",
		StopCancel.String(): "cancel", StopClose.String(): "close", StopTimeout.String(): "timeout", StopReason(0).String(): "none",
	} {
		if got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}
