package effect

import (
	"math"
	"time"
)

// Recurs recurs n times at once: n+1 runs in all. Its output counts the recurrences from zero; the last one is n.
func Recurs(n int) Schedule[int] { return Spaced(0).Times(n) }

// Spaced recurs for ever with a gap of d after each run. Its output counts the recurrences from zero. With a d of zero it is
// Effect's Schedule.forever.
func Spaced(d time.Duration) Schedule[int] {
	return stateless(func(in ScheduleInput) (int, time.Duration, bool) { return in.Attempt - 1, d, true })
}

// Fixed recurs for ever on a grid of d that begins at the end of the first run. After a run that took longer than d the next
// one follows at once, and then the grid holds again: what was missed is not made up. Its output counts the recurrences
// from zero.
func Fixed(d time.Duration) Schedule[int] {
	return NewSchedule(func() func(ScheduleInput) (int, time.Duration, bool) {
		var last time.Time // when the last run was due
		return func(in ScheduleInput) (int, time.Duration, bool) {
			delay := boundary(in.Elapsed, d)
			if d > 0 && in.Attempt > 1 && in.Now.Sub(last) > d {
				delay = 0
			}
			last = in.Now.Add(delay)
			return in.Attempt - 1, delay, true
		}
	})
}

// Windowed recurs for ever at the next boundary of windows of d, counted from the end of the first run. Its output counts the
// recurrences from zero.
func Windowed(d time.Duration) Schedule[int] {
	return stateless(func(in ScheduleInput) (int, time.Duration, bool) {
		return in.Attempt - 1, boundary(in.Elapsed, d), true
	})
}

// boundary is how long it is from elapsed to the next multiple of d.
func boundary(elapsed, d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return d - elapsed%d
}

// Exponential recurs for ever after base, then base × factor, and so on: the delays, which are its output. Effect's factor is 2
// unless it is given.
func Exponential(base time.Duration, factor float64) Schedule[time.Duration] {
	return stateless(func(in ScheduleInput) (time.Duration, time.Duration, bool) {
		delay := clampDuration(float64(base) * math.Pow(factor, float64(in.Attempt-1)))
		return delay, delay, true
	})
}

// Fibonacci recurs for ever after one, one again, and then each time the sum of the last two delays. The delays are its output.
func Fibonacci(one time.Duration) Schedule[time.Duration] {
	return NewSchedule(func() func(ScheduleInput) (time.Duration, time.Duration, bool) {
		a, b := time.Duration(0), one
		return func(ScheduleInput) (time.Duration, time.Duration, bool) {
			delay := b
			a, b = b, clampDuration(float64(a)+float64(b))
			return delay, delay, true
		}
	})
}

// clampDuration is d, or the longest duration where d is longer.
func clampDuration(d float64) time.Duration {
	if d >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(d)
}

// OnceAfter recurs once, after d (Effect's Schedule.duration).
func OnceAfter(d time.Duration) Schedule[time.Duration] {
	return stateless(func(in ScheduleInput) (time.Duration, time.Duration, bool) {
		if in.Attempt > 1 {
			return 0, 0, false
		}
		return d, d, true
	})
}

// Elapsed recurs at once, for ever. Its output is the time since the end of the first run.
func Elapsed() Schedule[time.Duration] {
	return stateless(func(in ScheduleInput) (time.Duration, time.Duration, bool) { return in.Elapsed, 0, true })
}

// During recurs at once while no more than d has passed since the end of the first run. Its output is the time that has.
func During(d time.Duration) Schedule[time.Duration] {
	return stateless(func(in ScheduleInput) (time.Duration, time.Duration, bool) { return in.Elapsed, 0, in.Elapsed <= d })
}

func stateless[Out any](decide func(ScheduleInput) (Out, time.Duration, bool)) Schedule[Out] {
	return NewSchedule(func() func(ScheduleInput) (Out, time.Duration, bool) { return decide })
}
