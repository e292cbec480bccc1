package effect_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"pgregory.net/rapid"
)

// anyQueue is the part of a queue that the properties use.
type anyQueue interface {
	Offer(int) Effect[bool]
	Take() Effect[int]
	TakeBetween(least, most int) Effect[[]int]
	End() Effect[bool]
}

type queueProgram struct {
	capacity int
	ops      []queueOp
}

type queueOp struct {
	kind   string // offer, take, interrupt, end
	n      int    // how many to take, or which fiber to interrupt
	atOnce bool   // do not wait until all is at rest
}

func queuePrograms(races bool) *rapid.Generator[queueProgram] {
	return rapid.Custom(func(rt *rapid.T) queueProgram {
		kinds := rapid.SampledFrom([]string{"offer", "offer", "offer", "take", "take", "interrupt", "end"})
		op := rapid.Custom(func(rt *rapid.T) queueOp {
			return queueOp{kinds.Draw(rt, "kind"), rapid.IntRange(1, 3).Draw(rt, "n"), races && rapid.Bool().Draw(rt, "at once")}
		})
		return queueProgram{rapid.IntRange(0, 3).Draw(rt, "capacity"), rapid.SliceOfN(op, 1, 40).Draw(rt, "ops")}
	})
}

// queueModel is what a queue does, one step after the other.
type queueModel struct {
	capacity       int
	buffer         []int
	offers, takers []*modelFiber
	ended          bool
}

// modelFiber is a fiber that offers value or takes n, and how it has ended, if it has.
type modelFiber struct {
	takes    bool
	value, n int
	ended    string
}

func (m *queueModel) offer(f *modelFiber) {
	if m.ended {
		f.ended = "Success(false)"
		return
	}
	m.offers = append(m.offers, f)
	m.settle()
}

func (m *queueModel) take(f *modelFiber) {
	m.takers = append(m.takers, f)
	m.settle()
}

func (m *queueModel) interrupt(f *modelFiber) {
	if f.ended != "" {
		return
	}
	f.ended = "interrupted"
	waits := func(o *modelFiber) bool { return o == f }
	m.offers, m.takers = slices.DeleteFunc(m.offers, waits), slices.DeleteFunc(m.takers, waits)
	m.settle()
}

func (m *queueModel) settle() {
	for again := true; again; {
		again = false
		for len(m.offers) > 0 && len(m.buffer) < m.capacity {
			m.admit()
		}
		for i, f := range m.takers {
			least := min(f.n, max(m.capacity, 1))
			if m.ended {
				least = 1
			}
			if len(m.buffer) < least && m.capacity == 0 && len(m.offers) > 0 {
				m.admit() // from hand to hand
			}
			if len(m.buffer) < least || len(m.buffer) == 0 {
				continue
			}
			n := min(f.n, len(m.buffer))
			f.ended = fmt.Sprintf("Success(%v)", m.buffer[:n])
			m.buffer = slices.Clone(m.buffer[n:])
			m.takers = slices.Delete(m.takers, i, i+1)
			again = true
			break
		}
	}
	if m.ended && len(m.buffer) == 0 && len(m.offers) == 0 {
		for _, f := range m.takers {
			f.ended = "done"
		}
		m.takers = nil
	}
}

func (m *queueModel) admit() {
	m.buffer = append(m.buffer, m.offers[0].value)
	m.offers[0].ended = "Success(true)"
	m.offers = m.offers[1:]
}

// queueFollowsItsModel runs a program without races and compares the outcome of every fiber after every operation.
func queueFollowsItsModel(p queueProgram, open func(int) anyQueue) string {
	var wrong findings
	q, m := open(p.capacity), &queueModel{capacity: p.capacity}
	ctx := context.Background()
	var fibers []*Fiber[string]
	var models []*modelFiber
	for i, op := range p.ops {
		switch op.kind {
		case "offer":
			f := &modelFiber{value: i}
			models, fibers = append(models, f), append(fibers, Start(ctx, q.Offer(i).Map(success[bool])))
			m.offer(f)
		case "take":
			f := &modelFiber{takes: true, n: op.n}
			models, fibers = append(models, f), append(fibers, Start(ctx, q.TakeBetween(op.n, op.n).Map(success[[]int])))
			m.take(f)
		case "interrupt":
			if k := len(fibers) - op.n; k >= 0 {
				fibers[k].InterruptNow()
				m.interrupt(models[k])
			}
		case "end":
			Start(ctx, q.End())
			m.ended = true
			m.settle()
		}
		synctest.Wait()
		for k, f := range fibers {
			wrong.expect(outcome(f) == models[k].ended, "after operation %d of %+v fiber %d has %q; want %q", i, p, k, outcome(f), models[k].ended)
		}
	}
	for _, f := range fibers {
		f.InterruptNow()
	}
	synctest.Wait()
	return wrong.text()
}

