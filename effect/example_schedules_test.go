package effect_test

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// printDelays prints the delays that a schedule asks for, without waiting for them.
func printDelays[Out any](s effect.Schedule[Out]) {
	var asked []time.Duration
	noted := s.ModifyDelay(func(m effect.ScheduleMetadata[Out]) effect.Effect[time.Duration] {
		asked = append(asked, m.Delay)
		return effect.Succeed(time.Duration(0))
	})
	_, _ = effect.Succeed(1).Repeat(noted).Run(context.Background())
	fmt.Println(asked)
}

// flaky is an effect that fails n times and then succeeds.
func flaky(n int) effect.Effect[string] {
	runs := 0
	return effect.Suspend(func() effect.Effect[string] {
		if runs++; runs <= n {
			return effect.Fail[string](fmt.Errorf("failure %d", runs))
		}
		return effect.Succeed(fmt.Sprint("run ", runs))
	})
}

func ExampleSchedule() {
	policy := effect.Exponential(time.Millisecond, 2).Jittered().Times(5)
	show(flaky(3).Retry(policy))
	// Output: Success(run 4)
}

func ExampleRecurs() {
	show(flaky(2).Retry(effect.Recurs(3)))
	show(flaky(2).Retry(effect.Recurs(1)))
	show(printing("again").Repeat(effect.Recurs(1)))
	// Output:
	// Success(run 3)
	// Failure(failure 2)
	// again
	// again
	// Success(1)
}

func ExampleExponential() {
	printDelays(effect.Exponential(100*time.Millisecond, 2).Times(5))
	// Output: [100ms 200ms 400ms 800ms 1.6s]
}

func ExampleFibonacci() {
	printDelays(effect.Fibonacci(time.Second).Times(6))
	// Output: [1s 1s 2s 3s 5s 8s]
}

func ExampleSpaced() {
	printDelays(effect.Spaced(time.Minute).Times(3))
	// Output: [1m0s 1m0s 1m0s]
}

func ExampleFixed() {
	// The grid begins at the end of the first run; what a run takes is deducted from the gap after it.
	printDelays(effect.Fixed(time.Second).Times(1))
	show(printing("tick").Repeat(effect.Fixed(time.Millisecond).Times(2)))
	// Output:
	// [1s]
	// tick
	// tick
	// tick
	// Success(2)
}

func ExampleWindowed() {
	printDelays(effect.Windowed(time.Minute).Times(1))
	// Output: [1m0s]
}

func ExampleOnceAfter() {
	printDelays(effect.OnceAfter(time.Second))
	printDelays(effect.OnceAfter(time.Second).Concat(effect.OnceAfter(time.Minute)))
	// Output:
	// [1s]
	// [1s 1m0s]
}

func ExampleDuring() {
	n := 0
	work := effect.Call(func() {
		n++
	})
	passed, _ := work.Repeat(effect.During(time.Millisecond)).Run(context.Background())
	fmt.Println(passed > time.Millisecond, n > 1)
	// Output: true true
}

func ExampleElapsed() {
	late := effect.Elapsed().While(func(m effect.ScheduleMetadata[time.Duration]) bool { return m.Output < time.Millisecond })
	passed, _ := effect.YieldNow().Repeat(late).Run(context.Background())
	fmt.Println(passed >= time.Millisecond)
	// Output: true
}

func ExampleSchedule_Max() {
	// As often as both, after the longer delay: backing off from a floor, four times.
	printDelays(effect.Exponential(100*time.Millisecond, 2).Max(effect.Spaced(300 * time.Millisecond)).Times(4))
	// Output: [300ms 300ms 400ms 800ms]
}

func ExampleSchedule_Min() {
	// As often as one of them, after the shorter delay: backing off up to a ceiling.
	printDelays(effect.Exponential(100*time.Millisecond, 2).Min(effect.Spaced(300 * time.Millisecond)).Times(4))
	// Output: [100ms 200ms 300ms 300ms]
}

