package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

// number is a failure that is only a number.
type number int

func (n number) Error() string { return "a number" }

func init() {
	area("stack-safety")

	plusOne := func(n int) int { return n + 1 }

	onceScenario("stack-01", func(*sc) Effect[int] {
		e := Succeed(0)
		for range 1_000_000 {
			e = e.Map(plusOne)
		}
		return e
	})

	onceScenario("stack-02", func(*sc) Effect[int] {
		e := Succeed(0)
		for range 1_000_000 {
			e = e.FlatMap(func(n int) Effect[int] { return Succeed(n + 1) })
		}
		return e
	})

	onceScenario("stack-03", func(*sc) Effect[string] {
		var loop func(int) Effect[string]
		loop = func(n int) Effect[string] {
			if n == 0 {
				return Succeed("done")
			}
			return Succeed(n).FlatMap(func(n int) Effect[string] { return loop(n - 1) })
		}
		return loop(1_000_000)
	})

	onceScenario("stack-04", func(*sc) Effect[int] {
		var sum func(int) Effect[int]
		sum = func(n int) Effect[int] {
			if n == 0 {
				return Succeed(0)
			}
			return Suspend(func() Effect[int] { return sum(n - 1) }).Map(func(s int) int { return s + n })
		}
		return sum(100_000)
	})

	onceScenario("stack-05", func(*sc) Effect[string] {
		var f func(int) Effect[string]
		f = func(n int) Effect[string] {
			return Suspend(func() Effect[string] {
				if n == 0 {
					return Succeed("end")
				}
				return f(n - 1)
			})
		}
		return f(1_000_000)
	})

	onceScenario("stack-06", func(*sc) Effect[Unit] {
		e := Fail[Unit](number(0))
		for range 100_000 {
			e = e.Catch(func(err error) Effect[Unit] { return Fail[Unit](err.(number) + 1) })
		}
		return e
	})

	onceScenario("stack-07", func(s *sc) Effect[string] {
		c := 0
		e := Succeed("v")
		for range 100_000 {
			e = e.Ensuring(Call(func() { c++ }))
		}
		return e.Tap(func(string) Effect[Unit] { return s.Log("c=", c) })
	})

	onceScenario("stack-08", func(*sc) Effect[int] {
		n := 0
		return Forever(Suspend(func() Effect[int] {
			if n++; n == 1_000_000 {
				return fail[int]("stop")
			}
			return Succeed(n)
		}))
	})

	onceScenario("stack-09", func(s *sc) Effect[Unit] {
		counter := func() Effect[int] {
			n := 0
			return Sync(func() int { n++; return n })
		}
		failing := counter().FlatMap(func(n int) Effect[int] {
			if n <= 100_000 {
				return Fail[int](number(n))
			}
			return Succeed(n)
		})
		return seq(
			s.LogValue(ForEach(make([]int, 100_000), Succeed[int]).Map(func(list []int) int { return len(list) })),
			s.LogValue(RepeatWith(counter(), RepeatOptions[int]{Times: mo.Some(99_999)})),
			s.LogValue(failing.Retry(Recurs(200_000))),
		)
	})

	onceScenario("stack-12", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := 0
			count := func(scope.Exit) Effect[Unit] { return Call(func() { c++ }) }
			many := scope.New()
			for range 100_000 {
				do.Await(AddFinalizerTo(many, count))
			}
			do.Await(CloseScope(many, scope.Exit{}))
			s.Add("c=", c)
			first := scope.New()
			last := first
			for range 10_000 {
				last = last.Fork()
				do.Await(AddFinalizerTo(last, count))
			}
			do.Await(CloseScope(first, scope.Exit{}))
			s.Add("c=", c)
			return
		})
	})

	onceScenario("stack-13", func(*sc) Effect[int] { return chainOfFibers(300) })

	onceScenario("stack-14", func(s *sc) Effect[Unit] {
		e, f := Succeed(1), Succeed(2)
		for range 100_000 {
			e = e.Uninterruptible()
		}
		for range 10_000 {
			f = f.Scoped()
		}
		return seq(s.LogValue(e), s.LogValue(f))
	})
}

// chainOfFibers has n fibers that wait for each other, each waking the next.
func chainOfFibers(n int) Effect[int] {
	return Gen(func(do Do) (int, error) {
		links := make([]*Deferred[int], n+1)
		for i := range links {
			links[i] = NewDeferred[int]()
		}
		for i := range n {
			do.Await(Fork(links[i].Await().FlatMap(func(v int) Effect[bool] { return links[i+1].Succeed(v + 1) })))
		}
		do.Await(links[0].Succeed(0))
		return do.Await(links[n].Await()), nil
	})
}
