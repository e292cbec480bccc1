package effect_test

import (
	"context"
	"runtime"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// Allocations do not depend on the machine, so they are tests; times are benchmarks.

// perStep is how many allocations a further step costs: those of a program with two thousand steps less those of one with a
// thousand.
func perStep(program func(steps int) Effect[int]) float64 {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	total := func(steps int) float64 {
		e := program(steps)
		return testing.AllocsPerRun(5, func() { _, _ = e.Run(ctx) })
	}
	return (total(2000) - total(1000)) / 1000
}

// chain is one with a step after another.
func chain(next func(Effect[int]) Effect[int]) func(steps int) Effect[int] {
	return func(steps int) Effect[int] {
		e := Sync(func() int { return 1 })
		for range steps {
			e = next(e)
		}
		return e
	}
}

// awaited is a generator that awaits e again and again.
func awaited(e Effect[int]) func(steps int) Effect[int] {
	return func(steps int) Effect[int] {
		return Gen(func(do Do) (n int, _ error) {
			for range steps {
				n += do.Await(e)
			}
			return n, nil
		}).Scoped()
	}
}

// counting builds each step as it runs.
func counting(steps int) Effect[int] {
	var count func(int) Effect[int]
	count = func(n int) Effect[int] {
		if n >= steps {
			return Succeed(n)
		}
		return Succeed(n + 1).FlatMap(count)
	}
	return Suspend(func() Effect[int] { return count(0) })
}

func TestStepsAllocateNoMoreThanTheirBudget(t *testing.T) {
	one := Sync(func() int { return 1 })
	acquire := AcquireRelease(one, func(int, scope.Exit) Effect[Unit] { return Effect[Unit]{} })
	cases := []struct {
		name    string
		budget  float64
		program func(steps int) Effect[int]
	}{
		{"Map", 0, chain(func(e Effect[int]) Effect[int] { return e.Map(func(n int) int { return n + 1 }) })},
		{"FlatMap", 0, chain(func(e Effect[int]) Effect[int] {
			return e.FlatMap(func(n int) Effect[int] { return Succeed(n + 1) })
		})},
		{"FlatMap built while running", 2, counting},
		{"do.Await", 0, awaited(one)},
		{"a further resource", 1, awaited(acquire)},
		{"an item of ForEach", 0, func(steps int) Effect[int] {
			return ForEachDiscard(make([]int, steps), Succeed[int], Concurrency(16)).As(steps)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := perStep(c.program); got > c.budget+0.05 { // a fresh stack once in a while
				t.Errorf("%.2f allocations a step; the budget is %v", got, c.budget)
			}
		})
	}
}

func TestForEachOfTenThousandAtSixteenAllocatesNoMoreThanSixtyTimes(t *testing.T) {
	e := ForEach(make([]int, 10_000), func(n int) Effect[int] { return Succeed(n + 1) }, Concurrency(16))
	if got := testing.AllocsPerRun(5, func() { _, _ = e.Run(context.Background()) }); got > 60 {
		t.Errorf("got %v allocations", got)
	}
}

// inUse is the memory of live objects.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestWhatForkedAHundredThousandFibersThatEndedHoldsNothing(t *testing.T) {
	const many, slack = 100_000, 4 << 20 // a fiber that is held takes 300 bytes and more
	join := func(f *Fiber[int]) Effect[int] { return f.Join() }
	for name, one := range map[string]Effect[int]{
		"a parent": Fork(Succeed(1)).FlatMap(join),
		"a scope":  ForkScoped(Succeed(1)).FlatMap(join),
	} {
		t.Run(name, func(t *testing.T) {
			program := Gen(func(do Do) (held int64, _ error) {
				before := inUse()
				for range many {
					do.Await(one)
				}
				return inUse() - before, nil
			})
			held, err := program.Scoped().Run(t.Context())
			if err != nil || held > slack {
				t.Errorf("it holds %d bytes more than before, %v", held, err)
			}
		})
	}
}

func TestAHundredThousandFibersWakeEachOther(t *testing.T) {
	if repeated(t) {
		return
	}
	if n, err := chainOfFibers(100_000).Run(t.Context()); n != 100_000 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}
