package effect_test

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func ExampleQueue() {
	show(effect.Gen(func(do effect.Do) (sum int, _ error) {
		sizes := effect.NewBoundedQueue[int](2) // the producer waits while it is full
		producer := effect.ForEachDiscard([]int{1, 2, 3, 4}, sizes.Offer)
		do.Await(effect.Fork(producer.IntoQueue(sizes)))
		for _, size := range do.Await(sizes.Collect()) { // until the producer has ended it
			sum += size
		}
		return sum, nil
	}))
	// Output: Success(10)
}

func ExampleQueue_Fail() {
	lines := effect.NewUnboundedQueue[string]()
	show(lines.Offer("the last line").AndThen(lines.Fail(io.ErrUnexpectedEOF)))
	show(lines.Take()) // what is left is still taken
	show(lines.Take())
	// Output:
	// Success(true)
	// Success(the last line)
	// Failure(unexpected EOF)
}

func ExampleQueue_All() {
	lines := effect.NewUnboundedQueue[string]()
	for _, line := range []string{"a", "b"} {
		lines.OfferNow(line)
	}
	lines.EndNow()
	for line, err := range lines.All(context.Background()) { // plain Go
		fmt.Println(line, err)
	}
	// Output:
	// a <nil>
	// b <nil>
}

func ExampleQueue_Values() {
	sizes := effect.NewUnboundedQueue[int]()
	sizes.OfferNow(4)
	sizes.OfferNow(7)
	sizes.EndNow()
	fmt.Println(slices.Collect(sizes.Values(context.Background())))
	// Output: [4 7]
}

func ExampleQueue_TakeBetween() {
	batch := effect.NewUnboundedQueue[int]()
	show(batch.OfferAll([]int{1, 2, 3, 4, 5}).AsUnit())
	show(batch.TakeBetween(1, 3)) // waits for one, takes three at most
	show(batch.TakeN(2))
	// Output:
	// Success({})
	// Success([1 2 3])
	// Success([4 5])
}

func ExampleNewDroppingQueue() {
	newest := effect.NewDroppingQueue[int](2) // refuses
	fmt.Println(newest.OfferNow(1), newest.OfferNow(2), newest.OfferNow(3))
	show(newest.TakeAll())
	// Output:
	// true true false
	// Success([1 2])
}

func ExampleNewSlidingQueue() {
	newest := effect.NewSlidingQueue[int](2) // forgets the oldest
	fmt.Println(newest.OfferNow(1), newest.OfferNow(2), newest.OfferNow(3))
	show(newest.TakeAll())
	// Output:
	// true true true
	// Success([2 3])
}

func ExampleDone() {
	jobs := effect.NewUnboundedQueue[string]()
	jobs.OfferNow("a job")
	jobs.EndNow()
	work := effect.Forever(jobs.Take().FlatMap(printing))
	show(work.CatchAs(func(*effect.Done) effect.Effect[effect.Unit] { return printing("no jobs are left") }))
	// Output:
	// a job
	// no jobs are left
	// Success({})
}

// Channels and effects meet.
func ExampleReceive() {
	ch := make(chan int, 1)
	show(effect.Send(ch, 7))
	show(effect.Receive(ch))
	close(ch)
	_, err := effect.Receive(ch).Run(context.Background())
	fmt.Println(errors.Is(err, &effect.Done{}))
	// Output:
	// Success({})
	// Success(7)
	// true
}

func ExampleQueueOf() {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for n := range 3 {
			ch <- n
		}
	}()
	show(effect.QueueOf(ch).FlatMap((*effect.Queue[int]).Collect).Scoped())
	// Output: Success([0 1 2])
}
