package effect_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func ExampleFiberHandle() {
	started := effect.NewLatch(false)
	show(effect.Gen(func(do effect.Do) (string, error) {
		connection := do.Await(effect.NewFiberHandle[effect.Unit]())
		do.Await(connection.Run(untilStopped("the first connection", started)))
		do.Await(started.Await())
		do.Await(connection.Clear())
		f := do.Await(connection.Run(printing("the second connection")))
		do.Await(f.Join())
		return "no fiber is left over", nil
	}).Scoped())
	// Output:
	// the first connection stops
	// the second connection
	// Success(no fiber is left over)
}

func ExampleFiberMap() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(effect.NewFiberMap[string, int]())
		do.Await(rooms.Run("kitchen", effect.Never[int]()))
		do.Await(rooms.Run("hall", effect.Never[int]()))
		do.Await(rooms.Remove("hall"))
		return fmt.Sprint("kitchen: ", do.Await(rooms.Has("kitchen")), ", hall: ", do.Await(rooms.Has("hall"))), nil
	}).Scoped())
	// Output: Success(kitchen: true, hall: false)
}

func ExampleFiberMap_Run() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(effect.NewFiberMap[string, int]())
		first := do.Await(rooms.Run("kitchen", effect.Never[int](), effect.RunNamed("cook")))
		unwanted := do.Await(rooms.Run("kitchen", effect.Never[int](), effect.OnlyIfMissing))
		_, unwantedIsOver := unwanted.Poll()
		_, firstIsOver := first.Poll()
		return fmt.Sprint(unwantedIsOver, " ", firstIsOver), nil
	}).Scoped())
	// Output: Success(true false)
}

// A request handler starts work that the set owns, not the request.
func ExampleFiberSet() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		jobs := do.Await(effect.NewFiberSet[int]())
		serve := func(ctx context.Context, name string) { jobs.RunNow(ctx, measure(name)) }
		serve(do, "a.go")
		serve(do, "main.go")
		do.Await(jobs.AwaitEmpty())
		return "all jobs are done", nil
	}).Scoped())
	// Output: Success(all jobs are done)
}

func ExampleFiberSet_Join() {
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		jobs := do.Await(effect.NewFiberSet[int]())
		do.Await(jobs.Run(effect.Never[int]()))
		do.Await(jobs.Run(measure("notes")))
		return do.Await(jobs.Join()), nil // the first failure among them
	}).Scoped())
	// Output: Failure(notes is no Go file)
}

func ExampleRunOption() {
	watched := []effect.RunOption{effect.RunNamed("worker"), effect.PropagateInterruption}
	show(effect.Gen(func(do effect.Do) (string, error) {
		jobs := do.Await(effect.NewFiberSet[int]())
		f := do.Await(jobs.Run(effect.Never[int](), watched...))
		do.Await(f.Interrupt())
		_, err := effect.Await(do, jobs.Join())
		return fmt.Sprint("interrupted: ", errors.Is(err, context.Canceled)), nil
	}).Scoped())
	// Output: Success(interrupted: true)
}
