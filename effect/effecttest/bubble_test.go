package effecttest_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

func TestRunTakesNoTimeForAnHour(t *testing.T) {
	start := time.Now()
	x := effecttest.Run(t, effect.Sleep(time.Hour).As(7))
	if !x.Equal(effect.ExitSucceed(7)) {
		t.Errorf("got %v", x)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

func TestLeftoverIsEmptyWhenEveryGoroutineEndsInTime(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		go time.Sleep(59 * time.Minute)
		if left := effecttest.Leftover(); left != "" {
			t.Errorf("left over:\n%s", left)
		}
	})
}

func TestLeftoverShowsAGoroutineThatWaitsForEver(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		stop := make(chan struct{})
		go func() { <-stop }()
		if left := effecttest.Leftover(); !strings.Contains(left, "bubble_test.go") || strings.Count(left, "goroutine ") < 1 {
			t.Errorf("left over: %q", left)
		}
		close(stop)
	})
}

func TestLeftoverDoesNotSeeGoroutinesOutsideTheBubble(t *testing.T) {
	stop := make(chan struct{})
	go func() { <-stop }()
	defer close(stop)
	effecttest.Bubble(t, func(t *testing.T) {
		if left := effecttest.Leftover(); left != "" {
			t.Errorf("left over:\n%s", left)
		}
	})
}

func TestLeftoverOutsideABubbleSaysWhatToUse(t *testing.T) {
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "use Run or Bubble") {
			t.Errorf("got %v", r)
		}
	}()
	effecttest.Leftover()
}

func TestABubbleIsASynctestBubble(t *testing.T) {
	effecttest.Bubble(t, func(*testing.T) { synctest.Wait() }) // panics elsewhere
}
