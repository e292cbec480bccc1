package core

import (
	"context"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/rivus/agentkit/scope"
)

func release(int, scope.Exit) effect.Effect[effect.Unit] { return effect.Succeed(effect.Unit{}) }

// Resources acquires some resources into one scope, which releases them.
func Resources(count int) measure.Work {
	return measure.Work{Name: "agentkit", Steps: count, Bench: func(b *testing.B) {
		acquire := effect.AcquireRelease(effect.Succeed(1), release)
		run(b, effect.Gen(func(do effect.Do) (int, error) {
			last := 0
			for range count {
				last = do.Await(acquire)
			}
			return last, nil
		}).Scoped(), 1)
	}}
}

// PlainScopes does the same in plain Go.
func PlainScopes(count int) measure.Work {
	return measure.Work{Name: "scope.Do", Steps: count, Bench: func(b *testing.B) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		finalizer := func(context.Context, scope.Exit) error { return nil }
		for b.Loop() {
			err := scope.Do(ctx, func(ctx context.Context, s *scope.Scope) error {
				for range count {
					if err := s.Add(ctx, finalizer); err != nil {
						return err
					}
				}
				return nil
			})
			expect(b, 0, err, 0)
		}
	}}
}

// Stacks is what a programmer who writes it by hand would have: a slice of
// functions, called from its end.
func Stacks(count int) measure.Work {
	return measure.Work{Name: "slice of functions", Steps: count, Bench: func(b *testing.B) {
		for b.Loop() {
			var finalizers []func() error
			var err error
			for i := range count {
				finalizers = append(finalizers, func() error { _, err := step(i); return err })
			}
			for i := len(finalizers) - 1; i >= 0; i-- {
				if e := finalizers[i](); e != nil {
					err = e
				}
			}
			expect(b, 0, err, 0)
		}
	}}
}

// Scopes compares what is acquired and released.
func Scopes() []measure.Comparison {
	of := func(name string, count int, budget measure.Budget) measure.Comparison {
		return measure.Comparison{
			Name: name, Ours: Resources(count), Baseline: Stacks(count),
			Peers: []measure.Work{PlainScopes(count)}, Budget: budget,
			Why: "A slice of functions forgets what a finalizer needs: an acquisition that is not interrupted, an outcome, a panic in one that does not stop the others, and a release that runs when the context is done.",
		}
	}
	return []measure.Comparison{
		of("a scope with one resource", 1, measure.Budget{Allocs: measure.Unbounded}),
		of("a scope with 10, each resource", 10, measure.Budget{Allocs: measure.Unbounded}),
		of("a further resource in a scope", 1000, measure.Budget{Nanos: 100, Allocs: 1}),
	}
}
