package core

import (
	"context"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/samber/mo"
)

// links is how long a prebuilt chain is.
const links = 1000

// increment is the unit of the chains: a call through a function value that
// returns a value and an error, as a hand-written step has it.
//
//go:noinline
func increment(i int) (int, error) { return i + 1, nil }

// step keeps the compiler from seeing which function is called.
var step = increment

// Call is the baseline of a step.
var Call = measure.Work{Name: "function call", Steps: links, Bench: func(b *testing.B) {
	for b.Loop() {
		total := 0
		for range links {
			n, err := step(total)
			if err != nil {
				b.Fatal(err)
			}
			total = n
		}
		expect(b, total, nil, links)
	}
}}

// Map runs a prebuilt chain of Map.
var Map = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	e := effect.Succeed(0)
	for range links {
		e = e.Map(func(i int) int { return i + 1 })
	}
	run(b, e, links)
}}

// FlatMap runs a prebuilt chain of FlatMap. The context can be cancelled, so
// each step looks whether it is.
var FlatMap = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	e := effect.Succeed(0)
	for range links {
		e = e.FlatMap(func(i int) effect.Effect[int] { return effect.Succeed(i + 1) })
	}
	run(b, e, links)
}}

// FlatMapBuilt is a recursion that builds each step as it runs.
var FlatMapBuilt = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	var count func(i int) effect.Effect[int]
	count = func(i int) effect.Effect[int] {
		if i == links {
			return effect.Succeed(i)
		}
		return effect.Succeed(i + 1).FlatMap(count)
	}
	run(b, effect.Suspend(func() effect.Effect[int] { return count(0) }), links)
}}

// Await is a generator that awaits the same effect again and again.
var Await = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	one := effect.Sync(func() int { return 1 })
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		total := 0
		for range links {
			total += do.Await(one)
		}
		return total, nil
	}), links)
}}

// MoMap and MoFlatMap are steps of samber/mo's Result, which does each at once
// and can not be interrupted.
var (
	MoMap = measure.Work{Name: "mo.Result", Steps: links, Bench: func(b *testing.B) {
		for b.Loop() {
			r := mo.Ok(0)
			for range links {
				r = r.Map(step)
			}
			n, err := r.Get()
			expect(b, n, err, links)
		}
	}}
	MoFlatMap = measure.Work{Name: "mo.Result", Steps: links, Bench: func(b *testing.B) {
		next := func(i int) mo.Result[int] { return mo.Ok(i + 1) }
		for b.Loop() {
			r := mo.Ok(0)
			for range links {
				r = r.FlatMap(next)
			}
			n, err := r.Get()
			expect(b, n, err, links)
		}
	}}
)

// Chains compares steps that follow each other.
func Chains() []measure.Comparison {
	const value = "A call is only a call. A chain is a value: it can be run again, bounded, retried, handled as a whole"
	return []measure.Comparison{
		{
			Name: "Map, prebuilt, a step", Ours: Map, Baseline: Call, Peers: []measure.Work{MoMap}, Budget: measure.Budget{Ratio: 6},
			Why: value + ".",
		},
		{
			Name: "FlatMap, prebuilt, a step", Ours: FlatMap, Baseline: Call, Peers: []measure.Work{MoFlatMap}, Budget: measure.Budget{Ratio: 14},
			Why: value + ", and it looks for an interruption at every step. A result of mo is there already when the next step begins.",
		},
		{
			Name: "FlatMap, built while running, a step", Ours: FlatMapBuilt, Baseline: Call, Budget: measure.Budget{Allocs: 2},
			Why: "Each step is made before it runs, which allocates. A loop in a generator does not.",
		},
		{
			Name: "do.Await in Gen, a step", Ours: Await, Baseline: Call, Budget: measure.Budget{Ratio: 7},
			Why: "An awaited effect may be anything, so it is called through a function value, and its outcome is looked at.",
		},
	}
}

// run does an effect again and again under a context that can be cancelled.
func run(b *testing.B, e effect.Effect[int], want int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		got, err := e.Run(ctx)
		expect(b, got, err, want)
	}
}

// inside does an effect many times within one fiber, so that the root's own
// cost does not count.
func inside(b *testing.B, times int, e effect.Effect[int]) {
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		last := 0
		for range times {
			last = do.Await(e)
		}
		return last, nil
	}), 1)
}

func expect(b *testing.B, got int, err error, want int) {
	if err != nil || got != want {
		b.Fatalf("got %d and %v, want %d", got, err, want)
	}
}