func success[A any](a A) string { return fmt.Sprintf("Success(%v)", a) }

// outcome is how a fiber has ended: with its value, "done" or "interrupted"; empty while it runs.
func outcome(f *Fiber[string]) string {
	x, over := f.Poll()
	switch {
	case !over:
		return ""
	case x.IsSuccess():
		return x.Value
	case x.Cause.HasInterrupts():
		return "interrupted"
	}
	return "done"
}

// queueLosesNothing runs a program with races: what was offered with success is taken once, or is left.
func queueLosesNothing(p queueProgram, open func(int) anyQueue) string {
	var wrong findings
	q := open(p.capacity)
	ctx := context.Background()
	var mu sync.Mutex
	offered, taken := map[int]bool{}, map[int]int{}
	took := func(values []int) Unit {
		mu.Lock()
		defer mu.Unlock()
		for _, v := range values {
			taken[v]++
		}
		return Unit{}
	}
	var fibers []*Fiber[Unit]
	for i, op := range p.ops {
		switch op.kind {
		case "offer": // masked, so that what the offer says is heard
			fibers = append(fibers, Start(ctx, Mask(func(restore Restore) Effect[Unit] {
				return restore.On(q.Offer(i)).Map(func(in bool) Unit {
					mu.Lock()
					defer mu.Unlock()
					offered[i] = in
					return Unit{}
				})
			})))
		case "take":
			fibers = append(fibers, Start(ctx, Mask(func(restore Restore) Effect[Unit] {
				if op.n == 1 {
					return restore.On(q.Take()).Map(func(v int) Unit { return took([]int{v}) })
				}
				return restore.On(q.TakeBetween(1, op.n)).Map(took)
			})))
		case "interrupt":
			if k := len(fibers) - op.n; k >= 0 {
				fibers[k].InterruptNow()
			}
		}
		if !op.atOnce {
			synctest.Wait()
		}
	}
	Start(ctx, q.End())
	for range p.ops {
		left := Start(ctx, q.TakeBetween(1, len(p.ops)).Map(took))
		synctest.Wait()
		left.InterruptNow()
	}
	for _, f := range fibers {
		f.InterruptNow()
	}
	synctest.Wait()
	for i, in := range offered {
		wrong.expect(in == (taken[i] == 1), "%+v: value %d was admitted: %v; it was taken %d times", p, i, in, taken[i])
	}
	for i, n := range taken {
		wrong.expect(offered[i] && n == 1, "%+v: value %d was admitted: %v; it was taken %d times", p, i, offered[i], n)
	}
	return wrong.text()
}

func openQueue(capacity int) anyQueue { return NewBoundedQueue[int](capacity) }

func TestQueueFollowsItsModel(t *testing.T) {
	checkProperty(t, queuePrograms(false), func(p queueProgram) string { return queueFollowsItsModel(p, openQueue) })
}

func TestQueueLosesAndDuplicatesNothingUnderInterruption(t *testing.T) {
	checkProperty(t, queuePrograms(true), func(p queueProgram) string { return queueLosesNothing(p, openQueue) })
}

// lossyQueue loses what a taker was given as it is interrupted.
type lossyQueue struct{ *Queue[int] }

func (q lossyQueue) Take() Effect[int] {
	return q.TakeBetween(1, 1).Map(func(values []int) int { return values[0] })
}

func (q lossyQueue) TakeBetween(least, most int) Effect[[]int] {
	return Gen(func(do Do) ([]int, error) {
		hand := make(chan []int, 1)
		do.Await(ForkDetach(q.Queue.TakeBetween(least, most).FlatMap(func(values []int) Effect[Unit] { return Send(hand, values) })))
		return do.Await(Receive(hand)), nil
	})
}

func TestTheQueuePropertyCatchesAQueueThatLosesValues(t *testing.T) {
	checkCatches(t, queuePrograms(true), func(p queueProgram) string {
		return queueLosesNothing(p, func(capacity int) anyQueue { return lossyQueue{NewBoundedQueue[int](capacity)} })
	})
}

// hastyQueue serves a taker that can be served before those who came first.
type hastyQueue struct{ *Queue[int] }

func (q hastyQueue) TakeBetween(least, most int) Effect[[]int] {
	return q.Queue.TakeBetween(1, 1).FlatMap(func(first []int) Effect[[]int] {
		if least == 1 {
			return Succeed(first)
		}
		return q.TakeBetween(least-1, most-1).Map(func(rest []int) []int { return append(first, rest...) })
	})
}

func TestTheQueueModelCatchesAQueueThatServesOutOfOrder(t *testing.T) {
	checkCatches(t, queuePrograms(false), func(p queueProgram) string {
		return queueFollowsItsModel(p, func(capacity int) anyQueue { return hastyQueue{NewBoundedQueue[int](capacity)} })
	})
}
