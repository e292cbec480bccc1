// Command twice is one program in two languages: this file in Go, and program.ts.txt beside it in TypeScript with Effect. Both
// have the same parts in the same order, and print the same.
//
//	go run ./examples/twice
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Busy and Unknown are failures. In TypeScript they are in the type of an effect, here they are in its comment.
type Busy struct{ Room string }

func (e *Busy) Tag() string   { return "Busy" }
func (e *Busy) Error() string { return e.Room + ": busy, ask again" }

type Unknown struct{ Room string }

func (e *Unknown) Tag() string   { return "Unknown" }
func (e *Unknown) Error() string { return e.Room + ": there is no such room" }

// A measurer measures rooms: some at once, some when asked again, some not in time, some never. It fails with *Busy and *Unknown.
type measurer func(room string) effect.Effect[int]

var Thermometer = effect.NewService[measurer]("Thermometer")

func say(text string) effect.Effect[effect.Unit] {
	return effect.Call(func() { fmt.Println(text) })
}

var thermometer = Thermometer.Layer(effect.Gen(func(do effect.Do) (measurer, error) {
	do.Await(effect.AcquireRelease(say("on"), func(effect.Unit, scope.Exit) effect.Effect[effect.Unit] { return say("off") }))
	asked := effect.NewRef(0)
	return func(room string) effect.Effect[int] {
		switch room {
		case "kitchen":
			return effect.Succeed(21)
		case "attic":
			return asked.UpdateAndGet(func(n int) int { return n + 1 }).FlatMap(func(n int) effect.Effect[int] {
				if n < 3 {
					return effect.Fail[int](&Busy{room})
				}
				return effect.Succeed(n)
			})
		case "cellar":
			return effect.Sleep(time.Hour).As(12)
		default:
			return effect.Fail[int](&Unknown{room})
		}
	}, nil
}))

func describe(room string) effect.Effect[string] {
	return effect.Gen(func(do effect.Do) (string, error) {
		measure := do.Await(Thermometer.Get())
		degrees := do.Await(effect.RetryWith(measure(room), effect.RetryOptions{
			Times: mo.Some(3), Schedule: effect.Exponential(10*time.Millisecond, 2), While: isBusy,
		}).Timeout(500 * time.Millisecond))
		return fmt.Sprintf("%s: %d degrees", room, degrees), nil
	}).CatchAs(func(unknown *Unknown) effect.Effect[string] {
		return effect.Succeed(unknown.Room + ": there is no such room")
	}).CatchAs(func(*effect.TimeoutError) effect.Effect[string] {
		return effect.Succeed(room + ": no answer in time")
	})
}

func isBusy(err error) bool {
	_, busy := errors.AsType[*Busy](err)
	return busy
}

var program = effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
	lines := do.Await(effect.ForEach([]string{"kitchen", "attic", "cellar", "moon"}, describe, effect.Concurrency(2)))
	do.Await(effect.ForEachDiscard(lines, say))
	return none, nil
}).Provide(thermometer)

func main() {
	if _, err := program.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}
