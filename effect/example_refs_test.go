package effect_test

import (
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/samber/mo"
)

func ExampleRef() {
	hits := effect.NewRef(0)
	count := hits.Update(func(n int) int { return n + 1 })
	show(effect.Replicate(count, 100, effect.Unbounded).AndThen(hits.Get()))
	// Output: Success(100)
}

func ExampleRef_Modify() {
	tickets := effect.NewRef(7)
	next := tickets.Modify(func(n int) (string, int) { return fmt.Sprint("ticket ", n), n + 1 })
	show(next)
	show(next)
	show(tickets.Get())
	// Output:
	// Success(ticket 7)
	// Success(ticket 8)
	// Success(9)
}

func ExampleRef_UpdateSomeAndGet() {
	stock := effect.NewRef(1)
	sell := stock.UpdateSomeAndGet(func(n int) mo.Option[int] {
		if n == 0 {
			return mo.None[int]()
		}
		return mo.Some(n - 1)
	})
	show(effect.Replicate(sell, 3))
	// Output: Success([0 0 0])
}

// The update is an effect: another one waits until it is over.
func ExampleSynchronizedRef() {
	total := effect.NewSynchronizedRef(0)
	add := func(name string) effect.Effect[int] {
		return total.UpdateAndGetEffect(func(sum int) effect.Effect[int] {
			return measure(name).Map(func(size int) int { return sum + size })
		})
	}
	show(effect.ForEachDiscard([]string{"a.go", "main.go"}, add, effect.Unbounded).AndThen(total.Get()))
	show(add("notes")) // fails, and leaves the value
	show(total.Get())
	// Output:
	// Success(11)
	// Failure(notes is no Go file)
	// Success(11)
}

func ExampleSubscriptionRef() {
	state := effect.NewSubscriptionRef("starting")
	show(effect.Gen(func(do effect.Do) ([]string, error) {
		changes := do.Await(state.Changes())
		do.Await(state.Set("running"))
		do.Await(state.Set("draining"))
		return do.Await(changes.TakeAll()), nil
	}).Scoped())
	// Output: Success([starting running draining])
}

func ExampleRef_GetAndSet() {
	pending := effect.NewRef("a, b")
	show(pending.GetAndSet("")) // takes all there is
	show(pending.GetAndUpdate(func(string) string { return "c" }))
	show(pending.Get())
	// Output:
	// Success(a, b)
	// Success()
	// Success(c)
}

func ExampleSynchronizedRef_ModifyEffect() {
	spent := effect.NewSynchronizedRef(0)
	buy := spent.ModifyEffect(func(sum int) effect.Effect[effect.Pair[string, int]] {
		return measure("main.go").Map(func(price int) effect.Pair[string, int] {
			return effect.Pair[string, int]{First: fmt.Sprint("paid ", price), Second: sum + price}
		})
	})
	show(buy)
	show(spent.Get())
	// Output:
	// Success(paid 7)
	// Success(7)
}
