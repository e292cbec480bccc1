package effect

import (
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Max recurs while both schedules do, after the longer of their delays, which is its output (Effect's Schedule.max, v3's
// intersect).
func (s Schedule[Out]) Max[O any](o Schedule[O]) Schedule[time.Duration] {
	return both(s, o, func(a decision[Out], b decision[O]) (time.Duration, bool) {
		return max(a.delay, b.delay), !a.over && !b.over
	})
}

// Min recurs while one of the schedules does, after the shorter of the delays of those that do, which is its output (Effect's
// Schedule.min, v3's union).
func (s Schedule[Out]) Min[O any](o Schedule[O]) Schedule[time.Duration] {
	return both(s, o, func(a decision[Out], b decision[O]) (time.Duration, bool) {
		switch {
		case a.over:
			return b.delay, !b.over
		case b.over:
			return a.delay, true
		}
		return min(a.delay, b.delay), true
	})
}

// both asks two schedules each time.
func both[A, B any](a Schedule[A], b Schedule[B],
	join func(decision[A], decision[B]) (delay time.Duration, more bool)) Schedule[time.Duration] {
	return Schedule[time.Duration]{func() ask[time.Duration] {
		askA, askB := a.start(), b.start()
		return func(v *env, in *ScheduleInput) (d decision[time.Duration], _ *errors.Cause) {
			fromA, c := askA(v, in)
			if c != nil {
				return d, c
			}
			fromB, c := askB(v, in)
			if c != nil {
				return d, c
			}
			delay, more := join(fromA, fromB)
			if !more {
				d.over = true
				return d, nil
			}
			return decision[time.Duration]{output: delay, delay: delay}, nil
		}
	}}
}

// Concat is s to its end, and then o (Effect's Schedule.concat, v3's andThen).
func (s Schedule[Out]) Concat(o Schedule[Out]) Schedule[Out] {
	return Schedule[Out]{func() ask[Out] {
		first := s.start()
		var second ask[Out]
		var since ScheduleInput // what second is asked with: it counts from where it begins
		return func(v *env, in *ScheduleInput) (decision[Out], *errors.Cause) {
			if second == nil {
				if d, c := first(v, in); c != nil || !d.over {
					return d, c
				}
				second = o.start()
			}
			since.advance(in.Now, in.Input)
			return second(v, &since)
		}
	}}
}

// ConcatEither is [Schedule.Concat] for schedules with different outputs: those of s are left, those of o right (Effect's
// concatResult).
func ConcatEither[A, B any](s Schedule[A], o Schedule[B]) Schedule[mo.Either[A, B]] {
	left := s.Map(func(m ScheduleMetadata[A]) mo.Either[A, B] { return mo.Left[A, B](m.Output) })
	right := o.Map(func(m ScheduleMetadata[B]) mo.Either[A, B] { return mo.Right[A](m.Output) })
	return left.Concat(right)
}
