package effect

import (
	"math/rand/v2"
	"time"

	"github.com/rivus/agentkit/errors"
)

// altered is s with f applied to each decision; f sees it also when s is over.
func altered[Out, B any](s Schedule[Out],
	f func(v *env, m ScheduleMetadata[Out], over bool) (decision[B], *errors.Cause)) Schedule[B] {
	return Schedule[B]{func() ask[B] {
		decide := s.start()
		return func(v *env, in *ScheduleInput) (none decision[B], _ *errors.Cause) {
			d, c := decide(v, in)
			if c != nil {
				return none, c
			}
			if d.over {
				d.delay = 0 // nothing follows it
			}
			return f(v, ScheduleMetadata[Out]{*in, d.output, d.delay}, d.over)
		}
	}}
}

// decided is [altered] for the decisions to go on. f may change them.
func (s Schedule[Out]) decided(f func(v *env, m ScheduleMetadata[Out], d *decision[Out]) *errors.Cause) Schedule[Out] {
	return altered(s, func(v *env, m ScheduleMetadata[Out], over bool) (decision[Out], *errors.Cause) {
		d := decision[Out]{m.Output, m.Delay, over}
		if over {
			return d, nil
		}
		return d, f(v, m, &d)
	})
}

// Map is s with f applied to its outputs, the last one included.
func (s Schedule[Out]) Map[B any](f func(ScheduleMetadata[Out]) B) Schedule[B] {
	return altered(s, func(_ *env, m ScheduleMetadata[Out], over bool) (decision[B], *errors.Cause) {
		return decision[B]{f(m), m.Delay, over}, nil
	})
}

// PassThrough is s with its input as output: the failures in a retry, the values in a repeat. An input that is no In is a
// defect.
func PassThrough[In, Out any](s Schedule[Out]) Schedule[In] {
	return s.Map(func(m ScheduleMetadata[Out]) In {
		in, _ := m.Input.(In)
		if _, ok := m.Input.(In); !ok && m.Input != nil {
			panic(m.Input.(In)) // the runtime's own message names both types
		}
		return in
	})
}

// While is s as long as the predicate holds, which sees each decision.
func (s Schedule[Out]) While(predicate func(ScheduleMetadata[Out]) bool) Schedule[Out] {
	return s.decided(func(_ *env, m ScheduleMetadata[Out], d *decision[Out]) *errors.Cause {
		d.over = !predicate(m)
		return nil
	})
}

// WhileEffect is [Schedule.While] with a predicate that is an effect. If it does not succeed, the retry or repeat ends so.
func (s Schedule[Out]) WhileEffect(predicate func(ScheduleMetadata[Out]) Effect[bool]) Schedule[Out] {
	return s.decided(func(v *env, m ScheduleMetadata[Out], d *decision[Out]) *errors.Cause {
		e := predicate(m)
		more, c := e.deeper(v)
		d.over = !more
		return c
	})
}

// Times is s for n recurrences at most.
func (s Schedule[Out]) Times(n int) Schedule[Out] {
	return Schedule[Out]{func() ask[Out] { // what While would do, but most schedules are made with this one
		decide := s.start()
		return func(v *env, in *ScheduleInput) (decision[Out], *errors.Cause) {
			d, c := decide(v, in)
			d.over = d.over || in.Attempt > n
			return d, c
		}
	}}
}

// UpTo is s while no more than d has passed since the end of the first run. The delay does not count: the last run may begin
// later.
func (s Schedule[Out]) UpTo(d time.Duration) Schedule[Out] {
	return s.While(func(m ScheduleMetadata[Out]) bool { return m.Elapsed <= d })
}

// Tap runs the effect that f makes of each decision to go on. If it does not succeed, the retry or repeat ends so.
func (s Schedule[Out]) Tap[B any](f func(ScheduleMetadata[Out]) Effect[B]) Schedule[Out] {
	return s.decided(func(v *env, m ScheduleMetadata[Out], _ *decision[Out]) *errors.Cause {
		e := f(m)
		_, c := e.deeper(v)
		return c
	})
}

// ModifyDelay is s with the delays that the effects have which f makes.
func (s Schedule[Out]) ModifyDelay(f func(ScheduleMetadata[Out]) Effect[time.Duration]) Schedule[Out] {
	return s.decided(func(v *env, m ScheduleMetadata[Out], d *decision[Out]) (c *errors.Cause) {
		e := f(m)
		d.delay, c = e.deeper(v)
		return c
	})
}

// AddDelay is s with the delays that the effects have which f makes added to its own.
func (s Schedule[Out]) AddDelay(f func(ScheduleMetadata[Out]) Effect[time.Duration]) Schedule[Out] {
	return s.ModifyDelay(func(m ScheduleMetadata[Out]) Effect[time.Duration] {
		return f(m).Map(func(more time.Duration) time.Duration { return clampDuration(float64(m.Delay) + float64(more)) })
	})
}

// Jittered is s with each delay multiplied by a random factor between 0.8 and 1.2, so that those who failed together do not
// come back together.
func (s Schedule[Out]) Jittered() Schedule[Out] {
	return s.decided(func(_ *env, m ScheduleMetadata[Out], d *decision[Out]) *errors.Cause {
		d.delay = clampDuration(float64(m.Delay) * (0.8 + 0.4*rand.Float64()))
		return nil
	})
}

// AnySchedule is a schedule whatever its output: what [RetryOptions] and [RepeatOptions] take.
type AnySchedule interface{ discard() Schedule[Unit] }

func (s Schedule[Out]) discard() Schedule[Unit] {
	return s.Map(func(ScheduleMetadata[Out]) Unit { return Unit{} })
}
