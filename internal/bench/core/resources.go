package core

import (
	"context"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"github.com/rivus/agentkit/scope"
)

func release(int, scope.Exit) effect.Effect[effect.Unit] { return effect.Succeed(effect.Unit{}) }

// Resource acquires a hundred resources into one scope, which releases them.
var Resource = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	acquire := effect.AcquireRelease(effect.Succeed(1), release)
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		last := 0
		for range repeats {
			last = do.Await(acquire)
		}
		return last, nil
	}).Scoped(), 1)
}}

// PlainScope does the same in plain Go.
var PlainScope = measure.Work{Name: "scope.Do", Steps: repeats, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	finalizer := func(context.Context, scope.Exit) error { return nil }
	for b.Loop() {
		err := scope.Do(ctx, func(ctx context.Context, s *scope.Scope) error {
			for range repeats {
				if err := s.Add(ctx, finalizer); err != nil {
					return err
				}
			}
			return nil
		})
		expect(b, 0, err, 0)
	}
}}

// Stack is what a programmer who writes it by hand would have: a slice of
// functions, called from its end.
var Stack = measure.Work{Name: "slice of functions", Steps: repeats, Bench: func(b *testing.B) {
	for b.Loop() {
		var finalizers []func() error
		var err error
		for i := range repeats {
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

// Resources compares what is acquired and released.
func Resources() []measure.Comparison {
	return []measure.Comparison{{
		Name: "a further resource in a scope", Ours: Resource, Baseline: Stack,
		Peers:  []measure.Work{PlainScope},
		Budget: measure.Budget{Nanos: 100, Allocs: 1},
	}}
}
