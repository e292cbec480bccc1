package effect_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func ExampleFiber_Observe() {
	f := effect.Start(context.Background(), measure("main.go"))
	told := make(chan effect.Exit[int], 1)
	f.Observe(func(x effect.Exit[int]) { told <- x })
	fmt.Println(<-told)
	// Output: Success(7)
}

func ExampleFiber_InterruptNow() {
	f := effect.Start(context.Background(), effect.Never[int]())
	f.InterruptNow() // asks, and does not wait
	<-f.Done()
	_, err := f.Join().Run(context.Background())
	fmt.Println(errors.Is(err, context.Canceled))
	// Output: true
}

func ExampleRef_UpdateNow() {
	hits := effect.NewRef(1)
	hits.SetNow(40)
	fmt.Println(hits.UpdateNow(func(n int) int { return n + 2 }), hits.GetNow())
	// Output: 42 42
}

func ExampleQueue_OfferNow() {
	jobs := effect.NewBoundedQueue[string](1)
	fmt.Println(jobs.OfferNow("a"), jobs.OfferNow("b"), jobs.SizeNow()) // Offer would wait
	show(jobs.Peek())
	fmt.Println(jobs.ShutdownNow(), jobs.ShutdownNow())
	// Output:
	// true false 1
	// Success(a)
	// true false
}

func ExampleLatch_ReleaseNow() {
	gate := effect.NewLatch(false)
	guest := effect.Start(context.Background(), gate.WhenOpen(effect.Succeed("came in")))
	for over := false; !over; _, over = guest.Poll() {
		gate.ReleaseNow() // lets in who waits now, and stays closed
	}
	show(guest.Join())
	fmt.Println(gate.IsOpen())
	// Output:
	// Success(came in)
	// false
}

func ExampleSemaphore_ResizeNow() {
	connections := effect.NewSemaphore(1)
	fmt.Println(connections.TakeNow(2))
	connections.ResizeNow(2)
	fmt.Println(connections.TakeNow(2))
	// Output:
	// false
	// true
}

func ExamplePubSub_EndNow() {
	steps := effect.NewUnboundedPubSub[string]()
	show(steps.Subscribe().Map(func(s *effect.Subscription[string]) bool {
		return steps.PublishNow("compile") && steps.EndNow("done") && !steps.PublishNow("too late")
	}).Scoped())
	fmt.Println(steps.IsShutdown())
	steps.ShutdownNow()
	fmt.Println(steps.IsShutdown())
	// Output:
	// Success(true)
	// false
	// true
}

func ExampleWithCancel() {
	started := effect.NewLatch(false)
	show(effect.WithCancel(func(cancel context.CancelCauseFunc) effect.Effect[effect.Unit] {
		go func() {
			_, _ = started.Await().Run(context.Background())
			cancel(errors.New("the button was pressed"))
		}()
		return untilStopped("the download", started)
	}))
	// Output:
	// the download stops
	// Failure(interrupted: the button was pressed)
}
