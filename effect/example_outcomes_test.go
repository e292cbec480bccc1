package effect_test

import (
	"context"
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

func ExampleRunExit() {
	exit := effect.RunExit(context.Background(), effect.Fail[int](io.EOF))
	fmt.Println(exit.IsSuccess(), exit)
	_, err := exit.Get() // as Go has it
	fmt.Println(errors.Is(err, io.EOF))
	// Output:
	// false Failure(EOF)
	// true
}

func ExampleExit_Match() {
	describe := func(x effect.Exit[int]) string {
		return x.Match(
			func(c *errors.Cause) string { return "no answer: " + c.Error() },
			func(n int) string { return fmt.Sprint("the answer is ", n) })
	}
	fmt.Println(describe(effect.ExitSucceed(42)))
	fmt.Println(describe(effect.ExitDie[int]("nil map")))
	fmt.Println(describe(effect.ExitInterrupt[int](7)))
	// Output:
	// the answer is 42
	// no answer: defect: nil map
	// no answer: interrupted by fiber #7
}

func ExampleExitAll() {
	fmt.Println(effect.ExitAll(effect.ExitSucceed(1), effect.ExitSucceed(2)))
	fmt.Println(effect.ExitAll(effect.ExitFail[int](io.EOF), effect.ExitSucceed(2), effect.ExitDie[int]("nil map")))
	// Output:
	// Success({})
	// Failure(EOF; defect: nil map)
}

func ExampleExitOption() {
	fmt.Println(effect.ExitOption(effect.ExitSucceed(80)).OrElse(8080))
	fmt.Println(effect.ExitOption(effect.ExitFail[int](io.EOF)).OrElse(8080))
	// Output:
	// 80
	// 8080
}

func ExampleExitResult() {
	result := effect.ExitResult(effect.ExitFail[int](io.EOF))
	fmt.Println(result.IsError(), result.Error())
	// Output: true EOF
}

func ExampleFailCause() {
	both := errors.FailCause(io.EOF).Combine(errors.DieCause("nil map"))
	show(effect.FailCause[int](both))
	fmt.Println(effect.ExitFailCause[int](both).Equal(effect.RunExit(context.Background(), effect.FailCause[int](both))))
	// Output:
	// Failure(EOF; defect: nil map)
	// true
}

func ExampleAsSome() {
	cached := effect.Succeed(mo.None[string]())
	fresh := effect.AsSome(effect.Succeed("from the network"))
	show(cached.FilterOrElse(mo.Option[string].IsSome, func(mo.Option[string]) effect.Effect[mo.Option[string]] { return fresh }).
		Map(mo.Option[string].OrEmpty))
	// Output: Success(from the network)
}

func ExampleOptionOf() {
	owner := func(e effect.Effect[string]) effect.Effect[string] {
		return effect.OptionOf(e).Map(func(o mo.Option[string]) string { return o.OrElse("nobody") })
	}
	show(owner(effect.Succeed("anna")))
	show(owner(effect.Fail[string](io.EOF)))
	// Output:
	// Success(anna)
	// Success(nobody)
}

func ExampleResultOf() {
	show(effect.ResultOf(effect.Fail[string](io.EOF)).Map(func(r mo.Result[string]) string {
		if r.IsError() {
			return "without: " + r.Error().Error()
		}
		return r.MustGet()
	}))
	// Output: Success(without: EOF)
}

func ExampleTransposeOption() {
	lookup := func(id mo.Option[int]) effect.Effect[string] {
		asked := mo.None[effect.Effect[string]]()
		if n, ok := id.Get(); ok {
			asked = mo.Some(printing(fmt.Sprint("look up ", n)).As("anna"))
		}
		return effect.TransposeOption(asked).Map(func(o mo.Option[string]) string { return o.OrElse("nobody") })
	}
	show(lookup(mo.Some(7)))
	show(lookup(mo.None[int]()))
	// Output:
	// look up 7
	// Success(anna)
	// Success(nobody)
}

func ExampleFlatten() {
	chosen := effect.Sync(func() effect.Effect[string] { return effect.Succeed("the mirror") })
	show(effect.Flatten(chosen))
	// Output: Success(the mirror)
}

func ExampleUnexpectedSuccess() {
	_, err := effect.Flip(effect.Succeed(1)).Run(context.Background())
	if surprise, ok := errors.AsType[*effect.UnexpectedSuccess[int]](err); ok {
		fmt.Println("it was to fail and made", surprise.Value)
	}
	// Output: it was to fail and made 1
}

func ExampleEffect_Match() {
	show(effect.Fail[int](io.EOF).Match(
		func(err error) string { return "failed: " + err.Error() },
		func(n int) string { return fmt.Sprint("read ", n) }))
	// Output: Success(failed: EOF)
}

func ExampleEffect_Tap() {
	report := func(n int) effect.Effect[effect.Unit] { return printing(fmt.Sprint("saw ", n)) }
	show(effect.Succeed(7).Tap(report))
	show(effect.Fail[int](io.EOF).Tap(report).TapError(func(err error) effect.Effect[effect.Unit] {
		return printing("saw " + err.Error())
	}))
	// Output:
	// saw 7
	// Success(7)
	// saw EOF
	// Failure(EOF)
}

func ExampleEffect_FlatMap() {
	show(measure("main.go").FlatMap(func(size int) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint(size, " bytes"))
	}))
	// Output: Success(7 bytes)
}

func ExampleEffect_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := effect.Never[int]().Run(ctx)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output: true
}
