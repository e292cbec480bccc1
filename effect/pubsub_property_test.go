package effect_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
	"pgregory.net/rapid"
)

type pubSubProgram struct {
	kind             string // bounded, dropping, sliding, unbounded
	capacity, replay int
	ops              []pubSubOp
}

type pubSubOp struct {
	kind   string // subscribe, leave, publish, take, batch, interrupt, end
	n      int    // how many to publish or to take, or which fiber to interrupt
	which  int    // which subscription
	atOnce bool
}

func pubSubPrograms(kinds ...string) *rapid.Generator[pubSubProgram] {
	ops := []string{"subscribe", "leave", "publish", "publish", "publish", "take", "take", "take", "batch", "interrupt"}
	op := rapid.Custom(func(rt *rapid.T) pubSubOp {
		return pubSubOp{rapid.SampledFrom(ops).Draw(rt, "kind"), rapid.IntRange(1, 3).Draw(rt, "n"),
			rapid.IntRange(0, 2).Draw(rt, "subscription"), rapid.Bool().Draw(rt, "at once")}
	})
	return rapid.Custom(func(rt *rapid.T) pubSubProgram {
		p := pubSubProgram{rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.IntRange(1, 3).Draw(rt, "capacity"),
			rapid.IntRange(0, 2).Draw(rt, "replay"), rapid.SliceOfN(op, 1, 40).Draw(rt, "ops")}
		if end := rapid.IntRange(0, 2*len(p.ops)).Draw(rt, "end"); end < len(p.ops) {
			p.ops = slices.Insert(p.ops, end, pubSubOp{kind: "end"})
		}
		return p
	})
}

func openPubSub(p pubSubProgram) *PubSub[int] {
	switch p.kind {
	case "dropping":
		return NewDroppingPubSub[int](p.capacity, Replay(p.replay))
	case "sliding":
		return NewSlidingPubSub[int](p.capacity, Replay(p.replay))
	case "unbounded":
		return NewUnboundedPubSub[int](Replay(p.replay))
	}
	return NewBoundedPubSub[int](p.capacity, Replay(p.replay))
}

// taking is how a value is taken from a subscription: a fault may be in it.
type taking func(*Subscription[int]) Effect[int]

func takeOne(s *Subscription[int]) Effect[int] { return s.Take() }

// subscribed is a subscription with the scope that it ends with.
type subscribed struct {
	*Subscription[int]
	scope *scope.Scope
}

func subscribeTo(p *PubSub[int]) (subscribed, error) {
	sp := scope.New()
	s, err := p.Subscribe().Run(scope.Into(context.Background(), sp))
	return subscribed{s, sp}, err
}

func (s subscribed) leave() { _ = s.scope.Close(context.Background(), scope.Exit{}) }

// pubSubFollowsItsModel runs a program without races and compares the outcome of every fiber after every operation.
func pubSubFollowsItsModel(p pubSubProgram, open func(pubSubProgram) *PubSub[int], take taking) string {
	var wrong findings
	hub, m := open(p), &pubSubModel{pubSubProgram: p}
	ctx := context.Background()
	var subs []subscribed
	var fibers []*Fiber[string]
	var models []*modelFiber
	add := func(e Effect[string]) *modelFiber {
		f := &modelFiber{}
		models, fibers = append(models, f), append(fibers, Start(ctx, e))
		return f
	}
	for i, op := range p.ops {
		there := op.which < len(subs)
		switch {
		case op.kind == "subscribe":
			s, err := subscribeTo(hub)
			wrong.expect(err == nil, "%+v: cannot subscribe: %v", p, err)
			subs = append(subs, s)
			m.subscribe()
		case op.kind == "publish":
			var values []int
			for n := range op.n {
				values = append(values, 10*i+n)
			}
			m.publish(add(hub.PublishAll(values).Map(success[bool])), values)
		case op.kind == "end":
			hub.EndNow(-1)
			m.end(-1)
		case op.kind == "interrupt":
			if k := len(fibers) - op.n; k >= 0 {
				fibers[k].InterruptNow()
				m.interrupt(models[k])
			}
		case !there:
		case op.kind == "leave":
			subs[op.which].leave()
			m.leave(m.subs[op.which])
		case op.kind == "take":
			f := add(take(subs[op.which].Subscription).Map(success[int]))
			if s := m.subs[op.which]; s.over {
				f.ended = "interrupted"
			} else {
				s.takers = append(s.takers, f)
				m.settle()
			}
		case op.kind == "batch":
			f := add(subs[op.which].TakeUpTo(op.n).Map(success[[]int]))
			if s := m.subs[op.which]; s.over {
				f.ended = "interrupted"
			} else {
				f.ended = success(m.batch(s, op.n))
			}
		}
		synctest.Wait()
		for k, f := range fibers {
			wrong.expect(outcome(f) == models[k].ended, "after operation %d of %+v fiber %d has %q; want %q", i, p, k, outcome(f), models[k].ended)
		}
		wrong.expect(hub.SizeNow() == m.size(), "after operation %d of %+v it holds %d values; want %d", i, p, hub.SizeNow(), m.size())
	}
	for _, f := range fibers {
		f.InterruptNow()
	}
	synctest.Wait()
	return wrong.text()
}

