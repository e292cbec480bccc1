package lanes_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// show prints how a scoped program ends.
func show[A any](e effect.Effect[A]) { fmt.Println(effect.RunExit(context.Background(), e.Scoped())) }

// say is an effect that prints.
func say(text string) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		fmt.Println(text)
	})
}

// A desk is work of the examples that begins, and goes on until it is let go.
type desk struct{ begun, done *effect.Latch }

func newDesk() desk { return desk{effect.NewLatch(false), effect.NewLatch(false)} }

func (d desk) work(key string) effect.Effect[effect.Unit] {
	return say("begin " + key).AndThen(d.begun.Open()).AndThen(d.done.Await())
}

func ExampleNew() {
	desk := newDesk()
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: desk.work}))
		fmt.Println(do.Await(rooms.Wake("kitchen"))) // does not wait for the activation
		do.Await(desk.begun.Await())
		fmt.Println(do.Await(rooms.Wake("kitchen"))) // runs: once more, however often
		fmt.Println(do.Await(rooms.Wake("kitchen")))
		fmt.Println(do.Await(rooms.Wake("hall"))) // no slot is free
		do.Await(desk.done.Open())
		do.Await(rooms.Drain())
		return "all that was owed has run", nil
	}))
	// Unordered output:
	// started
	// begin kitchen
	// coalesced
	// coalesced
	// queued
	// begin hall
	// begin kitchen
	// Success(all that was owed has run)
}

func ExampleLanes_WakeNow() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		var rooms *lanes.Lanes[string] = do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 4, Activate: say}))
		onMessage := func(room string) { // a callback of plain Go
			if result, err := rooms.WakeNow(room); err != nil || result != lanes.WakeStarted {
				fmt.Println(result, err)
			}
		}
		onMessage("kitchen")
		do.Await(rooms.Drain())
		return "served", nil
	}))
	// Output:
	// kitchen
	// Success(served)
}

func ExampleActivationExit() {
	report := func(exit lanes.ActivationExit[string]) effect.Effect[effect.Unit] {
		switch x := exit.(type) {
		case lanes.ActivationSucceeded[string]:
			return say(x.Key + " is done")
		case lanes.ActivationFailed[string]:
			return say(x.Key + " failed: " + x.Cause.Error())
		case lanes.ActivationInterrupted[string]:
			return say(x.Key + " was stopped: " + x.Reason.String())
		}
		return effect.Succeed(effect.Unit{})
	}
	work := func(room string) effect.Effect[effect.Unit] {
		switch room {
		case "cellar":
			return effect.Fail[effect.Unit](errors.New("no light"))
		case "attic":
			return effect.Never[effect.Unit]()
		}
		return say("clean the " + room)
	}
	patience := func(room string) mo.Option[time.Duration] {
		if room == "attic" {
			return mo.Some(time.Millisecond)
		}
		return mo.None[time.Duration]()
	}
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: work, OnExit: report, TurnTimeoutOf: patience}))
		do.Await(effect.ForEach([]string{"kitchen", "cellar", "attic"}, rooms.Wake))
		return do.Await(rooms.Drain()), nil
	}))
	// Output:
	// clean the kitchen
	// kitchen is done
	// cellar failed: no light
	// attic was stopped: timeout
	// Success({})
}

func ExampleLanes_Status() {
	desk := newDesk()
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: desk.work}))
		do.Await(effect.ForEach([]string{"kitchen", "hall"}, rooms.Wake))
		do.Await(desk.begun.Await())
		var now lanes.Status[string] = rooms.Status()
		fmt.Println(now.Running, "runs,", now.Queued, "waits")
		var lane lanes.LaneStatus[string]
		for _, lane = range now.Lanes {
			if lane.State == lanes.Queued {
				fmt.Println(lane.Key, "is", lane.State)
			} else {
				fmt.Println(lane.Key, "is in its", lane.Phase, lane.Phase == lanes.Activating)
			}
		}
		return do.Await(rooms.Close()), nil
	}))
	// Output:
	// begin kitchen
	// 1 runs, 1 waits
	// kitchen is in its activation true
	// hall is queued
	// Success({})
}

func ExampleLanes_Cancel() {
	desk := newDesk()
	report := func(exit lanes.ActivationExit[string]) effect.Effect[effect.Unit] {
		stopped, ok := exit.(lanes.ActivationInterrupted[string])
		return say(fmt.Sprint(exit.LaneKey(), " ", ok && stopped.Reason == lanes.StopCancel))
	}
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: desk.work, OnExit: report}))
		do.Await(rooms.Wake("kitchen"))
		do.Await(desk.begun.Await())
		do.Await(rooms.Cancel("kitchen")) // it is over when this returns
		return "empty", nil
	}))
	// Output:
	// begin kitchen
	// kitchen true
	// Success(empty)
}

func ExampleLanes_Subscribe() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: say}))
		events := do.Await(rooms.Subscribe(16))
		do.Await(rooms.Wake("kitchen"))
		do.Await(rooms.Drain()) // which closes the channel
		var event lanes.Event[string]
		for event = range events {
			fmt.Println(event.Key, event.Kind, event.Kind == lanes.EventEnded)
		}
		return "the end", nil
	}))
	// Output:
	// kitchen
	// kitchen started false
	// kitchen ended true
	// Success(the end)
}
