package effect_test

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Busy is a failure of the examples.
type Busy struct{ Holder string }

func (*Busy) Tag() string     { return "Busy" }
func (e *Busy) Error() string { return "busy: held by " + e.Holder }

func ExampleEffect_CatchAs() {
	take := effect.Fail[string](&Busy{"pid 7"})
	show(take.CatchAs(func(b *Busy) effect.Effect[string] { return effect.Succeed("wait for " + b.Holder) }))
	// Output: Success(wait for pid 7)
}

func ExampleEffect_CatchTag() {
	take := effect.Fail[string](&Busy{"pid 7"})
	show(take.CatchTag("Busy", func(errors.Tagged) effect.Effect[string] { return effect.Succeed("later") }))
	// Output: Success(later)
}

func ExampleEffect_Catch() {
	show(effect.Fail[int](io.EOF).Catch(func(error) effect.Effect[int] { return effect.Succeed(0) }))
	show(effect.Die[int]("a bug").Catch(func(error) effect.Effect[int] { return effect.Succeed(0) }))
	// Output:
	// Success(0)
	// Failure(defect: a bug)
}

func ExampleEffect_CatchFilter() {
	holder := func(err error) (string, bool) {
		b, ok := errors.AsType[*Busy](err)
		if !ok {
			return "", false
		}
		return b.Holder, true
	}
	show(effect.Fail[string](&Busy{"pid 7"}).CatchFilter(holder, effect.Succeed))
	// Output: Success(pid 7)
}

func ExampleEffect_Sandbox() {
	show(effect.Die[string]("a bug").Sandbox().
		CatchAs(func(c *errors.Cause) effect.Effect[string] { return effect.Succeed("saw: " + c.Error()) }))
	// Output: Success(saw: defect: a bug)
}

func ExampleEffect_MapBoth() {
	both := func(e effect.Effect[int]) effect.Effect[string] {
		return e.MapBoth(
			func(err error) error { return fmt.Errorf("read: %w", err) },
			func(n int) string { return fmt.Sprint(n, " bytes") })
	}
	show(both(effect.Succeed(7)))
	show(both(effect.Fail[int](io.EOF)))
	// Output:
	// Success(7 bytes)
	// Failure(read: EOF)
}

func ExampleFlip() {
	show(effect.Flip(effect.Fail[int](io.EOF)))
	show(effect.Flip(effect.Succeed(1)))
	// Output:
	// Success(EOF)
	// Failure(effect.Flip: the effect was to fail, but succeeded with 1)
}

func ExampleFirstSuccessOf() {
	show(effect.FirstSuccessOf(effect.Fail[string](io.EOF), effect.Succeed("the mirror")))
	// Output: Success(the mirror)
}

func ExampleExitOf() {
	show(effect.ExitOf(effect.Fail[int](io.EOF)).Map(effect.Exit[int].IsFailure))
	// Output: Success(true)
}

func ExampleExit() {
	out, _ := json.Marshal(effect.ExitSucceed([]int{1, 2}))
	fmt.Println(string(out))
	fmt.Println(effect.ExitFail[int](io.EOF))
	// Output:
	// {"_tag":"Success","value":[1,2]}
	// Failure(EOF)
}

// printing is an effect that prints.
func printing(text string) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		fmt.Println(text)
	})
}

func ExampleEffect_Ensuring() {
	show(printing("work").AndThen(effect.Fail[int](io.EOF)).Ensuring(printing("clean up")))
	// Output:
	// work
	// clean up
	// Failure(EOF)
}

func ExampleAcquireRelease() {
	connection := effect.AcquireRelease(printing("connect").As("connection"),
		func(c string, exit scope.Exit) effect.Effect[effect.Unit] { return printing("close " + c) })
	show(connection.FlatMap(func(c string) effect.Effect[effect.Unit] { return printing("use " + c) }).As("done").Scoped())
	// Output:
	// connect
	// use connection
	// close connection
	// Success(done)
}

func ExampleAcquireUseRelease() {
	show(effect.AcquireUseRelease(
		printing("lock").As(7),
		func(n int) effect.Effect[int] { return effect.Succeed(n * 2) },
		func(int, effect.Exit[int]) effect.Effect[effect.Unit] { return printing("unlock") }))
	// Output:
	// lock
	// unlock
	// Success(14)
}

// file is a closer of the examples.
type file struct{}

func (file) Close() error {
	fmt.Println("close the file")
	return nil
}

func ExampleAcquireCloser() {
	show(effect.AcquireCloser(effect.Succeed(file{})).AndThen(printing("read it")).As("read").Scoped())
	// Output:
	// read it
	// close the file
	// Success(read)
}
