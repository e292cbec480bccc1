// Package cron has schedules from cron expressions, for the retry and repeat of package effect.
//
//	schedule, err := cron.Parse("30 9 * * 1-5", time.UTC)
//	...
//	report.Repeat(schedule) // once now, and then at half past nine on working days
//
// It is a module of its own, so that programs without cron do not download the parser, which is robfig/cron.
package cron
