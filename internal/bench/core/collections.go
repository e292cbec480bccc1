package core

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"golang.org/x/sync/errgroup"
)

const (
	items   = 10_000
	workers = 16
)

// ForEach maps ten thousand items with sixteen at a time.
var ForEach = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	list := make([]int, items)
	e := effect.ForEach(list, func(i int) effect.Effect[int] { return effect.Succeed(i + 1) }, effect.Concurrency(workers))
	run(b, e.Map(func(results []int) int { return len(results) }), items)
}}

// Workers are sixteen goroutines that pull the next index, stop at the first
// failure and when the context is done.
var Workers = measure.Work{Name: "workers pulling an index", Bench: func(b *testing.B) {
	list := make([]int, items)
	parent, stop := context.WithCancel(context.Background())
	defer stop()
	for b.Loop() {
		results := make([]int, len(list))
		ctx, cancel := context.WithCancelCause(parent)
		var next atomic.Int64
		var group sync.WaitGroup
		for range workers {
			group.Go(func() {
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= len(list) {
						return
					}
					n, err := step(list[i])
					if err != nil {
						cancel(err)
						return
					}
					results[i] = n
				}
			})
		}
		group.Wait()
		err := context.Cause(ctx)
		cancel(nil)
		expect(b, len(results), err, items)
	}
}}

// ErrgroupLimit is the usual way to bound concurrency.
var ErrgroupLimit = measure.Work{Name: "errgroup.SetLimit", Bench: func(b *testing.B) {
	list := make([]int, items)
	parent, stop := context.WithCancel(context.Background())
	defer stop()
	for b.Loop() {
		results := make([]int, len(list))
		g, ctx := errgroup.WithContext(parent)
		g.SetLimit(workers)
		for i, item := range list {
			g.Go(func() error {
				n, err := step(item)
				results[i] = n
				if err == nil {
					err = ctx.Err()
				}
				return err
			})
		}
		expect(b, len(results), g.Wait(), items)
	}
}}

// Collections compares work over many items.
func Collections() []measure.Comparison {
	return []measure.Comparison{{
		Name: "forEach of 10,000 at 16", Ours: ForEach, Baseline: Workers,
		Peers:  []measure.Work{ErrgroupLimit},
		Budget: measure.Budget{Ratio: 1.5, Allocs: 60},
	}}
}
