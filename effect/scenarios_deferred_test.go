package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func init() {
	area("deferred")

	scenario("def-01", func(s *sc) Effect[int] {
		d := NewDeferred[int]()
		return seq(
			s.LogValue(d.Succeed(1)),
			s.LogValue(d.Succeed(2)),
			s.LogValue(d.Fail(E("e"))),
			s.LogValue(d.Interrupt()),
			s.LogValue(d.IsDone()),
		).AndThen(d.Await())
	})

	scenario("def-02", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			d := NewDeferred[string]()
			var fibers []*Fiber[Unit]
			for _, name := range []string{"w1", "w2", "w3"} {
				fibers = append(fibers, do.Await(Fork(d.Await().FlatMap(func(v string) Effect[Unit] { return s.Log(name, " ", v) }))))
			}
			s.Add("completing")
			do.Await(d.Succeed("v"))
			do.Await(AwaitAll(fibers))
			return
		})
	}, InOrder("completing", "w1 v"), InOrder("completing", "w2 v"), InOrder("completing", "w3 v"))

	scenario("def-03", func(s *sc) Effect[Unit] {
		both := errors.NewCause(errors.Fail{Err: E("a")}, errors.Fail{Err: E("b")})
		return ForEachDiscard([]func(*Deferred[int]) Effect[bool]{
			func(d *Deferred[int]) Effect[bool] { return d.Fail(E("e")) },
			func(d *Deferred[int]) Effect[bool] { return d.Die("d") },
			func(d *Deferred[int]) Effect[bool] { return d.FailCause(both) },
			func(d *Deferred[int]) Effect[bool] { return d.Done(ExitSucceed(3)) },
			func(d *Deferred[int]) Effect[bool] { return d.Interrupt() },
		}, func(complete func(*Deferred[int]) Effect[bool]) Effect[Unit] {
			d := NewDeferred[int]()
			return complete(d).AndThen(s.LogExit(d.Await()))
		})
	})

	scenario("def-04", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			d := NewDeferred[string]()
			w1 := do.Await(Fork(s.onInterrupt(d.Await(), "w1 interrupted")))
			w2 := do.Await(Fork(d.Await().FlatMap(func(v string) Effect[Unit] { return s.Log("w2 ", v) })))
			do.Await(sleep(10))
			do.Await(w1.Interrupt())
			do.Await(sleep(10))
			do.Await(s.LogValue(d.Succeed("v")))
			do.Await(w2.Join())
			return
		})
	}, AnyOrder())

	scenario("def-05", func(s *sc) Effect[Unit] {
		n := 0
		e := Sync(func() int {
			n++
			s.Add("eval ", n)
			return n
		})
		twice := func(name string, d *Deferred[int]) Effect[Unit] {
			return Zip(d.Await(), d.Await()).FlatMap(func(p Pair[int, int]) Effect[Unit] {
				return s.Log(name, " ", p.First, " ", p.Second)
			})
		}
		d1, d2 := NewDeferred[int](), NewDeferred[int]()
		return seq(
			d1.Complete(e).AsUnit(), twice("d1", d1),
			d2.CompleteWith(e).AsUnit(), twice("d2", d2),
			s.LogValue(d1.Complete(e)),
		)
	})

	scenario("def-06", func(s *sc) Effect[Unit] {
		d := NewDeferred[int]()
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(s.LogValue(d.IsDone()))
			_, isSet := d.Poll()
			s.Add(!isSet)
			do.Await(d.Succeed(5))
			do.Await(s.LogValue(d.IsDone()))
			e, _ := d.Poll()
			do.Await(s.LogValue(e))
			return
		})
	})

	scenario("def-07", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			d1, d2 := NewDeferred[int](), NewDeferred[Unit]()
			do.Await(s.LogValue(Into(fail[int]("e"), d1)))
			do.Await(s.LogExit(d1.Await()))
			do.Await(s.interruptAfter(10, Into(sleep(1000), d2)))
			do.Await(s.LogExit(d2.Await()))
			return
		})
	})
}
