package effect_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// Taking a job and working on it are one step: an interruption may come while it waits for the job, and not after it has it.
func ExampleMask() {
	jobs := effect.NewUnboundedQueue[string]()
	jobs.OfferNow("job 1")
	takeAndStore := effect.Mask(func(restore effect.Restore) effect.Effect[string] {
		return restore.On(jobs.Take()).FlatMap(func(job string) effect.Effect[string] {
			return printing("store " + job).As(job)
		})
	})
	show(takeAndStore)
	_, err := takeAndStore.Run(cancelled()) // waits for a second job
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// store job 1
	// Success(job 1)
	// true
}

// cancelled is a context that is done.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func ExampleInterruptibleMask() {
	window := effect.InterruptibleMask(func(restore effect.Restore) effect.Effect[string] {
		return restore.On(printing("this part as outside")).As("and this part can be interrupted")
	})
	show(window.Uninterruptible())
	// Output:
	// this part as outside
	// Success(and this part can be interrupted)
}

func ExampleEffect_Uninterruptible() {
	begun := effect.NewLatch(false)
	transaction := begun.Open().AndThen(printing("write")).AndThen(printing("commit")).Uninterruptible()
	show(effect.Fork(transaction).FlatMap(func(f *effect.Fiber[effect.Unit]) effect.Effect[string] {
		return begun.Await().AndThen(f.Interrupt()).As("interrupted when it was over")
	}))
	// Output:
	// write
	// commit
	// Success(interrupted when it was over)
}

func ExampleInterrupt() {
	quit := effect.Interrupt[int]()
	show(effect.ExitOf(quit).Map(func(x effect.Exit[int]) bool { return x.Cause.HasInterruptsOnly() }))
	show(quit.Catch(func(error) effect.Effect[int] { return effect.Succeed(0) }).IgnoreCause()) // no failure, so not caught
	// Output:
	// Success(true)
	// Success({})
}

func ExampleEffect_OnInterrupt() {
	started := effect.NewLatch(false)
	download := started.Open().AndThen(effect.Never[int]()).
		OnInterrupt(func([]errors.FiberID) effect.Effect[effect.Unit] { return printing("remove the half of the file") })
	show(effect.Fork(download).FlatMap(func(f *effect.Fiber[int]) effect.Effect[string] {
		return started.Await().AndThen(f.Interrupt()).As("stopped")
	}))
	// Output:
	// remove the half of the file
	// Success(stopped)
}
