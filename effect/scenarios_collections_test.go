package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

func init() {
	area("collections")

	scenario("coll-03", func(s *sc) Effect[[]Unit] {
		return ForEach([]int{1, 2}, func(n int) Effect[Unit] {
			s.Add("call ", n)
			return s.after(10, "run ", n)
		})
	})

	scenario("coll-04", func(s *sc) Effect[[]string] {
		durations := map[string]int{"a": 30, "b": 10, "c": 20, "d": 10}
		item := func(name string) Effect[string] {
			return seq(s.Log(name, " start"), s.after(durations[name], name, " end")).As(name)
		}
		return ForEach([]string{"a", "b", "c", "d"}, item, Concurrency(2)).
			Tap(func(names []string) Effect[Unit] { return s.Log(names) })
	}, InOrder("b end", "c start"), InOrder("a end", "d end"), InOrder("c end", "d end"))

	scenario("coll-05", func(s *sc) Effect[[]int] {
		return ForEach([]int{30, 10, 20}, func(n int) Effect[int] { return s.after(n, "done ", n).As(n) }, Unbounded)
	})

	scenario("coll-06", func(s *sc) Effect[Exit[[]Unit]] {
		return s.exit(All([]Effect[Unit]{
			s.cleaning(sleep(100), 30, "a cleaned"),
			sleep(10).AndThen(fail[Unit]("b")),
			s.cleaning(sleep(100), 10, "c cleaned"),
		}, Unbounded))
	}, AnyOrder())

	scenario("coll-07", func(s *sc) Effect[Exit[[]Unit]] {
		return s.exit(ForEach([]int{1, 2, 3, 4}, func(n int) Effect[Unit] {
			switch n {
			case 1:
				return sleep(10).AndThen(fail[Unit]("one"))
			case 2:
				return s.onInterrupt(sleep(50), "2 interrupted")
			}
			return s.Log(n, " started")
		}, Concurrency(2)))
	})

	scenario("coll-08", func(s *sc) Effect[Exit[[]Unit]] {
		finFails := func(n int, text string) Effect[Unit] { return sleep(100).Ensuring(sleep(n).AndThen(fail[Unit](text))) }
		a := sleep(10).AndThen(fail[Unit]("a"))
		return s.exit(All([]Effect[Unit]{a, finFails(10, "b fin"), finFails(20, "c fin")}, Unbounded))
	})

	scenario("coll-09", func(s *sc) Effect[Exit[[]Unit]] {
		a := sleep(10).AndThen(fail[Unit]("a"))
		return s.exit(All([]Effect[Unit]{a, sleep(100).Ensuring(Die[Unit]("b fin"))}, Unbounded))
	})

	scenario("coll-10", func(s *sc) Effect[Unit] {
		return seq(
			s.LogValue(ForEachDiscard([]int{1, 2}, Succeed[int])),
			s.LogValue(ForEachDiscard([]int{1, 2}, Succeed[int], Unbounded)))
	})

	scenario("coll-11", func(s *sc) Effect[Unit] {
		items := []Effect[Unit]{s.cleaning(sleep(100), 10, "a"), s.cleaning(sleep(100), 20, "b")}
		return s.interruptAfter(10, All(items, Unbounded)).FlatMap(func(x Exit[[]Unit]) Effect[Unit] { return s.Log(x) })
	}, AnyOrder())

	scenario("coll-12", func(s *sc) Effect[Exit[[]Unit]] {
		return s.exit(ForEach([]int{1, 2}, func(n int) Effect[Unit] {
			if n == 2 {
				panic(boom("map"))
			}
			return s.onInterrupt(sleep(100), "1 interrupted")
		}, Unbounded))
	}, Maybe("1 interrupted"), InOrder("1 interrupted", "Failure[Die(Error(map))]"))

	scenario("coll-14", func(s *sc) Effect[Unit] {
		type effects = map[string]Effect[int]
		return seq(
			s.LogValue(All([]Effect[any]{Succeed[any](1), Succeed[any]("x")})),
			s.LogValue(AllMap(effects{"a": Succeed(1), "b": Succeed(2)})),
			s.LogValue(All([]Effect[int]{})),
			s.LogExit(AllMap(effects{"a": Succeed(1), "b": fail[int]("b")})),
			s.LogValue(AllDiscard([]Effect[int]{Succeed(1)})),
		)
	})

	scenario("coll-15", func(s *sc) Effect[Unit] {
		traced := func(name string, e Effect[int]) Effect[int] { return s.Log(name).AndThen(e) }
		return seq(
			s.LogValue(AllResults([]Effect[int]{
				traced("a", Succeed(1)), traced("b", fail[int]("eb")), traced("c", Succeed(3)),
			})),
			s.LogExit(AllResults([]Effect[int]{Succeed(1), Die[int]("d"), traced("never-run", Succeed(2))})),
		)
	})

	scenario("coll-16", func(s *sc) Effect[Exit[[]Unit]] {
		return s.exit(All([]Effect[Unit]{
			s.onInterrupt(sleep(100), "x interrupted"),
			sleep(10).AndThen(fail[Unit]("y")),
		}, Unbounded))
	})

	scenario("coll-17", func(s *sc) Effect[[]any] {
		return Partition([]int{1, 2, 3, 4}, func(n int) Effect[int] {
			logged := s.after(50-10*n, n)
			if n%2 == 0 {
				return logged.AndThen(fail[int]("e" + s.Text(n)))
			}
			return logged.As(n)
		}, Unbounded).Map(func(p Partitioned[int]) []any { return []any{p.Successes, p.Failures} }).
			Tap(func(lists []any) Effect[Unit] { return s.Log(lists) })
	})

	scenario("coll-18", func(s *sc) Effect[Unit] {
		validate := func(list ...int) Effect[Unit] {
			return s.LogExit(Validate(list, func(n int) Effect[int] {
				s.Add(n)
				if n > 2 {
					return fail[int]("bad " + s.Text(n))
				}
				return Succeed(n * 10)
			}).MapError(func(err error) error { return E(s.Text(err.(*ValidationError).Failures)) }))
		}
		return seq(validate(1, 2), validate(1, 3, 2, 4), validate())
	})

	scenario("coll-19", func(s *sc) Effect[Exit[[]int]] {
		return s.exit(Validate([]int{1, 2, 3}, func(n int) Effect[int] {
			s.Add(n)
			if n == 2 {
				return Die[int]("d2")
			}
			return fail[int]("e" + s.Text(n))
		}))
	})

	scenario("coll-20", func(s *sc) Effect[Unit] {
		counter := 0
		return seq(
			s.LogValue(Filter([]int{1, 2, 3, 4}, func(n int) Effect[bool] { return Succeed(n%2 == 0) })),
			s.LogValue(FindFirst([]int{1, 2, 3, 4}, func(n int) Effect[bool] { return s.Log("test ", n).As(n > 1) })),
			s.LogValue(FindFirst([]int{1}, func(int) Effect[bool] { return Succeed(false) })),
			s.LogValue(Reduce([]int{1, 2, 3}, 0, func(acc, n int) Effect[int] { return Succeed(acc*10 + n) })),
			s.LogValue(Replicate(Sync(func() int { counter++; return counter }), 3)),
			Head(Succeed([]int{})).AsUnit().CatchAs(func(err *NoSuchElementError) Effect[Unit] { return s.Log(err.Tag()) }),
		)
	})

	scenario("coll-21", func(s *sc) Effect[[]Unit] {
		return ForEach([]int{1, 2, 3}, func(n int) Effect[Unit] {
			return seq(s.Log("s ", n), YieldNow(), s.Log("e ", n))
		}, Unbounded)
	}, InOrder("s 1", "e 1"), InOrder("s 2", "e 2"), InOrder("s 3", "e 3"))

	scenario("coll-22", func(s *sc) Effect[Exit[[]int]] {
		return s.exit(ForEach([]int{1, 2, 3}, func(n int) Effect[int] {
			if n == 2 {
				return s.Log(n).AndThen(fail[int]("two"))
			}
			return s.Log(n).As(n)
		}, Unbounded))
	}, Maybe("1", "3"), OrElse(coll22("1", "2", "3")), OrElse(coll22("2", "3")), OrElse(coll22("2")))

	scenario("coll-24", func(s *sc) Effect[Unit] {
		workers := ForEachDiscard([]int{1, 2}, func(n int) Effect[Unit] {
			child := Fork(s.onInterrupt(never(), "C ", n, " interrupted"))
			return child.AndThen(s.after(10*n, "worker ", n, " end"))
		}, Unbounded)
		return seq(workers, s.Log("all"))
	})

	scenario("coll-25", func(s *sc) Effect[Unit] {
		items := ForEachDiscard([]int{1, 2}, func(n int) Effect[Unit] {
			child := Fork(s.onInterrupt(never(), "C ", n, " interrupted"))
			return child.AndThen(s.after(10, "item ", n, " end"))
		})
		return seq(items, s.Log("all"), s.after(10, "root end"))
	}, InOrder("root end", "C 1 interrupted"), InOrder("root end", "C 2 interrupted"))
}

// coll22 is another recording that a parallel runtime may give: items after the one that fails may have started.
func coll22(lines ...string) effecttest.Recording {
	failure := map[string]any{"_tag": "Failure", "cause": []any{map[string]any{"_tag": "Fail", "error": "two"}}}
	return recording("Success", failure, append(lines, "Failure[Fail(two)]")...)
}
