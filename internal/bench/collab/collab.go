package collab

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
)

type unit = effect.Unit

// All are the comparisons of the collab packages, in the order in which they are
// shown.
func All() []measure.Comparison {
	return slices.Concat(Lanes(), Locks(), Leases())
}

// open is a budget that bounds the ratio alone.
func open(ratio float64) measure.Budget {
	return measure.Budget{Ratio: ratio, Allocs: measure.Unbounded}
}

// check ends the benchmark at an error.
func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// live starts an effect that makes something within a scope, and keeps that
// scope open until the benchmark has ended.
func live[A any](b *testing.B, e effect.Effect[A]) A {
	b.Helper()
	made := make(chan A, 1)
	fiber := effect.Start(context.Background(), e.FlatMap(func(a A) effect.Effect[unit] {
		made <- a
		return effect.Never[unit]()
	}).Scoped())
	stop := func() {
		fiber.InterruptNow()
		<-fiber.Done()
	}
	select {
	case a := <-made:
		b.Cleanup(stop)
		return a
	case <-fiber.Done():
		exit, _ := fiber.Poll()
		b.Fatal(exit.Cause)
		panic("unreachable")
	}
}

// keys are as many different ones.
func keys(count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf("room:%d", i)
	}
	return list
}
