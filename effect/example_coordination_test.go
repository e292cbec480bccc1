package effect_test

import (
	"context"
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/samber/mo"
)

func ExampleDeferred() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		ready := effect.NewDeferred[string]()
		waiter := do.Await(effect.Fork(ready.Await().Map(func(address string) string { return "dialled " + address })))
		do.Await(ready.Succeed("localhost:80"))
		again := do.Await(ready.Fail(io.EOF))
		return fmt.Sprint(do.Await(waiter.Join()), ", set again: ", again), nil
	}))
	// Output: Success(dialled localhost:80, set again: false)
}

func ExampleInto() {
	result := effect.NewDeferred[int]()
	show(effect.Into(measure("notes"), result)) // sets it, however the effect ends
	show(result.Await())
	// Output:
	// Success(true)
	// Failure(notes is no Go file)
}

func ExampleLatch() {
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		gate := effect.NewLatch(false)
		guest := do.Await(effect.Fork(gate.WhenOpen(printing("come in"))))
		do.Await(printing("open the gate"))
		do.Await(gate.Open())
		return do.Await(guest.Join()), nil
	}))
	// Output:
	// open the gate
	// come in
	// Success({})
}

func ExampleSemaphore_WithPermits() {
	connections := effect.NewSemaphore(2)
	query := func(name string) effect.Effect[int] { return connections.WithPermits(1, measure(name)) }
	show(effect.ForEach([]string{"a.go", "b.go", "main.go"}, query, effect.Unbounded)) // two at a time
	// Output: Success([4 4 7])
}

func ExampleSemaphore_TakeScoped() {
	connections := effect.NewSemaphore(2)
	show(connections.TakeScoped(2).AndThen(connections.WithPermitsIfAvailable(1, effect.Succeed("a third"))).
		Map(func(third mo.Option[string]) string { return third.OrElse("all are in use") }).Scoped())
	show(connections.Take(2))
	// Output:
	// Success(all are in use)
	// Success(2)
}

// Plain Go shares the semaphore with effects.
func ExampleSemaphore_Acquire() {
	connections := effect.NewSemaphore(1)
	fmt.Println(connections.Acquire(context.Background(), 1))
	fmt.Println(connections.TakeNow(1))
	fmt.Println(connections.ReleaseNow(1), "is free")
	// Output:
	// <nil>
	// false
	// 1 is free
}

// Each waiter runs the effect that it was set to.
func ExampleDeferred_CompleteWith() {
	source := effect.NewDeferred[int]()
	show(source.CompleteWith(printing("measure").AndThen(measure("a.go"))))
	show(source.Await())
	show(source.Await())
	// Output:
	// Success(true)
	// measure
	// Success(4)
	// measure
	// Success(4)
}
