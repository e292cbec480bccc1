package lanes

import (
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
)

func TestAnActivationThatIgnoresItsInterruptionIsReportedAgainAndAgain(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, StuckAfter: time.Second, TurnTimeout: mo.Some(time.Minute), Activate: func(string) work {
		return effect.Sleep(2 * time.Minute).Uninterruptible()
	}}, func(b *bench) {
		events := b.subscribe(100).events
		b.wake("a", "a")
		b.pass(time.Minute + 999*time.Millisecond)
		if got := b.warned.String(); got != "" {
			t.Errorf("too early: %s", got)
		}
		var reports []string
		for range 59 {
			b.pass(time.Second)
		}
		for len(events) > 0 {
			if e := <-events; e.Kind == EventStuck {
				reports = append(reports, e.Key+" "+e.Reason.String()+" "+e.Phase.String()+" "+e.Run.String())
			}
		}
		want := []string{"a timeout activation 1s", "a timeout activation 2s", "a timeout activation 4s", "a timeout activation 8s",
			"a timeout activation 16s", "a timeout activation 32s"}
		if strings.Join(reports, "\n") != strings.Join(want, "\n") {
			t.Errorf("got  %q\nwant %q", reports, want)
		}
		if got := b.warned.String(); strings.Count(got, "level=WARN") != 6 || !strings.Contains(got, "key=a phase=activation reason=timeout stopped_ago=32s") {
			t.Errorf("the log says %s", got)
		}
		b.expect("begin a") // it never runs twice at once
		b.pass(time.Second)
		b.expect("a interrupted: timeout", "begin a")
	})
}

func TestAnActivationThatHeedsItsInterruptionInTimeIsNotReported(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
		return effect.Never[unit]().Ensuring(effect.Sleep(9999 * time.Millisecond))
	}}, func(b *bench) {
		b.wake("a")
		b.settle()
		b.Cancel("a").Run(b.ctx)
		b.pass(time.Hour)
		if got := b.warned.String(); got != "" {
			t.Errorf("the log says %s", got)
		}
	})
}

func TestAFinalizerOrAnOnExitThatHangsAfterAStopIsReportedWithItsPhase(t *testing.T) {
	var b *bench
	for phase, config := range map[Phase]Config[string]{
		CleaningUp: {MaxConcurrent: 1, Activate: func(string) work {
			return b.journal.finalizer(time.Minute, "cleaned up").AndThen(effect.Never[unit]())
		}},
		Exiting: {MaxConcurrent: 1, Activate: forEver, OnExit: func(ActivationExit[string]) work { return effect.Sleep(time.Minute) }},
	} {
		t.Run(phase.String(), func(t *testing.T) {
			onBench(t, config, func(bench *bench) {
				b = bench
				b.wake("a")
				b.settle()
				b.background(b.Cancel("a"))
				b.pass(10 * time.Second)
				if got := b.warned.String(); !strings.Contains(got, "key=a phase="+phase.String()+" reason=cancel stopped_ago=10s") {
					t.Errorf("the log says %q", got)
				}
			})
		})
	}
}
