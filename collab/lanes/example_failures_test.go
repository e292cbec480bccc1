package lanes_test

import (
	"context"
	"fmt"
	"math"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

func ExampleQueueFull() {
	desk := newDesk()
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, MaxQueued: mo.Some(1), Activate: desk.work}))
		for _, room := range []string{"kitchen", "hall", "attic"} {
			_, err := rooms.WakeNow(room)
			if full, ok := errors.AsType[*lanes.QueueFull](err); ok {
				fmt.Println(full.Key, "has to wait: no more than", full.MaxQueued)
			}
		}
		do.Await(desk.begun.Await())
		return do.Await(rooms.Close()), nil
	}))
	// Unordered output:
	// begin kitchen
	// attic has to wait: no more than 1
	// Success({})
}

func ExampleClosed() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: say}))
		do.Await(rooms.Close())
		_, err := rooms.WakeNow("kitchen")
		closed, _ := errors.AsType[*lanes.Closed](err)
		return fmt.Sprint(closed.Key, " is refused"), nil
	}))
	// Output: Success(kitchen is refused)
}

func ExampleConfigInvalid() {
	_, err := lanes.New(lanes.Config[string]{Activate: say}).Scoped().Run(context.Background())
	if wrong, ok := errors.AsType[*lanes.ConfigInvalid](err); ok {
		fmt.Println(wrong.Field, wrong.Message)
	}
	// Output: MaxConcurrent must be at least 1, and is 0
}

// Two wakes of a key that is not equal to itself would be two lanes.
func ExampleKeyInvalid() {
	work := func(float64) effect.Effect[effect.Unit] { return say("never") }
	show(effect.Gen(func(do effect.Do) (bool, error) {
		measures := do.Await(lanes.New(lanes.Config[float64]{MaxConcurrent: 1, Activate: work}))
		_, err := measures.WakeNow(math.NaN())
		_, refused := errors.AsType[*lanes.KeyInvalid](err)
		return refused, nil
	}))
	// Output: Success(true)
}

// A Close that comes while somebody drains cuts it short.
func ExampleDrainCut() {
	desk := newDesk()
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: desk.work}))
		do.Await(effect.ForEach([]string{"kitchen", "hall"}, rooms.Wake))
		do.Await(desk.begun.Await())
		drain := do.Await(effect.Fork(rooms.Drain()))
		for !rooms.Status().Draining {
			do.Await(effect.YieldNow())
		}
		do.Await(rooms.Close())
		_, err := effect.Await(do, drain.Join())
		cut, _ := errors.AsType[*lanes.DrainCut](err)
		return fmt.Sprint(cut.Interrupted, " interrupted, ", cut.Dropped, " dropped"), nil
	}))
	// Output:
	// begin kitchen
	// Success(1 interrupted, 1 dropped)
}

// An activation that waits for all activations would wait for itself.
func ExampleNeverEnds() {
	var rooms *lanes.Lanes[string]
	work := func(string) effect.Effect[effect.Unit] {
		return effect.Suspend(func() effect.Effect[effect.Unit] { return rooms.Drain() }).
			CatchAs(func(refused *lanes.NeverEnds) effect.Effect[effect.Unit] {
				return say(fmt.Sprint(refused.Operation, " inside of ", refused.Key, "'s ", refused.Phase))
			})
	}
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		rooms = do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: work}))
		do.Await(rooms.Wake("kitchen"))
		return do.Await(rooms.Drain()), nil
	}))
	// Output:
	// Drain inside of kitchen's activation
	// Success({})
}
