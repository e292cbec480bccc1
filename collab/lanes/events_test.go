package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
)

// line is an event in words.
func line(e Event[string]) string {
	words := []string{e.Kind.String(), e.Key}
	if e.Wait != 0 {
		words = append(words, "wait", e.Wait.String())
	}
	if e.Run != 0 {
		words = append(words, "run", e.Run.String())
	}
	if e.Reason != 0 {
		words = append(words, "reason", e.Reason.String())
	}
	if e.Exit != nil {
		words = append(words, "exit", e.Exit.Tag())
	}
	if tag, ok := errors.TagOf(e.Err); ok {
		words = append(words, tag)
	}
	return fmt.Sprintf("%s (%d %d)", strings.Join(words, " "), e.Running, e.Queued)
}

func drained(events <-chan Event[string]) (lines []string) {
	for len(events) > 0 {
		lines = append(lines, line(<-events))
	}
	return lines
}

func TestTheStreamTellsWhatHappensInItsOrderWithWaitAndRunTimes(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(2), Activate: takes(time.Second)}, func(b *bench) {
		events, err := b.Subscribe(100).Run(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.wake("a", "b")
		b.pass(250 * time.Millisecond)
		b.wake("a", "a", "c")
		b.WakeNow("d")
		b.pass(2 * time.Second)
		b.Cancel("a").Run(b.ctx)
		b.pass(250 * time.Millisecond)
		b.wake("c", "e")
		b.Close().Run(b.ctx)
		got := drained(events)
		want := []string{
			"started a (1 0)",
			"queued b (1 1)",
			"coalesced a (1 1)",
			"coalesced a (1 1)",
			"queued c (1 2)",
			"refused d LaneQueueFull (1 2)",
			"ended a run 1s exit ActivationSucceeded (1 2)",
			"queued a (1 2)",
			"started b wait 1s (1 2)",
			"ended b wait 1s run 1s exit ActivationSucceeded (1 1)",
			"started c wait 1.75s (1 1)",
			"dropped a reason cancel (1 0)",
			"coalesced c (1 0)",
			"queued e (1 1)",
			"dropped c reason close (1 0)",
			"dropped e reason close (1 0)",
			"stopped c reason close (1 0)",
			"ended c wait 1.75s run 500ms exit ActivationInterrupted (0 0)",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if _, open := <-events; open {
			t.Error("the stream of closed lanes is open")
		}
	})
}

func TestASlowSubscriberNeverBlocksTheLanesAndLearnsWhatItMissed(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		slow, err := b.Subscribe(0).Run(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			b.wake("a")
		}
		if got := line(<-slow); got != "started a (1 0)" {
			t.Errorf("got %s", got)
		}
		b.pass(time.Second)
		e := <-slow
		if e.Kind != EventEnded || e.Missed != 9 {
			t.Errorf("got %s after %d missed; want ended after 9", line(e), e.Missed)
		}
	})
}

func TestASubscriptionEndsWithItsScopeAndTheOthersGoOn(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		stays := b.subscribe(10).events
		var left <-chan Event[string]
		_, err := b.Subscribe(10).Map(func(c <-chan Event[string]) unit { left = c; return unit{} }).Scoped().Run(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.wake("a")
		if _, open := <-left; open {
			t.Error("the stream is open after its scope has closed")
		}
		if got := drained(stays); len(got) != 1 {
			t.Errorf("the other got %q", got)
		}
	})
}

func TestASubscriptionToLanesThatAreOverIsClosed(t *testing.T) {
	onBench(t, Config[string]{MaxConcurrent: 1, Activate: takes(time.Second)}, func(b *bench) {
		b.Close().Run(b.ctx)
		events, err := b.Subscribe(10).Run(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, open := <-events; open {
			t.Error("it is open")
		}
	})
}
