package core

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
)

const items = 10_000

// unbounded is the concurrency of a collection that runs all items at once.
const unbounded = 0

// ForEach maps ten thousand items, some at a time.
func ForEach(concurrency int, item func(int) (int, error)) measure.Work {
	option := effect.Unbounded
	if concurrency != unbounded {
		option = effect.Concurrency(concurrency)
	}
	return measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
		list := make([]int, items)
		each := func(i int) effect.Effect[int] {
			n, err := item(i)
			if err != nil {
				return effect.Fail[int](err)
			}
			return effect.Succeed(n)
		}
		e := effect.ForEach(list, each, option)
		run(b, e.Map(func(results []int) int { return len(results) }), items)
	}}
}

// Workers are goroutines that pull the next index, stop at the first failure and
// when the context is done: what a careful programmer writes for one place.
func Workers(concurrency int, item func(int) (int, error)) measure.Work {
	if concurrency == unbounded {
		concurrency = items
	}
	return measure.Work{Name: "workers pulling an index", Bench: func(b *testing.B) {
		list := make([]int, items)
		parent, stop := context.WithCancel(context.Background())
		defer stop()
		for b.Loop() {
			results := make([]int, len(list))
			err := work(parent, concurrency, list, results, item)
			expect(b, len(results), err, items)
		}
	}}
}

func work(parent context.Context, concurrency int, list, results []int, item func(int) (int, error)) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range concurrency {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				n, err := item(list[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = n
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// Loop goes over the items one after the other and looks at the context.
func Loop(item func(int) (int, error)) measure.Work {
	return measure.Work{Name: "loop", Bench: func(b *testing.B) {
		list := make([]int, items)
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		for b.Loop() {
			results := make([]int, len(list))
			var err error
			for i := range list {
				if err = ctx.Err(); err != nil {
					break
				}
				if results[i], err = item(list[i]); err != nil {
					break
				}
			}
			expect(b, len(results), err, items)
		}
	}}
}

// ErrgroupLimit is the usual way to bound concurrency.
func ErrgroupLimit(concurrency int, item func(int) (int, error)) measure.Work {
	return measure.Work{Name: "errgroup", Bench: func(b *testing.B) {
		list := make([]int, items)
		parent, stop := context.WithCancel(context.Background())
		defer stop()
		for b.Loop() {
			results := make([]int, len(list))
			g, ctx := errgroup.WithContext(parent)
			if concurrency != unbounded {
				g.SetLimit(concurrency)
			}
			for i := range list {
				g.Go(func() (err error) {
					if err = ctx.Err(); err == nil {
						results[i], err = item(list[i])
					}
					return err
				})
			}
			expect(b, len(results), g.Wait(), items)
		}
	}}
}

// ConcPool is conc's pool with a context and results.
func ConcPool(concurrency int, item func(int) (int, error)) measure.Work {
	return measure.Work{Name: "conc", Bench: func(b *testing.B) {
		list := make([]int, items)
		parent, stop := context.WithCancel(context.Background())
		defer stop()
		for b.Loop() {
			p := pool.NewWithResults[int]().WithContext(parent).WithCancelOnError().WithFirstError()
			if concurrency != unbounded {
				p = p.WithMaxGoroutines(concurrency)
			}
			for i := range list {
				p.Go(func(ctx context.Context) (int, error) {
					if err := ctx.Err(); err != nil {
						return 0, err
					}
					return item(list[i])
				})
			}
			results, err := p.Wait()
			expect(b, len(results), err, items)
		}
	}}
}

// microsecond is work of about that long, which no compiler can leave out.
func microsecond(i int) (int, error) {
	x := uint64(i) + 1
	for range 650 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		return 0, errZero
	}
	return i + 1, nil
}

var errZero = fmt.Errorf("a shift register is never zero")

// Collections compares work over many items.
func Collections() []measure.Comparison {
	const fibers = "Each item runs on a fiber, can fork, and is interrupted and awaited when another fails."
	open := measure.Budget{Allocs: measure.Unbounded}
	both := func(name string, concurrency int, item func(int) (int, error), budget measure.Budget) measure.Comparison {
		return measure.Comparison{
			Name: name, Ours: ForEach(concurrency, item), Baseline: Workers(concurrency, item), Budget: budget,
			Peers: []measure.Work{ErrgroupLimit(concurrency, item), ConcPool(concurrency, item)}, Why: fibers,
		}
	}
	return []measure.Comparison{
		{Name: "forEach of 10,000, one by one", Ours: ForEach(1, step), Baseline: Loop(step), Budget: open, Why: fibers},
		both("forEach of 10,000 at 16", 16, step, measure.Budget{Ratio: 1.5, Allocs: 60}),
		both("forEach of 10,000, all at once", unbounded, step, open),
		{Name: "forEach of 10,000 of 1 µs, one by one", Ours: ForEach(1, microsecond), Baseline: Loop(microsecond), Budget: open, Why: fibers},
		both("forEach of 10,000 of 1 µs at 16", 16, microsecond, open),
		both("forEach of 10,000 of 1 µs, all at once", unbounded, microsecond, open),
	}
}
