package effect_test

import (
	"math"
	"slices"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// delays are those of a schedule, asked at most n times without time in between, in milliseconds.
func delays[Out any](t *testing.T, s Schedule[Out], n int) (all []int) {
	t.Helper()
	tapped := s.Times(n).Tap(func(m ScheduleMetadata[Out]) Effect[Unit] {
		all = append(all, int(m.Delay/ms))
		return Succeed(Unit{})
	})
	effecttest.Run(t, Succeed(1).Repeat(tapped))
	return all
}

func wantDelays(t *testing.T, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the delays are %v; want %v", got, want)
	}
}

func TestMaxTakesTheLongerDelayAndEndsWithTheFirst(t *testing.T) {
	wantDelays(t, delays(t, Spaced(20*ms).Times(5).Max(Exponential(10*ms, 2).Times(3)), 10), 20, 20, 40)
}

func TestMinTakesTheShorterDelayAndEndsWithTheLast(t *testing.T) {
	wantDelays(t, delays(t, Spaced(20*ms).Times(3).Min(Exponential(10*ms, 2).Times(5)), 10), 10, 20, 20, 80, 160)
}

func TestConcatEitherTellsWhoseOutputItIs(t *testing.T) {
	var outputs []string
	s := ConcatEither(Recurs(1), Spaced(10*ms).Map(func(ScheduleMetadata[int]) string { return "second" }).Times(1)).
		Tap(func(m ScheduleMetadata[mo.Either[int, string]]) Effect[Unit] {
			if n, ok := m.Output.Left(); ok {
				outputs = append(outputs, effecttest.New().Text(n))
			} else {
				outputs = append(outputs, m.Output.MustRight())
			}
			return Succeed(Unit{})
		})
	effecttest.Run(t, Succeed(1).Repeat(s))
	if want := []string{"0", "second"}; !slices.Equal(outputs, want) {
		t.Errorf("the outputs are %q; want %q", outputs, want)
	}
}

func TestUpToAndDuringCompareTheTimeThatHasPassedWhenTheyDecide(t *testing.T) {
	for name, s := range map[string]Schedule[int]{
		"UpTo":   Spaced(20 * ms).UpTo(50 * ms),
		"During": Spaced(20 * ms).Max(During(50 * ms)).Map(func(m ScheduleMetadata[time.Duration]) int { return m.Attempt - 1 }),
	} {
		runs := 0
		start := time.Duration(0)
		effecttest.Bubble(t, func(t *testing.T) {
			began := time.Now()
			RunExit(t.Context(), Sync(func() int { runs++; return runs }).Repeat(s))
			start = time.Since(began)
		})
		if runs != 4 || start != 60*ms {
			t.Errorf("%s: %d runs in %v; want 4 in 60ms", name, runs, start)
		}
	}
}

func TestDelaysAreAddedToAndModified(t *testing.T) {
	by := func(d time.Duration) func(ScheduleMetadata[int]) Effect[time.Duration] {
		return func(m ScheduleMetadata[int]) Effect[time.Duration] { return Succeed(d * time.Duration(m.Attempt)) }
	}
	wantDelays(t, delays(t, Spaced(10*ms).AddDelay(by(5*ms)), 3), 15, 20, 25)
	wantDelays(t, delays(t, Spaced(10*ms).ModifyDelay(by(5*ms)), 3), 5, 10, 15)
}

func TestElapsedHasTheTimeSinceTheFirstRun(t *testing.T) {
	exit := effecttest.Run(t, Succeed(1).Repeat(Spaced(10*ms).Max(Elapsed()).Times(3).
		Map(func(m ScheduleMetadata[time.Duration]) time.Duration { return m.Elapsed })))
	if exit.Value != 30*ms {
		t.Errorf("the exit is %v; want 30ms", exit)
	}
}

func TestAScheduleIsUsedAnyNumberOfTimesWithoutMemory(t *testing.T) {
	s := Fibonacci(10 * ms).Concat(OnceAfter(time.Second)).Times(4)
	wantDelays(t, delays(t, s, 9), 10, 10, 20, 30)
	wantDelays(t, delays(t, s, 9), 10, 10, 20, 30)
}

func TestTheZeroScheduleIsOver(t *testing.T) {
	var s Schedule[int]
	wantDelays(t, delays(t, s, 9))
	wantDelays(t, delays(t, s.Concat(Spaced(7*ms)).Times(1), 9), 7)
}

