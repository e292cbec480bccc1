package effect_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// show runs an effect and prints how it ended.
func show[A any](e effect.Effect[A]) { fmt.Println(effect.RunExit(context.Background(), e)) }

func ExampleGen() {
	parse := func(s string) effect.Effect[int] {
		return effect.Gen(func(do effect.Do) (int, error) {
			n := do.Try(strconv.Atoi(s)) // a Go call
			half := do.Await(effect.Succeed(n).Map(func(n int) int { return n / 2 }))
			if half == 0 {
				return 0, errors.New("too small")
			}
			return half, nil
		})
	}
	show(parse("14"))
	show(parse("1"))
	show(parse("x"))
	// Output:
	// Success(7)
	// Failure(too small)
	// Failure(strconv.Atoi: parsing "x": invalid syntax)
}

func ExampleTry() {
	read := effect.Try(func(context.Context) ([]byte, error) { return os.ReadFile("no such file") })
	_, err := read.Run(context.Background())
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output: true
}

func ExampleSync() {
	show(effect.Sync(func() int { return 7 }))
	show(effect.Sync(func() int { panic("a bug") }))
	// Output:
	// Success(7)
	// Failure(defect: a bug)
}

func ExampleCall() {
	_, err := effect.Call(func() { fmt.Println("called") }).Run(context.Background())
	fmt.Println(err)
	// Output:
	// called
	// <nil>
}

func ExampleTryCall() {
	remove := effect.TryCall(func(context.Context) error { return os.Remove("/no/such/file") })
	_, err := remove.Run(context.Background())
	fmt.Println(err)
	// Output: remove /no/such/file: no such file or directory
}

func ExampleAsync() {
	tick := effect.Async(func(resume func(effect.Effect[string])) effect.Effect[effect.Unit] {
		timer := time.AfterFunc(time.Millisecond, func() { resume(effect.Succeed("tick")) })
		return effect.Call(func() { // when the fiber is interrupted first
			timer.Stop()
		})
	})
	show(tick)
	// Output: Success(tick)
}

func ExampleFromOption() {
	show(effect.FromOption(mo.Some(1)))
	show(effect.CatchNoSuchElement(effect.FromOption(mo.None[int]())).Map(mo.Option[int].IsNone))
	// Output:
	// Success(1)
	// Success(true)
}

func ExampleFromOptionOr() {
	show(effect.FromOptionOr(mo.None[int](), func() error { return errors.New("no port is set") }))
	// Output: Failure(no port is set)
}

func ExampleFromResult() {
	show(effect.FromResult(mo.Ok(1)))
	show(effect.FromResult(mo.Err[int](errors.New("refused"))))
	// Output:
	// Success(1)
	// Failure(refused)
}

func ExampleWhen() {
	greet := effect.Succeed("hello")
	show(effect.When(greet, effect.Succeed(true)).Map(mo.Option[string].OrEmpty))
	show(effect.When(greet, effect.Succeed(false)).Map(mo.Option[string].IsNone))
	// Output:
	// Success(hello)
	// Success(true)
}

func ExampleEffect_FilterOrFail() {
	port := effect.Succeed(80).FilterOrFail(
		func(n int) bool { return n > 1024 },
		func(n int) error { return fmt.Errorf("port %d is reserved", n) })
	show(port)
	// Output: Failure(port 80 is reserved)
}

func ExampleIterate() {
	show(effect.Iterate(1,
		func(n int) bool { return n < 100 },
		func(n int) effect.Effect[int] { return effect.Succeed(n * 3) }))
	// Output: Success(243)
}

func ExampleWhileLoop() {
	sum := 0
	show(effect.WhileLoop(
		func() bool { return sum < 10 },
		func() effect.Effect[int] { return effect.Succeed(4) },
		func(n int) { sum += n }).Map(func(effect.Unit) int { return sum }))
	// Output: Success(12)
}

func ExampleForever() {
	n := 0
	show(effect.Forever(effect.Suspend(func() effect.Effect[int] {
		if n++; n == 3 {
			return effect.Fail[int](errors.New("done after 3"))
		}
		return effect.Succeed(n)
	})))
	// Output: Failure(done after 3)
}

func ExampleEventually() {
	n := 0
	show(effect.Eventually(effect.Suspend(func() effect.Effect[int] {
		if n++; n < 3 {
			return effect.Fail[int](errors.New("not yet"))
		}
		return effect.Succeed(n)
	})))
	// Output: Success(3)
}

func ExampleReplicate() {
	n := 0
	show(effect.Replicate(effect.Sync(func() int {
		n++
		return n
	}), 3))
	// Output: Success([1 2 3])
}

func ExampleZip() {
	show(effect.Zip(effect.Succeed(1), effect.Succeed("a")))
	// Output: Success({1 a})
}

func ExampleProgram() {
	program := effect.Program{Report: func(c *errors.Cause) { fmt.Println("reported:", c) }}
	fmt.Println(program.Code(effect.Fail[int](errors.New("no disk"))))
	fmt.Println(program.Code(effect.Succeed(1)))
	// Output:
	// reported: no disk
	// 1
	// 0
}
