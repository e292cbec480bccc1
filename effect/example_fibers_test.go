package effect_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// untilStopped is an effect that opens the latch, goes on until it is interrupted, and says so.
func untilStopped(name string, started *effect.Latch) effect.Effect[effect.Unit] {
	return started.Open().AndThen(effect.Never[effect.Unit]()).Ensuring(printing(name + " stops"))
}

func ExampleFork() {
	show(effect.Gen(func(do effect.Do) (int, error) {
		left := do.Await(effect.Fork(measure("a.go")))
		right := do.Await(effect.Fork(measure("main.go")))
		return do.Await(left.Join()) + do.Await(right.Join()), nil
	}))
	// Output: Success(11)
}

// A child does not outlive its parent.
func ExampleFork_child() {
	started := effect.NewLatch(false)
	show(effect.Fork(untilStopped("child", started)).AndThen(started.Await()).As("parent"))
	// Output:
	// child stops
	// Success(parent)
}

func ExampleForkScoped() {
	started := effect.NewLatch(false)
	heartbeat := effect.ForkScoped(untilStopped("heartbeat", started))
	show(heartbeat.AndThen(started.Await()).AndThen(printing("work")).Scoped())
	// Output:
	// work
	// heartbeat stops
	// Success({})
}

func ExampleForkIn() {
	started := effect.NewLatch(false)
	show(effect.ScopedWith(func(s *scope.Scope) effect.Effect[string] {
		return effect.ForkIn(s, untilStopped("heartbeat", started)).AndThen(started.Await()).As("the scope closes")
	}))
	// Output:
	// heartbeat stops
	// Success(the scope closes)
}

func ExampleForkDetach() {
	answered := effect.NewLatch(false)
	var audit *effect.Fiber[string]
	request := effect.ForkDetach(answered.WhenOpen(effect.Succeed("and written down")))
	show(request.Map(func(f *effect.Fiber[string]) string {
		audit = f
		return "answered"
	}))
	answered.OpenNow() // the fiber outlives the program that started it
	show(audit.Join())
	// Output:
	// Success(answered)
	// Success(and written down)
}

func ExampleFiber_Await() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		f := do.Await(effect.Fork(measure("notes")))
		exit := do.Await(f.Await()) // Join would fail as the fiber did
		return "it ended with " + exit.String(), nil
	}))
	// Output: Success(it ended with Failure(notes is no Go file))
}

func ExampleFiber_Interrupt() {
	started := effect.NewLatch(false)
	show(effect.Gen(func(do effect.Do) (string, error) {
		f := do.Await(effect.Fork(untilStopped("worker", started)))
		do.Await(started.Await())
		do.Await(f.Interrupt()) // waits for its finalizers
		return "stopped", nil
	}))
	// Output:
	// worker stops
	// Success(stopped)
}

func ExampleAwaitAll() {
	show(effect.Gen(func(do effect.Do) (ended string, _ error) {
		var fibers []*effect.Fiber[int]
		for _, name := range []string{"a.go", "notes"} {
			fibers = append(fibers, do.Await(effect.Fork(measure(name))))
		}
		for _, exit := range do.Await(effect.AwaitAll(fibers)) {
			ended += exit.String() + " "
		}
		return ended, nil
	}))
	// Output: Success(Success(4) Failure(notes is no Go file) )
}

func ExampleJoinAll() {
	show(effect.Gen(func(do effect.Do) ([]int, error) {
		fibers := do.Await(effect.ForEach([]string{"a.go", "main.go"}, func(name string) effect.Effect[*effect.Fiber[int]] {
			return effect.Fork(measure(name))
		}))
		return do.Await(effect.JoinAll(fibers)), nil
	}))
	// Output: Success([4 7])
}

func ExampleInterruptAll() {
	show(effect.Gen(func(do effect.Do) (bool, error) {
		fibers := do.Await(effect.Replicate(effect.Fork(effect.Never[int]()), 3))
		do.Await(effect.InterruptAll(fibers)) // asks all, then waits for all
		_, over := fibers[2].Poll()
		return over, nil
	}))
	// Output: Success(true)
}

func ExampleInterruptAllAs() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		f := do.Await(effect.Fork(effect.Never[int]()))
		do.Await(effect.InterruptAllAs([]*effect.Fiber[int]{f}, 7))
		exit, _ := f.Poll()
		return exit.String(), nil
	}))
	// Output: Success(Failure(interrupted by fiber #7))
}

func ExampleAwaitAllChildren() {
	gate := effect.NewLatch(false)
	background := effect.Fork(gate.WhenOpen(printing("the child has finished")))
	show(effect.AwaitAllChildren(background.AndThen(gate.Open()).As("the parent has finished")))
	// Output:
	// the child has finished
	// Success(the parent has finished)
}

func ExampleStart() {
	f := effect.Start(context.Background(), measure("main.go"))
	<-f.Done()
	exit, over := f.Poll()
	fmt.Println(exit, over)
	// Output: Success(7) true
}

// A callback of plain Go starts work on behalf of an effect.
func ExampleStartIn() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		ctx := do.Await(effect.Context())
		owner := do.Await(effect.CurrentScope())
		onMessage := func(text string) *effect.Fiber[string] {
			return effect.StartIn(ctx, owner, effect.Succeed("handled "+text))
		}
		return do.Await(onMessage("hello").Join()), nil
	}).Scoped())
	// Output: Success(handled hello)
}

func ExampleCurrentID() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		mine := do.Await(effect.CurrentID())
		f := do.Await(effect.Fork(effect.CurrentID()))
		return fmt.Sprint(mine == f.ID(), " ", do.Await(f.Join()) == f.ID()), nil
	}))
	// Output: Success(false true)
}

func ExampleSelfWait() {
	own := effect.NewDeferred[*effect.Fiber[int]]()
	f := effect.Start(context.Background(), own.Await().FlatMap((*effect.Fiber[int]).Join))
	own.CompleteNow(effect.Succeed(f))
	show(f.Join().As("").CatchDefect(func(defect any) effect.Effect[string] {
		loop, ok := defect.(*effect.SelfWait)
		return effect.Succeed(fmt.Sprint("waits for itself: ", ok && loop.Fiber == f.ID()))
	}))
	// Output: Success(waits for itself: true)
}

func ExampleYieldNow() {
	gate := effect.NewLatch(false)
	show(effect.Fork(gate.Open()).AndThen(effect.WhileLoop(
		func() bool { return !gate.IsOpen() },
		effect.YieldNow, nil)).As("the other fiber had its turn"))
	// Output: Success(the other fiber had its turn)
}

func ExampleNever() {
	show(effect.RaceFirst(effect.Never[string](), effect.Succeed("the other side")))
	// Output: Success(the other side)
}