// pubSubLosesNothing runs a program with races: three subscriptions share their values among those who take from them, and one has
// them all for itself. What was published is taken once from each that was there for all of it, and what was not is never taken.
func pubSubLosesNothing(p pubSubProgram, open func(pubSubProgram) *PubSub[int], take taking) string {
	var wrong findings
	hub := open(p)
	ctx := context.Background()
	var mu sync.Mutex
	published, taken := map[int]bool{}, [4]map[int]int{{}, {}, {}, {}}
	var subs []subscribed
	for range taken {
		s, err := subscribeTo(hub)
		wrong.expect(err == nil, "%+v: cannot subscribe: %v", p, err)
		subs = append(subs, s)
	}
	took := func(from int, values ...int) Unit {
		mu.Lock()
		defer mu.Unlock()
		for _, value := range values {
			taken[from][value]++
		}
		return Unit{}
	}
	var fibers []*Fiber[Unit]
	start := func(masked func(Restore) Effect[Unit]) { fibers = append(fibers, Start(ctx, Mask(masked))) }
	left := [4]bool{}
	drain := func() {
		for from, s := range subs {
			fibers = append(fibers, Start(ctx, s.TakeUpTo(len(p.ops)).Map(func(values []int) Unit { return took(from, values...) })))
		}
		synctest.Wait()
	}
	for i, op := range p.ops {
		s := subs[op.which]
		switch op.kind {
		case "publish":
			start(func(restore Restore) Effect[Unit] {
				return restore.On(hub.Publish(i)).Map(func(in bool) Unit {
					mu.Lock()
					defer mu.Unlock()
					published[i] = in
					return Unit{}
				})
			})
		case "take":
			start(func(restore Restore) Effect[Unit] {
				return restore.On(take(s.Subscription)).Map(func(value int) Unit { return took(op.which, value) })
			})
		case "batch":
			start(func(restore Restore) Effect[Unit] {
				return restore.On(s.TakeBetween(op.n, op.n)).Map(func(values []int) Unit { return took(op.which, values...) })
			})
		case "interrupt":
			if k := len(fibers) - op.n; k >= 0 {
				fibers[k].InterruptNow()
			}
		case "leave":
			if op.which == 0 { // the others stay to the end
				left[0] = true
				s.leave()
			}
		case "subscribe": // the one that nobody else takes from makes room
			drain()
		}
		if !op.atOnce {
			synctest.Wait()
		}
	}
	for _, f := range fibers {
		f.InterruptNow()
	}
	synctest.Wait()
	drain()
	drain() // what who waited to publish has added
	for _, f := range fibers {
		f.InterruptNow()
	}
	synctest.Wait()
	wrong.expect(hub.SizeNow() == 0, "%+v: %d values are left", p, hub.SizeNow())
	for _, s := range subs {
		s.leave()
	}
	synctest.Wait()
	for from := range taken {
		for value, in := range published {
			n := taken[from][value]
			wrong.expect(n == 1 && in || n == 0 && (!in || left[from]), "%+v: value %d was published: %v; subscription %d has it %d times", p, value, in, from, n)
		}
		for value := range taken[from] {
			wrong.expect(published[value], "%+v: subscription %d has value %d, which was not published", p, from, value)
		}
	}
	return wrong.text()
}

func TestPubSubFollowsItsModel(t *testing.T) {
	checkProperty(t, pubSubPrograms("bounded", "dropping", "sliding", "unbounded"), func(p pubSubProgram) string {
		return pubSubFollowsItsModel(p, openPubSub, takeOne)
	})
}

func TestPubSubLosesAndDuplicatesNothingUnderInterruption(t *testing.T) {
	checkProperty(t, pubSubPrograms("bounded", "dropping", "unbounded"), func(p pubSubProgram) string {
		return pubSubLosesNothing(p, openPubSub, takeOne)
	})
}
