package cron

import (
	"fmt"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/robfig/cron/v3"
)

var parser = cron.NewParser(cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// ParseError is the failure of [Parse].
type ParseError struct {
	Expression string // what was to be parsed
	Reason     error  // what is wrong with it
}

// Error quotes the expression, says what is wrong with it, and what is expected.
func (e *ParseError) Error() string {
	return fmt.Sprintf("parse cron expression %q: %v; write five fields (minute, hour, day of month, month, day of week) "+
		"or six with the seconds in front", e.Expression, e.Reason)
}

// Tag is "CronParseError".
func (e *ParseError) Tag() string { return "CronParseError" }

// Unwrap is the parser's reason.
func (e *ParseError) Unwrap() error { return e.Reason }

// Parse is the schedule that recurs at the times of a cron expression in the zone (Effect's Schedule.cron). Its output is the
// delay. The expression has five fields (minute, hour, day of month, month, day of week), six with the seconds in front, or is a
// descriptor such as "@daily" or "@every 90s". A nil zone is UTC.
//
// It looks at the clock after each run: a run that takes until after the next time skips it. Where clocks go forward, a time that
// does not exist is skipped; where they go back, a time in the hour that comes twice recurs twice. An expression whose time never
// comes, such as the 30th of February, is over at once. The error is a *[ParseError].
func Parse(expression string, zone *time.Location) (effect.Schedule[time.Duration], error) {
	if zone == nil {
		zone = time.UTC
	}
	times, err := parser.Parse(expression)
	if err != nil {
		return effect.Schedule[time.Duration]{}, &ParseError{expression, err}
	}
	return effect.NewSchedule(func() func(effect.ScheduleInput) (time.Duration, time.Duration, bool) {
		return func(in effect.ScheduleInput) (time.Duration, time.Duration, bool) {
			next := times.Next(in.Now.In(zone))
			if next.IsZero() {
				return 0, 0, false
			}
			delay := next.Sub(in.Now)
			return delay, delay, true
		}
	}), nil
}
