package effect_test

import (
	"fmt"

	"github.com/rivus/agentkit/effect"
)

func ExamplePubSub() {
	news := effect.NewUnboundedPubSub[string]()
	show(effect.Gen(func(do effect.Do) (string, error) {
		anna := do.Await(news.Subscribe())
		ben := do.Await(news.Subscribe())
		do.Await(news.Publish("it rains"))
		return fmt.Sprint(do.Await(anna.Take()), ", ", do.Await(ben.Take())), nil
	}).Scoped())
	// Output: Success(it rains, it rains)
}

func ExampleNewBoundedPubSub() {
	news := effect.NewBoundedPubSub[int](2) // the slowest subscriber decides when there is room
	show(effect.Gen(func(do effect.Do) (string, error) {
		slow := do.Await(news.Subscribe())
		do.Await(news.PublishAll([]int{1, 2}))
		refused := !news.PublishNow(3) // Publish would wait
		do.Await(slow.Take())
		return fmt.Sprint(refused, " ", news.PublishNow(3)), nil
	}).Scoped())
	// Output: Success(true true)
}

func ExampleNewDroppingPubSub() {
	show(fill(effect.NewDroppingPubSub[int](2))) // keeps the oldest
	show(fill(effect.NewSlidingPubSub[int](2)))  // keeps the newest
	// Output:
	// Success([1 2])
	// Success([2 3])
}

// fill publishes more than there is room for, and has what a subscriber sees.
func fill(p *effect.PubSub[int]) effect.Effect[[]int] {
	return p.Subscribe().FlatMap(func(s *effect.Subscription[int]) effect.Effect[[]int] {
		return p.PublishAll([]int{1, 2, 3}).AndThen(s.TakeAll())
	}).Scoped()
}

func ExampleReplay() {
	temperature := effect.NewUnboundedPubSub[int](effect.Replay(1)) // who comes late sees the last one
	temperature.PublishNow(20)
	temperature.PublishNow(21)
	show(temperature.Subscribe().FlatMap((*effect.Subscription[int]).Take).Scoped())
	// Output: Success(21)
}

// Plain Go follows a subscription until it has had the last value.
func ExampleSubscription_All() {
	steps := effect.NewUnboundedPubSub[string]()
	show(effect.Gen(func(do effect.Do) (string, error) {
		subscription := do.Await(steps.Subscribe())
		steps.PublishNow("compile")
		steps.EndNow("done")
		for step, err := range subscription.All(do) {
			do.Check(err)
			fmt.Println(step)
		}
		return "the end", nil
	}).Scoped())
	// Output:
	// compile
	// done
	// Success(the end)
}
