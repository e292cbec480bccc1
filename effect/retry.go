package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Retry runs e again after a failure, as often and when s says, and ends with the first success or with the last failure. The
// input of s is the failure. Defects and interruptions are not retried.
//
// Each run has ended, its finalizers included, before the delay begins. Delays can be interrupted. A schedule of effects that
// does not succeed ends it so.
func (e Effect[A]) Retry[Out any](s Schedule[Out]) Effect[A] {
	return e.RetryOrElse(s, func(err error, _ Out) Effect[A] { return Fail[A](err) })
}

// RetryOrElse is [Effect.Retry] that goes on with what orElse makes of the last failure and of the last output of s when s is
// over.
func (e Effect[A]) RetryOrElse[Out any](s Schedule[Out], orElse func(error, Out) Effect[A]) Effect[A] {
	return Effect[A]{step: func(v *env) (zero A, _ *errors.Cause, _ step[A]) {
		e := e
		t := timetable[Out]{ask: s.start()}
		for {
			a, c := e.protect(t.run(v))
			if c == nil {
				return a, nil, nil
			}
			if v.uncatchable() {
				return zero, v.skip(c), nil
			}
			err, ok := typedFail(c)
			if !ok {
				return zero, c.Elect(), nil
			}
			over, c := t.wait(v, err)
			switch {
			case c != nil:
				return zero, c, nil
			case over:
				next := orElse(err, t.last.Output)
				return next.tail(v)
			case v.halted():
				return zero, v.pending(), nil
			}
		}
	}}
}

// RetryOptions say when a retry goes on. All that are given must hold; none is for ever, at once.
type RetryOptions struct {
	// Times is how many times to run again at most. Defaults to no limit.
	Times mo.Option[int]
	// While goes on as long as it holds for the failure. Defaults to always.
	While func(error) bool
	// Until goes on until it holds for the failure. Defaults to never.
	Until func(error) bool
	// Schedule says when to run again, and how often. Defaults to at once, for ever.
	Schedule AnySchedule
}

// RetryWith is [Effect.Retry] by options.
func RetryWith[A any](e Effect[A], o RetryOptions) Effect[A] {
	return e.Retry(scheduleOf(o.Schedule, o.Times, asInput(o.While), asInput(o.Until)))
}

// scheduleOf is the schedule that the options of a retry or a repeat mean.
func scheduleOf(base AnySchedule, times mo.Option[int], while, until func(any) bool) Schedule[Unit] {
	s := Spaced(0).discard()
	if base != nil {
		s = base.discard()
	}
	if while != nil {
		s = s.While(func(m ScheduleMetadata[Unit]) bool { return while(m.Input) })
	}
	if until != nil {
		s = s.While(func(m ScheduleMetadata[Unit]) bool { return !until(m.Input) })
	}
	if n, ok := times.Get(); ok {
		s = s.Times(n)
	}
	return s
}

// asInput is a predicate over the input of a schedule.
func asInput[A any](predicate func(A) bool) func(any) bool {
	if predicate == nil {
		return nil
	}
	return func(input any) bool {
		a, _ := input.(A) // a nil of an interface type is no A, and the zero value all the same
		return predicate(a)
	}
}
