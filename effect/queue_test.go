package effect_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func TestOffersToAFullQueueAreAdmittedInOrder(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := NewBoundedQueue[int](1)
		for i := range 4 {
			do.Await(Fork(q.Offer(i)))
			do.Await(sleep(1))
		}
		var all []int
		for range 4 {
			all = append(all, do.Await(q.Take()))
		}
		return all, nil
	}))
	if want := []int{0, 1, 2, 3}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestManyProducersAndConsumersShareAQueue(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (int, error) {
		q, sum := NewBoundedQueue[int](3), NewRef(0)
		consumer := Forever(q.Take().FlatMap(func(n int) Effect[Unit] { return sum.Update(func(s int) int { return s + n }) }))
		consumers := do.Await(Fork(All(slices.Repeat([]Effect[Unit]{consumer}, 3), Unbounded)))
		do.Await(ForEachDiscard(slices.Repeat([]int{1}, 4), func(int) Effect[Unit] {
			return ForEachDiscard([]int{1, 2, 3, 4, 5}, q.Offer)
		}, Unbounded))
		do.Await(q.End())
		x := do.Await(consumers.Await())
		if _, done := errors.AsType[*Done](x.Cause); !done {
			return 0, x.Cause
		}
		return do.Await(sum.Get()), nil
	}))
	if exit.Value != 60 {
		t.Errorf("got %v; want 60", exit)
	}
}

func TestATakerForSeveralIsOvertaken(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := NewUnboundedQueue[int]()
		several := do.Await(Fork(q.TakeN(2)))
		do.Await(sleep(1))
		one := do.Await(Fork(q.Take()))
		do.Await(sleep(1))
		do.Await(q.Offer(1))
		first := do.Await(one.Join())
		do.Await(q.OfferAll([]int{2, 3}))
		return append(do.Await(several.Join()), first), nil
	}))
	if want := []int{2, 3, 1}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestTakeNFromAQueueWithLessRoomTakesWhatThereIsRoomFor(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := NewBoundedQueue[int](2)
		do.Await(Fork(q.OfferAll([]int{1, 2, 3})))
		return do.Await(q.TakeN(5)), nil
	}))
	if want := []int{1, 2}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestAQueueThatEndsGivesATakerForSeveralWhatIsLeft(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := NewUnboundedQueue[int]()
		several := do.Await(Fork(q.TakeN(3)))
		do.Await(sleep(1))
		do.Await(q.Offer(1))
		do.Await(q.End())
		return do.Await(several.Join()), nil
	}))
	if want := []int{1}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestAQueueIsNotOverWhileATakerMayGiveBack(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (int, error) {
		q := NewUnboundedQueue[int]()
		first := do.Await(Fork(q.Take()))
		do.Await(sleep(1))
		second := do.Await(Fork(q.Take()))
		do.Await(sleep(1))
		// The first taker is given the value and interrupted, and the queue ended, before it runs again.
		do.Await(q.Offer(7).AndThen(first.InterruptFork()).AndThen(q.End()))
		if x := do.Await(first.Await()); x.IsSuccess() {
			return x.Value, nil
		}
		return do.Await(second.Join()), nil
	}))
	if exit.Value != 7 {
		t.Errorf("got %v; want 7", exit)
	}
}

func TestPeekLeavesTheValue(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := NewBoundedQueue[int](2)
		peeked := do.Await(Fork(q.Peek()))
		do.Await(sleep(1))
		do.Await(q.Offer(1))
		return []int{do.Await(peeked.Join()), do.Await(q.Peek()), do.Await(q.Take())}, nil
	}))
	if want := []int{1, 1, 1}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestClearOfAQueueThatFailedFails(t *testing.T) {
	q := NewUnboundedQueue[int]()
	q.FailCauseNow(errors.FailCause(E("e")))
	if exit := effecttest.Run(t, ExitOf(q.Clear())); exit.Value.Cause == nil {
		t.Errorf("got %v", exit)
	}
	q = NewUnboundedQueue[int]()
	q.EndNow()
	if exit := effecttest.Run(t, q.Clear()); exit.IsFailure() || len(exit.Value) != 0 {
		t.Errorf("got %v", exit)
	}
}

func TestIntoQueueEndsTheQueueWhenItsEffectIsInterrupted(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		q := NewUnboundedQueue[int]()
		f := Start(t.Context(), Never[int]().IntoQueue(q))
		synctest.Wait()
		f.InterruptNow()
		<-f.Done()
		if exit := RunExit(t.Context(), q.Take()); !exit.Cause.HasInterrupts() {
			t.Errorf("got %v", exit)
		}
	})
}

func TestAQueueIsASequence(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		q := NewBoundedQueue[int](1)
		Start(t.Context(), q.OfferAll([]int{1, 2, 3}).AndThen(q.End()))
		if got, want := slices.Collect(q.Values(t.Context())), []int{1, 2, 3}; !slices.Equal(got, want) {
			t.Errorf("got %v; want %v", got, want)
		}
	})
}

func TestASequenceOverAQueueTellsWhyItStops(t *testing.T) {
	stops := func(ctx context.Context, q *Queue[int]) (last error) {
		for _, err := range q.All(ctx) {
			last = err
		}
		return last
	}
	effecttest.Bubble(t, func(t *testing.T) {
		failed := NewUnboundedQueue[int]()
		failed.OfferNow(1)
		failed.FailCauseNow(errors.FailCause(E("boom")))
		if err := stops(t.Context(), failed); !errors.Is(err, E("boom")) {
			t.Errorf("of a failed queue: %v", err)
		}
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if err := stops(ctx, NewUnboundedQueue[int]()); err != cause {
			t.Errorf("with a context that is done: %v", err)
		}
	})
}

func TestAChannelIsAQueue(t *testing.T) {
	ch := make(chan int)
	exit := effecttest.Run(t, Gen(func(do Do) ([]int, error) {
		q := do.Await(QueueOf(ch))
		do.Await(Fork(ForEachDiscard([]int{1, 2, 3}, func(n int) Effect[Unit] { return Send(ch, n) }).
			AndThen(Call(func() { close(ch) }))))
		return do.Await(q.Collect()), nil
	}).Scoped())
	if want := []int{1, 2, 3}; !slices.Equal(exit.Value, want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestTheQueueOfAChannelIsShutDownWithItsScope(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		s := scope.New()
		q, err := QueueOf(make(chan int)).Run(scope.Into(t.Context(), s))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(t.Context(), scope.Exit{}); err != nil {
			t.Fatal(err)
		}
		if exit := RunExit(t.Context(), q.Take()); !exit.Cause.HasInterrupts() {
			t.Errorf("got %v", exit)
		}
	})
}

func TestReceiveFromAClosedChannelFailsWithDone(t *testing.T) {
	ch := make(chan int)
	close(ch)
	exit := effecttest.Run(t, Receive(ch))
	if !errors.Is(exit.Cause, &Done{}) {
		t.Errorf("got %v", exit)
	}
}
