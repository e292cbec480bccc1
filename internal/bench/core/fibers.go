package core

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
)

// repeats is how often a piece of work is done within one fiber.
const repeats = 100

// ForkJoin forks a fiber that has nothing to do and waits for it.
var ForkJoin = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	inside(b, repeats, effect.Fork(effect.Succeed(1)).FlatMap(func(f *effect.Fiber[int]) effect.Effect[int] {
		return f.Join()
	}))
}}

// ErrgroupOne is what a Go programmer writes for one concurrent call that can
// fail and be cancelled.
var ErrgroupOne = measure.Work{Name: "errgroup.WithContext", Steps: repeats, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		for range repeats {
			result := 0
			g, _ := errgroup.WithContext(ctx)
			g.Go(func() error { result = 1; return nil })
			expect(b, result, g.Wait(), 1)
		}
	}
}}

// many is how many fibers are forked at once.
const many = 100

// ForkMany forks a hundred fibers and then waits for each.
var ForkMany = measure.Work{Name: "agentkit", Steps: many, Bench: func(b *testing.B) {
	fork := effect.Fork(effect.Succeed(1))
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		fibers := make([]*effect.Fiber[int], many)
		for i := range fibers {
			fibers[i] = do.Await(fork)
		}
		total := 0
		for _, f := range fibers {
			total += do.Await(f.Join())
		}
		return total, nil
	}), many)
}}

// ErrgroupMany runs a hundred calls in one group.
var ErrgroupMany = measure.Work{Name: "errgroup.WithContext", Steps: many, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		results := make([]int, many)
		g, _ := errgroup.WithContext(ctx)
		for i := range results {
			g.Go(func() error { results[i] = 1; return nil })
		}
		expect(b, len(results), g.Wait(), many)
	}
}}

// ConcMany does so in a pool of conc with a context.
var ConcMany = measure.Work{Name: "conc", Steps: many, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		p := pool.NewWithResults[int]().WithContext(ctx)
		for range many {
			p.Go(func(context.Context) (int, error) { return 1, nil })
		}
		results, err := p.Wait()
		expect(b, len(results), err, many)
	}
}}

// sleepers are interrupted all at once.
const sleepers = 1000

// InterruptMany interrupts a thousand sleeping fibers with their parent.
var InterruptMany = measure.Work{Name: "agentkit", Steps: sleepers, Bench: func(b *testing.B) {
	fork := effect.Fork(effect.Sleep(time.Hour))
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		for range sleepers {
			do.Await(fork)
		}
		return 1, nil // its children are interrupted and awaited here
	}), 1)
}}

// CancelMany cancels a thousand goroutines that wait for a timer.
var CancelMany = measure.Work{Name: "goroutines and a context", Steps: sleepers, Bench: func(b *testing.B) {
	parent, stop := context.WithCancel(context.Background())
	defer stop()
	for b.Loop() {
		ctx, cancel := context.WithCancel(parent)
		var group sync.WaitGroup
		for range sleepers {
			group.Go(func() {
				timer := time.NewTimer(time.Hour)
				defer timer.Stop()
				select {
				case <-timer.C:
				case <-ctx.Done():
				}
			})
		}
		cancel()
		group.Wait()
	}
}}

// Race runs an effect that succeeds against one that never ends.
var Race = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	inside(b, repeats, effect.Race(effect.Succeed(1), effect.Never[int]()))
}}

// Timeout bounds an effect that ends at once.
var Timeout = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	inside(b, repeats, effect.Sync(func() int { return 1 }).Timeout(time.Hour))
}}

// ContextTimeout bounds a call that ends at once with a context of its own.
var ContextTimeout = measure.Work{Name: "context.WithTimeout", Steps: repeats, Bench: func(b *testing.B) {
	parent, stop := context.WithCancel(context.Background())
	defer stop()
	for b.Loop() {
		for range repeats {
			ctx, cancel := context.WithTimeout(parent, time.Hour)
			n, err := step(0)
			if ctx.Err() != nil {
				b.Fatal(ctx.Err())
			}
			cancel()
			expect(b, n, err, 1)
		}
	}
}}

// Fibers compares what starts and ends beside the work around it.
func Fibers() []measure.Comparison {
	open := func(ratio float64) measure.Budget {
		return measure.Budget{Ratio: ratio, Allocs: measure.Unbounded}
	}
	const child = "Each child is a fiber with an identity, an outcome of its own and children that end with it; one can be interrupted alone, and is awaited. A group shares one context and keeps one error."
	return []measure.Comparison{
		{Name: "fork and join of one", Ours: ForkJoin, Baseline: ErrgroupOne, Budget: open(1.4), Why: child},
		{Name: "fork of 100 and join, each", Ours: ForkMany, Baseline: ErrgroupMany, Peers: []measure.Work{ConcMany}, Budget: open(0), Why: child},
		{Name: "fork and interruption of 1,000 sleepers, each", Ours: InterruptMany, Baseline: CancelMany, Budget: open(0), Why: child},
		{Name: "race of two, against a fork and join", Ours: Race, Baseline: ForkJoin, Budget: open(3), Why: "A race is two fibers, and waits until the one that lost has cleaned up."},
		{Name: "timeout that does not fire", Ours: Timeout, Baseline: ContextTimeout, Budget: open(1.6), Why: "The bounded effect is a fiber: when time is up it is interrupted alone, and awaited."},
	}
}

// IdleFibers are a million fibers that wait, beside as many goroutines with a
// context each that can be cancelled.
func IdleFibers() measure.Footprint {
	return measure.Footprint{
		Name: "an idle fiber", Count: 1_000_000, Ratio: 1.5, Ours: idleFibers,
		BaselineName: "a goroutine with a cancel context", Baseline: idleGoroutines,
	}
}

func idleFibers(count int) (remove func()) {
	ready := make(chan struct{})
	root := effect.Start(context.Background(), effect.Gen(func(do effect.Do) (effect.Unit, error) {
		wait := effect.Fork(effect.Never[effect.Unit]())
		for range count {
			do.Await(wait)
		}
		close(ready)
		do.Await(effect.Never[effect.Unit]())
		return effect.Unit{}, nil
	}))
	<-ready
	settle()
	return func() {
		root.InterruptNow()
		<-root.Done()
	}
}

func idleGoroutines(count int) (remove func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var g errgroup.Group
	for range count {
		own, stop := context.WithCancel(ctx)
		g.Go(func() error {
			defer stop()
			<-own.Done()
			return nil
		})
	}
	settle()
	return func() {
		cancel()
		_ = g.Wait()
	}
}
