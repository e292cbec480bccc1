package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Repeat runs e, and again after each success as often and when s says. Its value is the last output of s, not that of e. The
// input of s is e's value. The first failure ends it.
//
// Delays can be interrupted. A schedule of effects that does not succeed ends it so.
func (e Effect[A]) Repeat[Out any](s Schedule[Out]) Effect[Out] {
	return Effect[Out]{eval: func(v *env) (Out, *errors.Cause) {
		_, out, c := e.repeat(v, &timetable[Out]{ask: s.start()})
		return out, c
	}}
}

// RepeatOrElse is [Effect.Repeat] that goes on with what orElse makes of the failure, of e or of the schedule, and of the last
// decision of s: none if e has failed the first time.
func (e Effect[A]) RepeatOrElse[Out any](s Schedule[Out],
	orElse func(error, mo.Option[ScheduleMetadata[Out]]) Effect[Out]) Effect[Out] {
	return Suspend(func() Effect[Out] {
		t := &timetable[Out]{ask: s.start()}
		repeated := Effect[Out]{eval: func(v *env) (Out, *errors.Cause) {
			_, out, c := e.repeat(v, t)
			return out, c
		}}
		return repeated.Catch(func(err error) Effect[Out] {
			if t.last.Attempt == 0 {
				return orElse(err, mo.None[ScheduleMetadata[Out]]())
			}
			return orElse(err, mo.Some(t.last))
		})
	})
}

// repeat has the last value of e and the last output of the schedule.
func (e *Effect[A]) repeat[Out any](v *env, t *timetable[Out]) (a A, out Out, c *errors.Cause) {
	for {
		if a, c = e.deeper(t.run(v)); c != nil {
			return a, out, c
		}
		over, c := t.wait(v, a)
		switch {
		case c != nil:
			return a, out, c
		case over:
			return a, t.last.Output, nil
		case v.halted():
			return a, out, v.pending()
		}
	}
}

// RepeatOptions say when a repeat goes on. All that are given must hold; none is for ever, at once.
type RepeatOptions[A any] struct {
	// Times is how many times to run again at most. Defaults to no limit.
	Times mo.Option[int]
	// While goes on as long as it holds for the value. Defaults to always.
	While func(A) bool
	// Until goes on until it holds for the value. Defaults to never.
	Until func(A) bool
	// Schedule says when to run again, and how often. Defaults to at once, for ever.
	Schedule AnySchedule
}

// RepeatWith is [Effect.Repeat] by options. Its value is the last one of e.
func RepeatWith[A any](e Effect[A], o RepeatOptions[A]) Effect[A] {
	s := scheduleOf(o.Schedule, o.Times, asInput(o.While), asInput(o.Until))
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		a, _, c := e.repeat(v, &timetable[Unit]{ask: s.start()})
		return a, c
	}}
}

// Schedule runs e as often and when s says, asking s before the first run too. Its value is the last output of s.
func (e Effect[A]) Schedule[Out any](s Schedule[Out]) Effect[Out] { return e.scheduled(nil, s) }

// ScheduleFrom is [Effect.Schedule] with the input that s is asked with before the first run.
func (e Effect[A]) ScheduleFrom[Out any](initial A, s Schedule[Out]) Effect[Out] {
	return e.scheduled(initial, s)
}

func (e Effect[A]) scheduled[Out any](initial any, s Schedule[Out]) Effect[Out] {
	return Effect[Out]{eval: func(v *env) (out Out, _ *errors.Cause) {
		t := &timetable[Out]{ask: s.start()}
		over, c := t.wait(v, initial)
		switch {
		case c != nil:
			return out, c
		case over:
			return t.last.Output, nil
		}
		_, out, c = e.repeat(v, t)
		return out, c
	}}
}
