package effect_test

import (
	"slices"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

func TestAllSubscribersTakeWhatIsPublished(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewBoundedPubSub[int](4)
		do.Await(p.Publish(0)) // before anybody has subscribed
		a, b := do.Await(p.Subscribe()), do.Await(p.Subscribe())
		do.Await(p.PublishAll([]int{1, 2}))
		return append(do.Await(a.TakeAll()), do.Await(b.TakeAll())...), nil
	}).Scoped())
	if want := []int{1, 2, 1, 2}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestTheSlowestSubscriberHoldsUpTheOthers(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (bool, error) {
		p := NewBoundedPubSub[int](1)
		fast, slow := do.Await(p.Subscribe()), do.Await(p.Subscribe())
		publishing := do.Await(Fork(p.PublishAll([]int{1, 2})))
		do.Await(sleep(1))
		do.Await(fast.Take())
		do.Await(sleep(1))
		if _, over := publishing.Poll(); over || do.Await(fast.Remaining()) != 0 {
			return false, errors.New("published though there was no room")
		}
		do.Await(slow.Take())
		return do.Await(publishing.Join()) && do.Await(fast.Take()) == 2 && do.Await(slow.Take()) == 2, nil
	}).Scoped())
	if !exit.Value {
		t.Errorf("got %v", exit)
	}
}

func TestADroppingPubSubRefusesAndASlidingOneForgets(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		d, s := NewDroppingPubSub[int](2), NewSlidingPubSub[int](2)
		fromD, fromS := do.Await(d.Subscribe()), do.Await(s.Subscribe())
		if do.Await(d.PublishAll([]int{1, 2, 3})) || !do.Await(s.PublishAll([]int{1, 2, 3})) {
			return nil, errors.New("the other one has refused")
		}
		return append(do.Await(fromD.TakeAll()), do.Await(fromS.TakeAll())...), nil
	}).Scoped())
	if want := []int{1, 2, 2, 3}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestANewSubscriberHasWhatIsReplayed(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewUnboundedPubSub[int](Replay(2))
		do.Await(p.PublishAll([]int{1, 2, 3}))
		s := do.Await(p.Subscribe())
		do.Await(p.Publish(4))
		return do.Await(s.TakeBetween(3, 9)), nil
	}).Scoped())
	if want := []int{2, 3, 4}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestSubscribersWaitInOrder(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewUnboundedPubSub[int]()
		s := do.Await(p.Subscribe())
		var waiting []*Fiber[int]
		for range 3 {
			waiting = append(waiting, do.Await(Fork(s.Take())))
			do.Await(sleep(1))
		}
		do.Await(waiting[0].InterruptFork().AndThen(p.PublishAll([]int{1, 2, 3})))
		return []int{do.Await(waiting[1].Join()), do.Await(waiting[2].Join()), do.Await(s.Take())}, nil
	}).Scoped())
	if want := []int{1, 2, 3}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestAnInterruptedTakeOfSeveralTakesNothing(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewUnboundedPubSub[int]()
		s := do.Await(p.Subscribe())
		do.Await(p.Publish(1))
		f := do.Await(Fork(s.TakeBetween(2, 2)))
		do.Await(sleep(1))
		do.Await(f.Interrupt())
		do.Await(p.Publish(2))
		return do.Await(s.TakeAll()), nil
	}).Scoped())
	if want := []int{1, 2}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestAnInterruptedPublisherHasNotPublished(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewBoundedPubSub[int](1)
		s := do.Await(p.Subscribe())
		do.Await(p.Publish(1))
		f := do.Await(Fork(p.Publish(2)))
		do.Await(sleep(1))
		do.Await(f.Interrupt())
		do.Await(s.Take())
		do.Await(p.Publish(3))
		return do.Await(s.TakeAll()), nil
	}).Scoped())
	if want := []int{3}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestASubscriptionThatEndsMakesRoom(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (bool, error) {
		p := NewBoundedPubSub[int](1)
		fast := do.Await(p.Subscribe())
		publishing := do.Await(p.Subscribe().FlatMap(func(*Subscription[int]) Effect[*Fiber[bool]] {
			return ForkDetach(p.PublishAll([]int{1, 2})).Tap(func(*Fiber[bool]) Effect[Unit] { return sleep(1) })
		}).Scoped())
		return do.Await(fast.Take()) == 1 && do.Await(publishing.Join()) && do.Await(fast.Take()) == 2, nil
	}).Scoped())
	if !exit.Value {
		t.Errorf("got %v", exit)
	}
}

func TestEndPublishesALastValueForEver(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		p := NewBoundedPubSub[int](1)
		s := do.Await(p.Subscribe())
		do.Await(p.Publish(1))
		if !do.Await(p.End(9)) || do.Await(p.End(9)) || do.Await(p.Publish(2)) {
			return nil, errors.New("not ended")
		}
		got := []int{do.Await(s.Take()), do.Await(s.Take()), do.Await(s.Take())}
		for n := range s.All(do) {
			got = append(got, n)
		}
		return got, nil
	}).Scoped())
	if want := []int{1, 9, 9, 9}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestShutdownInterruptsWhoTakesAndWhoPublishes(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (bool, error) {
		p := NewBoundedPubSub[int](1)
		s, idle := do.Await(p.Subscribe()), do.Await(p.Subscribe())
		do.Await(p.Publish(1))
		do.Await(s.Take())
		taking, publishing := do.Await(Fork(s.Take())), do.Await(Fork(p.Publish(2)))
		do.Await(sleep(1))
		do.Await(p.Shutdown())
		do.Await(p.AwaitShutdown())
		refused := !do.Await(p.Publish(3)) && p.IsShutdown() && do.Await(p.Size()) == 0
		return refused && do.Await(interrupted(taking.Join())) && do.Await(interrupted(publishing.Join())) &&
			do.Await(interrupted(idle.Take())), nil
	}).Scoped())
	if !exit.Value {
		t.Errorf("got %v", exit)
	}
}

func TestASubscriptionEndsWithItsScope(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		p := NewUnboundedPubSub[int]()
		var s *Subscription[int]
		RunExit(t.Context(), p.Subscribe().Map(func(made *Subscription[int]) Unit { s = made; return Unit{} }).Scoped())
		if exit := RunExit(t.Context(), s.Take()); !exit.Cause.HasInterrupts() {
			t.Errorf("got %v", exit)
		}
		p.PublishNow(1)
		if p.SizeNow() != 0 {
			t.Error("what nobody subscribes to is kept")
		}
		synctest.Wait()
	})
}

func TestTheChangesOfASubscriptionRefBeginWithItsValue(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		r := NewSubscriptionRef(1)
		do.Await(r.Set(2))
		changes := do.Await(r.Changes())
		do.Await(r.UpdateEffect(func(n int) Effect[int] { return Succeed(n * 10) }))
		do.Await(ExitOf(r.UpdateEffect(func(int) Effect[int] { return fail[int]("e") })))
		do.Await(r.Update(func(n int) int { return n + 1 }))
		return append(do.Await(changes.TakeAll()), do.Await(r.Get())), nil
	}).Scoped())
	if want := []int{2, 20, 21, 21}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}
