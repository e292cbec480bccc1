package effect

import (
	"time"

	"github.com/rivus/agentkit/errors"
)

// Schedule says whether and when a run is followed by another one. After each run it is asked: it gives an output and a delay,
// or it is over (Effect's Schedule).
//
// A schedule is a value without state: each [Effect.Retry] or [Effect.Repeat] begins it anew, any number at once. It looks at
// the input of the run, the failure in a retry and the value in a repeat, only as an any: the same schedule serves both. The
// zero Schedule is over at once.
type Schedule[Out any] struct{ begin func() ask[Out] }

// ask is a schedule that has begun: it decides what follows a run. Its own functions run in v. It does not keep in.
type ask[Out any] func(v *env, in *ScheduleInput) (decision[Out], *errors.Cause)

type decision[Out any] struct {
	output Out
	delay  time.Duration
	over   bool
}

func (s Schedule[Out]) start() ask[Out] {
	if s.begin == nil {
		return func(*env, *ScheduleInput) (d decision[Out], _ *errors.Cause) {
			d.over = true
			return d, nil
		}
	}
	return s.begin()
}

// ScheduleInput is what a schedule decides on (Effect's InputMetadata).
type ScheduleInput struct {
	Input         any           // what the run that has ended failed with, in a retry, or its value, in a repeat
	Attempt       int           // how many times the schedule has been asked, this time included
	Start         time.Time     // when it was asked first
	Now           time.Time     // when it is asked
	Elapsed       time.Duration // from Start to Now
	SincePrevious time.Duration // since it was asked before; zero the first time
}

// ScheduleMetadata is a decision of a schedule with what it was made on (Effect's Metadata).
type ScheduleMetadata[Out any] struct {
	ScheduleInput
	Output Out           // what the schedule has put out
	Delay  time.Duration // before the next run
}

// advance makes in what the schedule is asked with next.
func (in *ScheduleInput) advance(now time.Time, input any) {
	if in.Attempt == 0 {
		in.Start, in.Now = now, now
	}
	in.Input, in.Attempt = input, in.Attempt+1
	in.Elapsed, in.SincePrevious = now.Sub(in.Start), now.Sub(in.Now)
	in.Now = now
}

// NewSchedule is a schedule of one's own (Effect's fromStepWithMetadata). Each use calls begin, and then the function that it
// returned after each run; more false is the end, with the output but without the delay.
//
// A schedule that runs effects to decide is made with [Schedule.WhileEffect], [Schedule.ModifyDelay] and [Schedule.Tap].
func NewSchedule[Out any](begin func() func(in ScheduleInput) (output Out, delay time.Duration, more bool)) Schedule[Out] {
	return Schedule[Out]{func() ask[Out] {
		decide := begin()
		return func(_ *env, in *ScheduleInput) (d decision[Out], _ *errors.Cause) {
			var more bool
			d.output, d.delay, more = decide(*in)
			d.over = !more
			return d, nil
		}
	}}
}

// CurrentMetadata is the decision that the current run follows: inside an effect that is retried or repeated; the zero value in
// its first run, and outside (Effect's Schedule.CurrentMetadata).
var CurrentMetadata = NewReference("", func() (none ScheduleMetadata[any]) { return none })

// timetable is a schedule in use by a retry or a repeat.
type timetable[Out any] struct {
	ask  ask[Out]
	in   ScheduleInput
	last ScheduleMetadata[Out] // of the last decision to go on; its Attempt is zero without one
}

// wait asks the schedule and sleeps as it says. It is over when the schedule is, with its last output in last.
func (t *timetable[Out]) wait(v *env, input any) (over bool, c *errors.Cause) {
	t.in.advance(time.Now(), input)
	d, c := t.ask(v, &t.in)
	if c != nil {
		return false, c
	}
	if d.over {
		t.last.Output = d.output
		return true, nil
	}
	t.last = ScheduleMetadata[Out]{t.in, d.output, d.delay}
	return false, v.pause(d.delay)
}

// run is the region of the next run.
func (t *timetable[Out]) run(v *env) *env {
	w := &struct { // one allocation
		env     env
		binding binding
		current ScheduleMetadata[any]
	}{env: *v}
	if t.last.Attempt > 0 {
		w.current.ScheduleInput, w.current.Output, w.current.Delay = t.last.ScheduleInput, t.last.Output, t.last.Delay
	}
	w.binding = binding{&CurrentMetadata.key, &w.current, v.services, v.services.watcher()}
	w.env.services, w.env.twin = &w.binding, nil
	return &w.env
}