func TestDelaysDoNotOverflow(t *testing.T) {
	s := Exponential(time.Hour, 1e9).Max(Fibonacci(math.MaxInt64))
	var longest []time.Duration
	policy := s.Times(3).Tap(func(m ScheduleMetadata[time.Duration]) Effect[Unit] {
		longest = append(longest, m.Delay)
		return Succeed(Unit{})
	}).ModifyDelay(func(ScheduleMetadata[time.Duration]) Effect[time.Duration] { return Succeed(time.Duration(0)) })
	effecttest.Run(t, Succeed(1).Repeat(policy))
	for _, d := range longest {
		if d != math.MaxInt64 {
			t.Errorf("a delay is %v", d)
		}
	}
}

func TestPassThroughHasTheInput(t *testing.T) {
	exit := effecttest.Run(t, Succeed("a").Repeat(PassThrough[string](Recurs(2))))
	if exit.Value != "a" {
		t.Errorf("the exit is %v", exit)
	}
}

func TestTheLastDecisionHasNoDelay(t *testing.T) {
	delays := Spaced(time.Second).Times(1).Map(func(m ScheduleMetadata[int]) time.Duration { return m.Delay })
	if exit := effecttest.Run(t, Succeed("a").Repeat(delays)); exit.Value != 0 || exit.IsFailure() {
		t.Errorf("the last output is %v", exit)
	}
}

func TestPassThroughOfAnotherTypeIsADefect(t *testing.T) {
	if exit := effecttest.Run(t, Succeed("a").Repeat(PassThrough[int](Recurs(2)))); !exit.Cause.HasDies() {
		t.Errorf("the exit is %v", exit)
	}
}

func TestAnEffectfulPredicateEndsTheRetryAsItEnds(t *testing.T) {
	policy := Spaced(0).WhileEffect(func(m ScheduleMetadata[int]) Effect[bool] {
		if m.Attempt == 2 {
			return fail[bool]("predicate")
		}
		return Succeed(true)
	})
	exit := effecttest.Run(t, fail[int]("run").Retry(policy))
	if want := ExitFail[int](E("predicate")); !exit.Equal(want) {
		t.Errorf("the exit is %v; want %v", exit, want)
	}
}

func TestAScheduleOfOnesOwnDecidesOnTheInput(t *testing.T) {
	odd := NewSchedule(func() func(ScheduleInput) (string, time.Duration, bool) {
		return func(in ScheduleInput) (string, time.Duration, bool) { return "last", 0, in.Input.(int)%2 == 1 }
	})
	n := 0
	exit := effecttest.Run(t, Sync(func() int { n++; return n }).Repeat(odd))
	if exit.Value != "last" || n != 2 {
		t.Errorf("the exit is %v after %d runs", exit, n)
	}
}

func TestRetryWithAScheduleAndAPredicateHoldsToBoth(t *testing.T) {
	runs := 0
	failing := Suspend(func() Effect[int] { runs++; return fail[int]("e") })
	effecttest.Run(t, RetryWith(failing, RetryOptions{Schedule: Exponential(ms, 2).Times(3), Times: mo.Some(9)}))
	if runs != 4 {
		t.Errorf("%d runs; want 4", runs)
	}
}

func TestScheduleFromAsksWithTheInitialInput(t *testing.T) {
	exit := effecttest.Run(t, Succeed(2).ScheduleFrom(1, PassThrough[int](Recurs(0))))
	if exit.Value != 1 {
		t.Errorf("the exit is %v", exit)
	}
}

func TestTheMetadataOfAnInnerRetryIsItsOwn(t *testing.T) {
	var seen []int
	inner := CurrentMetadata.Get().Map(func(m ScheduleMetadata[any]) int {
		seen = append(seen, m.Attempt)
		return m.Attempt
	})
	effecttest.Run(t, inner.Repeat(Recurs(1)).Repeat(Recurs(1)))
	if want := []int{0, 1, 0, 1}; !slices.Equal(seen, want) {
		t.Errorf("the attempts are %v; want %v", seen, want)
	}
}

func TestARetryWithoutDelayCanBeInterrupted(t *testing.T) {
	exit := effecttest.Run(t, fail[int]("e").TapError(func(error) Effect[Unit] { return sleep(1) }).Retry(Spaced(0)).Timeout(20*ms))
	if _, timedOut := errors.AsType[*TimeoutError](exit.Cause); !timedOut {
		t.Errorf("the exit is %v", exit)
	}
}
