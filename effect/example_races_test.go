package effect_test

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

func ExampleRace() {
	// A failure does not win: the other side may still succeed.
	show(effect.Race(effect.Fail[string](io.EOF), effect.Succeed("the mirror")))
	show(effect.Race(effect.Fail[string](io.EOF), effect.Fail[string](io.EOF)).Map(func(string) int { return 0 }))
	// Output:
	// Success(the mirror)
	// Failure(EOF; EOF)
}

func ExampleRaceFirst() {
	asked := effect.NewLatch(false)
	slow := untilStopped("the slow server", asked).As("slow")
	fast := asked.WhenOpen(effect.Succeed("fast"))
	show(effect.RaceFirst(slow, fast)) // the loser is interrupted and awaited
	// Output:
	// the slow server stops
	// Success(fast)
}

func ExampleRaceAll() {
	show(effect.RaceAll(effect.Never[string](), effect.Fail[string](io.EOF), effect.Succeed("b")))
	show(effect.RaceAllFirst(effect.Never[string](), effect.Fail[string](io.EOF)))
	// Output:
	// Success(b)
	// Failure(EOF)
}

func ExampleOnWinner() {
	report := effect.OnWinner(func(i int) { fmt.Println("winner: number", i) })
	show(effect.Race(effect.Never[string](), effect.Succeed("right"), report))
	// Output:
	// winner: number 1
	// Success(right)
}

func ExampleEffect_Timeout() {
	_, err := effect.Never[int]().Timeout(time.Millisecond).Run(context.Background())
	if late, ok := errors.AsType[*effect.TimeoutError](err); ok {
		fmt.Println("no answer within", late.After)
	}
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// no answer within 1ms
	// true
}

func ExampleEffect_TimeoutOrElse() {
	stale := func() effect.Effect[string] { return effect.Succeed("yesterday's copy") }
	show(effect.Never[string]().TimeoutOrElse(time.Millisecond, stale))
	// Output: Success(yesterday's copy)
}

func ExampleTimeoutOption() {
	answer := func(e effect.Effect[string]) effect.Effect[bool] {
		return effect.TimeoutOption(e, time.Millisecond).Map(mo.Option[string].IsSome)
	}
	show(answer(effect.Never[string]()))
	// Output: Success(false)
}

func ExampleSleep() {
	show(effect.Sleep(time.Millisecond).AndThen(printing("a millisecond later")))
	// Output:
	// a millisecond later
	// Success({})
}

func ExampleTimed() {
	show(effect.Timed(effect.Sleep(2 * time.Millisecond).As("slept")).
		Map(func(p effect.Pair[time.Duration, string]) string {
			return fmt.Sprint(p.Second, " ", p.First >= 2*time.Millisecond)
		}))
	// Output: Success(slept true)
}
