package cron_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/cron"
	"github.com/rivus/agentkit/errors"
)

func ExampleParse() {
	workdays, err := cron.Parse("30 9 * * 1-5", time.UTC)
	if err != nil {
		fmt.Println(err)
		return
	}
	// What would it do? The delays are not waited for here.
	soon := workdays.Times(1).ModifyDelay(func(m effect.ScheduleMetadata[time.Duration]) effect.Effect[time.Duration] {
		next := m.Now.Add(m.Delay).UTC()
		fmt.Println(next.Format("15:04"), next.Weekday() >= time.Monday && next.Weekday() <= time.Friday)
		return effect.Succeed(time.Duration(0))
	})
	_, _ = effect.Succeed("send the report").Repeat(soon).Run(context.Background())
	// Output: 09:30 true
}

func ExampleParseError() {
	_, err := cron.Parse("61 * * * *", nil)
	if wrong, ok := errors.AsType[*cron.ParseError](err); ok {
		fmt.Printf("%q: %v\n", wrong.Expression, wrong.Reason)
	}
	// Output: "61 * * * *": end of range (61) above maximum (59): 61
}
