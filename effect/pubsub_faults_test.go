package effect_test

import (
	"testing"

	. "github.com/rivus/agentkit/effect"
)

// takeCarelessly loses what it was given as it is interrupted.
func takeCarelessly(s *Subscription[int]) Effect[int] {
	return Gen(func(do Do) (int, error) {
		hand := make(chan int, 1)
		do.Await(ForkDetach(s.Take().FlatMap(func(v int) Effect[Unit] { return Send(hand, v) })))
		return do.Await(Receive(hand)), nil
	})
}

// takeTwice drops some of what it takes.
func takeTwice(s *Subscription[int]) Effect[int] {
	return s.Take().Tap(func(n int) Effect[Unit] {
		if n%3 > 0 {
			return Succeed(Unit{})
		}
		return s.Take().AsUnit()
	})
}

func openForgetful(p pubSubProgram) *PubSub[int] {
	return NewSlidingPubSub[int](p.capacity, Replay(p.replay))
}

func openTalkative(p pubSubProgram) *PubSub[int] {
	p.replay++
	return openPubSub(p)
}

func TestThePubSubModelCatches(t *testing.T) {
	for name, fault := range map[string]struct {
		open func(pubSubProgram) *PubSub[int]
		take taking
	}{
		"a PubSub that drops values where it should wait":       {openForgetful, takeOne},
		"a PubSub that tells what came before the subscription": {openTalkative, takeOne},
		"a take that loses a value":                             {openPubSub, takeTwice},
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, pubSubPrograms("bounded", "dropping", "unbounded"), func(p pubSubProgram) string {
				return pubSubFollowsItsModel(p, fault.open, fault.take)
			})
		})
	}
}

func TestThePubSubPropertyCatches(t *testing.T) {
	for name, fault := range map[string]struct {
		open func(pubSubProgram) *PubSub[int]
		take taking
	}{
		"a PubSub that drops values":         {openForgetful, takeOne},
		"a take that loses a value":          {openPubSub, takeTwice},
		"an interrupted take that has taken": {openPubSub, takeCarelessly},
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, pubSubPrograms("bounded", "unbounded"), func(p pubSubProgram) string {
				return pubSubLosesNothing(p, fault.open, fault.take)
			})
		})
	}
}
