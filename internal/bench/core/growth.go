package core

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"golang.org/x/sync/errgroup"
)

var sizes = []int{10, 100, 1000, 10_000, 100_000}

// timed runs an effect once and says how long it took.
func timed[A any](e effect.Effect[A]) (time.Duration, error) {
	began := time.Now()
	_, err := e.Run(context.Background())
	return time.Since(began), err
}

// Growths are how the core's cost grows.
func Growths() []measure.Growth {
	return []measure.Growth{
		{Name: "forEach at 16", Unit: "items", Sizes: sizes, Ways: []measure.Way{
			{Name: "agentkit", Do: func(size int) (time.Duration, error) {
				each := func(i int) effect.Effect[int] { return effect.Succeed(i + 1) }
				return timed(effect.ForEach(make([]int, size), each, effect.Concurrency(16)))
			}},
			{Name: "workers pulling an index", Do: func(size int) (time.Duration, error) {
				list, results := make([]int, size), make([]int, size)
				began := time.Now()
				err := work(context.Background(), 16, list, results, step)
				return time.Since(began), err
			}},
		}},
		{Name: "fork and join of all", Unit: "fibers", Sizes: sizes, Ways: []measure.Way{
			{Name: "agentkit", Do: func(size int) (time.Duration, error) { return timed(forkAll(size)) }},
			{Name: "errgroup", Do: func(size int) (time.Duration, error) {
				began := time.Now()
				g, _ := errgroup.WithContext(context.Background())
				results := make([]int, size)
				for i := range results {
					g.Go(func() error { results[i] = 1; return nil })
				}
				err := g.Wait()
				return time.Since(began), err
			}},
		}},
		{Name: "finalizers of one scope", Unit: "finalizers", Sizes: sizes, Ways: []measure.Way{
			{Name: "agentkit", Do: func(size int) (time.Duration, error) {
				acquire := effect.AcquireRelease(effect.Succeed(1), release)
				return timed(effect.Gen(func(do effect.Do) (int, error) {
					for range size {
						do.Await(acquire)
					}
					return 0, nil
				}).Scoped())
			}},
		}},
	}
}

func forkAll(count int) effect.Effect[int] {
	fork := effect.Fork(effect.Succeed(1))
	return effect.Gen(func(do effect.Do) (int, error) {
		fibers := make([]*effect.Fiber[int], count)
		for i := range fibers {
			fibers[i] = do.Await(fork)
		}
		for _, f := range fibers {
			do.Await(f.Join())
		}
		return count, nil
	})
}
