package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func init() {
	area("finalizers")

	// ended are the four ways to end.
	ended := func() []Effect[int] {
		return []Effect[int]{Succeed(1), fail[int]("e"), Die[int]("d"), Interrupt[int]()}
	}

	scenario("fin-02", func(s *sc) Effect[Unit] {
		return s.Log("body").AndThen(fail[Unit]("e")).
			Ensuring(s.Log("inner")).
			Ensuring(s.Log("middle")).
			Catch(func(err error) Effect[Unit] { return s.Log("caught ", err) }).
			Ensuring(s.Log("outer"))
	})

	scenario("fin-03", func(s *sc) Effect[Unit] {
		x := func(e Effect[int]) Effect[int] { return e.OnExit(func(x Exit[int]) Effect[Unit] { return s.Log(x) }) }
		return ForEachDiscard(ended(), func(e Effect[int]) Effect[Exit[int]] { return ExitOf(x(e)) }).
			AndThen(s.interruptAfter(10, x(sleep(100).As(1)))).AsUnit()
	})

	scenario("fin-04", func(s *sc) Effect[Unit] {
		w := func(e Effect[int]) Effect[int] {
			return e.
				OnError(func(c *errors.Cause) Effect[Unit] { return s.Log("onError ", c) }).
				OnInterrupt(func(by []errors.FiberID) Effect[Unit] { return s.Log("onInterrupt ", s.ids(by)) })
		}
		return ForEachDiscard(ended()[:3], func(e Effect[int]) Effect[Exit[int]] { return ExitOf(w(e)) }).
			AndThen(s.interruptAfter(10, w(sleep(100).As(1)))).AsUnit()
	})

	scenario("fin-05", func(s *sc) Effect[int] { return Succeed(1).Ensuring(fail[Unit]("fin")) })

	scenario("fin-08", func(s *sc) Effect[int] { return Die[int]("body").Ensuring(fail[Unit]("fin")) })

	scenario("fin-09", func(s *sc) Effect[int] { return fail[int]("same").Ensuring(fail[Unit]("same")) })

	scenario("fin-10", func(s *sc) Effect[int] {
		return fail[int]("body").Ensuring(fail[Unit]("f1")).Ensuring(fail[Unit]("f2")).Ensuring(fail[Unit]("f3"))
	})

	scenario("fin-11", func(s *sc) Effect[int] {
		return fail[int]("body").OnExit(func(Exit[int]) Effect[Unit] { panic(boom("cb")) })
	})

	scenario("fin-12", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			child := do.Await(s.Fork("child", sleep(100).Ensuring(s.Log("fin start").AndThen(s.after(50, "fin end")))))
			do.Await(s.after(10, "interrupt"))
			do.Await(child.Interrupt())
			s.Add("done")
			return
		})
	})

	scenario("fin-13", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			child := do.Await(s.Fork("child", Succeed("v").Ensuring(s.after(50, "fin end")).Map(func(x string) string {
				s.Add("map ", x)
				return x
			})))
			do.Await(sleep(10))
			do.Await(child.Interrupt())
			s.Add("interrupted")
			s.Add(do.Await(child.Await()))
			return
		})
	})

	scenario("fin-14", func(s *sc) Effect[Unit] {
		return s.LogValue(s.interruptAfter(10, sleep(100).Ensuring(s.Log("fin").AndThen(fail[Unit]("fin error")))))
	})

	scenario("fin-15", func(s *sc) Effect[Unit] {
		return s.LogValue(s.interruptAfter(10, sleep(100).Ensuring(s.Log("fin").AndThen(Die[Unit]("fin defect")))))
	})

	scenario("fin-16", func(s *sc) Effect[Unit] {
		return s.LogValue(s.interruptAfter(10, sleep(100).Ensuring(fail[Unit]("fin error")).
			Catch(func(err error) Effect[Unit] { return s.Log("caught ", err) })))
	})

	scenario("fin-17", func(s *sc) Effect[Unit] {
		child := s.onInterrupt(sleep(100), "1").
			Ensuring(s.after(10, "2")).
			OnExit(func(Exit[Unit]) Effect[Unit] { return s.Log("3") }).
			OnError(func(*errors.Cause) Effect[Unit] { return s.Log("4") })
		return s.interruptAfter(10, child).AndThen(s.Log("end"))
	})

	scenario("fin-18", func(s *sc) Effect[int] { return Succeed(1).Ensuring(Interrupt[Unit]()) })

	scenario("fin-19", func(s *sc) Effect[Unit] {
		return s.LogValue(s.interruptAfter(10, sleep(100).Ensuring(
			fail[Unit]("x").Catch(func(err error) Effect[Unit] { return s.Log("fin recovered ", err) }))))
	})

	scenario("fin-20", func(s *sc) Effect[Unit] {
		return ForEachDiscard(ended()[:3], func(e Effect[int]) Effect[Exit[int]] {
			return ExitOf(e.
				OnExitIf(Exit[int].IsFailure, func(x Exit[int]) Effect[Unit] { return s.Log("onExitIf ", x) }).
				OnErrorIf((*errors.Cause).HasDies, func(c *errors.Cause) Effect[Unit] { return s.Log("onErrorIf ", c) }))
		})
	})

	scenario("fin-21", func(s *sc) Effect[Unit] {
		noting := func(n int) func([]errors.FiberID) Effect[Unit] {
			return func(by []errors.FiberID) Effect[Unit] { return s.Log(n, " ", s.ids(by)) }
		}
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(ExitOf(Interrupt[Unit]().OnInterrupt(noting(1))))
			c := do.Await(s.Fork("C", Never[Unit]()))
			do.Await(s.Fork("K", sleep(10).AndThen(c.Interrupt())))
			do.Await(ExitOf(c.Join().OnInterrupt(noting(2))))
			s.Add("alive")
			return
		})
	})
}
