package effect_test

import (
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func ExampleEffect_CatchCause() {
	report := func(c *errors.Cause) effect.Effect[string] { return effect.Succeed("reported: " + c.Error()) }
	show(effect.Fail[string](io.EOF).CatchCause(report))
	show(effect.Die[string]("nil map").CatchCause(report))
	stopped := effect.FailCause[string](errors.InterruptCause(7))
	show(stopped.CatchCauseIf((*errors.Cause).HasDies, report)) // others pass
	// Output:
	// Success(reported: EOF)
	// Success(reported: defect: nil map)
	// Failure(interrupted by fiber #7)
}

// At the edge of a program a bug is reported, and the next request is served.
func ExampleEffect_CatchDefect() {
	handler := effect.Sync(func() string { panic("nil map") })
	show(handler.CatchDefect(func(defect any) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint("500: ", defect))
	}))
	// Output: Success(500: nil map)
}

func ExampleEffect_MatchCause() {
	status := func(e effect.Effect[int]) effect.Effect[int] {
		return e.MatchCause(
			func(c *errors.Cause) int {
				if c.HasDies() {
					return 500
				}
				return 404
			},
			func(int) int { return 200 })
	}
	show(effect.All([]effect.Effect[int]{status(measure("a.go")), status(measure("notes")), status(effect.Die[int]("nil map"))}))
	// Output: Success([200 404 500])
}

func ExampleEffect_TapCause() {
	log := func(c *errors.Cause) effect.Effect[effect.Unit] { return printing("log: " + c.Error()) }
	show(effect.Die[int]("nil map").TapCause(log).TapDefect(func(defect any) effect.Effect[effect.Unit] {
		return printing(fmt.Sprint("wake somebody up: ", defect))
	}))
	// Output:
	// log: defect: nil map
	// wake somebody up: nil map
	// Failure(defect: nil map)
}
