package effect_test

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

func init() {
	area("core")

	scenario("core-02", func(s *sc) Effect[Unit] { return fail[Unit]("e1") })

	scenario("core-03", func(s *sc) Effect[Unit] { return Die[Unit]("boom") })

	scenario("core-04", func(s *sc) Effect[[]int] {
		n := 0
		e := Sync(func() int {
			n++
			s.Add("thunk ", n)
			return n
		})
		s.Add("built")
		return All([]Effect[int]{e, e, e})
	})

	scenario("core-05", func(s *sc) Effect[Unit] {
		return Call(func() { panic(boom("boom")) }).Catch(func(error) Effect[Unit] { return s.Log("caught") })
	})

	scenario("core-06", func(s *sc) Effect[string] {
		e := Suspend(func() Effect[int] {
			s.Add("suspended")
			return Succeed(1)
		})
		f := Suspend(func() Effect[int] {
			s.Add("suspended F")
			panic(boom("bad"))
		})
		return e.FlatMap(func(n int) Effect[Unit] { return s.Log("E=", n) }).AndThen(s.LogExit(f)).As("end")
	})

	impossible("core-07")

	scenario("core-08", func(s *sc) Effect[int] {
		mapped := func(n int, err error) Effect[int] {
			return Try(func(context.Context) (int, error) { return n, err }).
				MapError(func(err error) error { return E("mapped:" + err.Error()) })
		}
		return mapped(7, nil).FlatMap(func(n int) Effect[Unit] { return s.Log("ok=", n) }).AndThen(mapped(0, boom("raw")))
	})

	scenario("core-09", func(s *sc) Effect[Unit] {
		return TryCall(func(context.Context) error { return boom("raw") }).
			MapError(func(error) error { panic(boom("mapper bug")) }).
			Catch(func(error) Effect[Unit] { return s.Log("caught") })
	})

	scenario("core-11", func(s *sc) Effect[string] {
		right := Sync(func() string {
			s.Add("right")
			return "r"
		})
		left := Sync(func() int {
			s.Add("a")
			return 1
		}).Map(func(x int) int {
			s.Add("map ", x)
			return x + 1
		}).FlatMap(func(x int) Effect[int] {
			s.Add("flatMap ", x)
			return s.Log("inner").As(x * 10)
		}).Tap(func(x int) Effect[string] { return s.Log("tap ", x).As("ignored") })
		return Zip(left, right).Tap(func(p Pair[int, string]) Effect[Unit] { return s.Log("pair ", p) }).As("end")
	})

	scenario("core-12", func(s *sc) Effect[string] {
		return Succeed(1).Map(func(int) int { panic(boom("in map")) }).
			Map(func(int) string {
				s.Add("unreachable")
				return ""
			}).
			Catch(func(error) Effect[string] { return s.Log("typed").As("") }).
			CatchDefect(func(d any) Effect[string] { return s.Log("defect ", d.(error).Error()).As("recovered") })
	})

	scenario("core-13", func(s *sc) Effect[Unit] {
		return s.Log("one").AndThen(fail[Unit]("e1")).AndThen(s.Log("two")).Map(func(u Unit) Unit {
			s.Add("map")
			return u
		})
	})

	scenario("core-15", func(s *sc) Effect[Pair[int, int]] {
		l := s.Log("L").AndThen(fail[int]("left"))
		r := s.Log("R").As(2)
		return s.LogExit(Zip(r, r)).AndThen(Zip(l, r))
	})

	scenario("core-16", func(s *sc) Effect[Unit] {
		l := s.Log("L start").AndThen(s.after(100, "L done")).
			OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(20, "L cleaned") })
		r := s.Log("R start").AndThen(sleep(30)).AndThen(fail[Unit]("right"))
		return Zip(l, r, Concurrency(2)).AsUnit().
			TapCause(func(c *errors.Cause) Effect[Unit] { return s.Log(Exit[Unit]{Cause: c}) })
	}, InOrder("L cleaned", "Failure[Fail(right)]"))

	scenario("core-17", func(s *sc) Effect[Unit] {
		valueOf := func(err error) error {
			if success, ok := errors.AsType[*UnexpectedSuccess[int]](err); ok {
				return N(success.Value)
			}
			return err
		}
		return seq(
			s.LogExit(Flip(Succeed(1)).MapError(valueOf)),
			s.LogExit(Flip(fail[int]("e"))),
			s.LogExit(Flip(Die[int]("d"))))
	})

	scenario("core-18", func(s *sc) Effect[Unit] {
		big := func(x int) bool { return x > 3 }
		small := func(x int) error { return E("small " + s.Text(x)) }
		e := s.Log("E ran").As(9)
		return seq(
			s.LogExit(Succeed(5).FilterOrFail(big, small)),
			s.LogExit(Succeed(2).FilterOrFail(big, small)),
			Succeed(2).FilterOrFail[func(int) error](big, nil).AsUnit().CatchAs(func(err *NoSuchElementError) Effect[Unit] { return s.Log(err.Tag()) }),
			s.LogValue(When(e, Succeed(true))),
			s.LogValue(When(e, Succeed(false))))
	})

	scenario("core-19", func(s *sc) Effect[int] {
		next := ExitSucceed(1).Effect().FlatMap(func(x int) Effect[int] { return Succeed(x + 1) })
		return s.LogValue(next).AndThen(s.LogExit(ExitFail[int](E("x")).Effect())).AndThen(ExitDie[int]("d").Effect())
	})

	scenario("core-20", func(s *sc) Effect[Unit] {
		none := FromOption(mo.None[int]()).AsUnit()
		return seq(
			s.LogExit(FromOption(mo.Some(1))),
			none.CatchAs(func(err *NoSuchElementError) Effect[Unit] { return s.Log("Fail ", err.Tag()) }),
			s.LogExit(FromOptionOr(mo.None[int](), func() error { return E("missing") })),
			s.LogExit(FromResult(mo.Ok(2))),
			s.LogExit(FromResult(mo.Err[int](E("bad")))))
	})

	scenario("core-21", func(s *sc) Effect[Unit] {
		twice := Async(func(resume func(Effect[string])) (canceller Effect[Unit]) {
			time.AfterFunc(10*ms, func() { resume(Succeed("first")) })
			time.AfterFunc(20*ms, func() { resume(Succeed("second")) })
			return
		})
		return s.LogValue(twice).AndThen(s.after(30, "end"))
	})

	scenario("core-23", func(s *sc) Effect[Unit] {
		c := func(n int) Effect[string] {
			return Async(func(resume func(Effect[string])) Effect[Unit] {
				time.AfterFunc(time.Duration(n)*ms, func() { resume(Succeed("v")) })
				return s.after(20, "cleanup")
			})
		}
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(s.LogValue(c(10)))
			child := do.Await(s.Fork("child", c(100)))
			do.Await(s.after(10, "interrupting"))
			do.Await(child.Interrupt())
			s.Add("interrupted")
			return
		})
	})

	scenario("core-24", func(s *sc) Effect[Unit] {
		e := func(name string) Effect[Unit] {
			return ForEachDiscard([]int{1, 2, 3}, func(i int) Effect[Unit] { return s.Log(name, i).AndThen(YieldNow()) })
		}
		return Gen(func(do Do) (u Unit, _ error) {
			a, b := do.Await(s.Fork("A", e("A"))), do.Await(s.Fork("B", e("B")))
			do.Await(a.Join())
			do.Await(b.Join())
			return
		})
	}, InOrder("A1", "A2", "A3"), InOrder("B1", "B2", "B3"))

	// Which item gets which number depends on the order in which they start: the results are sorted.
	scenario("core-25", func(s *sc) Effect[[]int] {
		var n atomic.Int64
		e := Sync(func() int { return int(n.Add(1)) }).
			Tap(func(n int) Effect[Unit] { return s.after(10*n, "done ", n) })
		return ForEach([]int{0, 1, 2}, func(int) Effect[int] { return e }, Unbounded).Map(func(results []int) []int {
			return slices.Sorted(slices.Values(results))
		})
	}, InOrder("done 1", "done 2", "done 3"))

	scenario("core-26", func(s *sc) Effect[Unit] {
		return seq(
			s.LogValue(Succeed(1).AsUnit()),
			s.LogValue(Succeed(1).AndThen(Succeed(2))),
			s.LogValue(Succeed(1).FlatMap(func(x int) Effect[int] { return Succeed(x + 10) })),
			s.LogValue(AsSome(Succeed(3))))
	})
}