func ExampleConcatEither() {
	s := effect.ConcatEither(effect.Recurs(2), effect.OnceAfter(time.Second))
	show(effect.Succeed(1).Repeat(s.ModifyDelay(func(m effect.ScheduleMetadata[mo.Either[int, time.Duration]]) effect.Effect[time.Duration] {
		m.Output.ForEach(
			func(n int) { fmt.Println("at once:", n) },
			func(d time.Duration) { fmt.Println("after", d) })
		return effect.Succeed(time.Duration(0))
	})).AsUnit())
	// Output:
	// at once: 0
	// at once: 1
	// after 1s
	// Success({})
}

func ExamplePassThrough() {
	// The output is the last value, where that of Recurs would be a number.
	show(flaky(0).Repeat(effect.PassThrough[string](effect.Recurs(2))))
	// Output: Success(run 3)
}

func ExampleNewSchedule() {
	countdown := effect.NewSchedule(func() func(effect.ScheduleInput) (int, time.Duration, bool) {
		left := 3 // each use begins anew
		return func(in effect.ScheduleInput) (int, time.Duration, bool) {
			left--
			return left, time.Duration(in.Attempt) * time.Second, left > 0
		}
	})
	printDelays(countdown)
	// Output: [1s 2s]
}

func ExampleScheduleMetadata() {
	report := func(m effect.ScheduleMetadata[time.Duration]) effect.Effect[effect.Unit] {
		return printing(fmt.Sprint(m.Input, "; attempt ", m.Attempt+1, " follows in ", m.Delay))
	}
	show(flaky(2).Retry(effect.Exponential(time.Millisecond, 2).Tap(report)))
	// Output:
	// failure 1; attempt 2 follows in 1ms
	// failure 2; attempt 3 follows in 2ms
	// Success(run 3)
}

func ExampleScheduleInput() {
	run := func(in effect.ScheduleInput) string { return fmt.Sprint("this is run ", in.Attempt+1) }
	which := effect.CurrentMetadata.Get().Map(func(m effect.ScheduleMetadata[any]) string { return run(m.ScheduleInput) })
	show(which.Repeat(effect.PassThrough[string](effect.Recurs(2))))
	// Output: Success(this is run 3)
}

func ExampleAnySchedule() {
	policy := func(patient bool) effect.AnySchedule {
		if patient {
			return effect.Exponential(time.Millisecond, 2).Times(3)
		}
		return effect.Recurs(1)
	}
	show(effect.RetryWith(flaky(2), effect.RetryOptions{Schedule: policy(true)}))
	show(effect.RetryWith(flaky(2), effect.RetryOptions{Schedule: policy(false)}))
	// Output:
	// Success(run 3)
	// Failure(failure 2)
}

func ExampleRetryWith() {
	show(effect.RetryWith(flaky(2), effect.RetryOptions{
		Times: mo.Some(5),
		Until: func(err error) bool { return errors.Is(err, io.EOF) }, // such a failure is final
	}))
	// Output: Success(run 3)
}

func ExampleRepeatWith() {
	show(effect.RepeatWith(flaky(0), effect.RepeatOptions[string]{
		Times: mo.Some(5),
		Until: func(s string) bool { return s == "run 3" },
	}))
	// Output: Success(run 3)
}

func ExampleEffect_RetryOrElse() {
	show(flaky(9).RetryOrElse(effect.Recurs(2), func(err error, tried int) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint("gave up after ", tried, " retries: ", err))
	}))
	// Output: Success(gave up after 2 retries: failure 3)
}

func ExampleEffect_Schedule() {
	// The schedule is asked before the first run too: nothing runs at once.
	show(printing("tick").Schedule(effect.Spaced(time.Millisecond).Times(2)))
	// Output:
	// tick
	// tick
	// Success(2)
}

func ExampleEffect_RepeatOrElse() {
	show(flaky(1).RepeatOrElse(effect.Recurs(3), func(err error, last mo.Option[effect.ScheduleMetadata[int]]) effect.Effect[int] {
		return printing(fmt.Sprint(err, ", before any success: ", last.IsAbsent())).As(-1)
	}))
	// Output:
	// failure 1, before any success: true
	// Success(-1)
}
