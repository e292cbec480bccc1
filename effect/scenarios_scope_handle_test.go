package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

func init() {
	scenario("scope-11", func(s *sc) Effect[Unit] {
		c := scope.New()
		return seq(
			AddFinalizerTo(c, fin(s.Log("plain"))),
			AddFinalizerTo(c, s.finExit("got")),
			s.Log("closing"),
			CloseScope(c, failed("why")),
			s.Log("closed"))
	})

	scenario("scope-12", func(s *sc) Effect[Unit] {
		c := scope.New()
		return seq(
			CloseScope(c, scope.Exit{Value: 1}),
			s.Log("adding"),
			AddFinalizerTo(c, s.finExit("late")),
			s.Log("added"),
			s.LogExit(AddFinalizerTo(c, fin(Die[Unit]("late defect")))))
	})

	scenario("scope-13", func(s *sc) Effect[Unit] {
		c := scope.New()
		return seq(
			AddFinalizerTo(c, s.finExit("fin")),
			CloseScope(c, scope.Exit{Value: 1}),
			s.Log("closed once"),
			CloseScope(c, failed("second")),
			s.Log("closed twice"))
	})

	scenario("scope-14", func(s *sc) Effect[Unit] {
		c := scope.New()
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(AddFinalizerTo(c, fin(s.Log("fin start").AndThen(s.after(50, "fin end")))))
			a := do.Await(s.Fork("A", CloseScope(c, scope.Exit{}).AndThen(s.Log("A closed"))))
			do.Await(sleep(10))
			do.Await(CloseScope(c, scope.Exit{}))
			s.Add("root closed")
			do.Await(a.Join())
			return
		})
	})

	scenario("scope-15", func(s *sc) Effect[Unit] {
		c := scope.New()
		return seq(
			AddFinalizerTo(c, fin(s.Log("f1"))),
			AddFinalizerTo(c, fin(seq(s.Log("f2 start"), AddFinalizerTo(c, fin(s.Log("nested"))), s.Log("f2 end")))),
			CloseScope(c, scope.Exit{}))
	})

	scenario("scope-17", func(s *sc) Effect[Unit] {
		c := scope.NewParallel()
		return seq(
			AddFinalizerTo(c, fin(s.after(30, "a"))),
			AddFinalizerTo(c, fin(s.after(10, "b"))),
			AddFinalizerTo(c, fin(s.after(20, "c"))),
			CloseScope(c, scope.Exit{}),
			s.Log("closed"))
	}, InOrder("a", "closed"))

	scenario("scope-18", func(s *sc) Effect[Unit] {
		c := scope.NewParallel()
		return seq(
			AddFinalizerTo(c, fin(sleep(10).AndThen(Die[Unit]("a")))),
			AddFinalizerTo(c, fin(sleep(30).AndThen(Die[Unit]("b")))),
			AddFinalizerTo(c, fin(sleep(20).AndThen(Die[Unit]("c")))),
			s.LogExit(CloseScope(c, scope.Exit{})))
	})

	scenario("scope-19", func(s *sc) Effect[Unit] {
		p := scope.New()
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(AddFinalizerTo(p, fin(s.Log("p1"))))
			c := p.Fork()
			do.Await(AddFinalizerTo(c, s.finExit("c1")))
			do.Await(AddFinalizerTo(c, fin(s.Log("c2"))))
			do.Await(AddFinalizerTo(p, fin(s.Log("p2"))))
			do.Await(CloseScope(p, failed("x")))
			return
		})
	})

	scenario("scope-20", func(s *sc) Effect[Unit] {
		p := scope.New()
		c := p.Fork()
		return seq(
			AddFinalizerTo(c, fin(s.Log("c"))),
			AddFinalizerTo(p, fin(s.Log("p"))),
			CloseScope(c, scope.Exit{}),
			s.Log("child closed"),
			CloseScope(p, scope.Exit{}),
			s.Log("parent closed"))
	})

	scenario("scope-21", func(s *sc) Effect[Unit] {
		p := scope.New()
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(CloseScope(p, failed("p")))
			c := p.Fork()
			s.Add("adding")
			do.Await(AddFinalizerTo(c, s.finExit("c")))
			s.Add("added")
			return
		})
	})

	scenario("scope-22", func(s *sc) Effect[Unit] {
		c := scope.New()
		return s.acq("a").InScope(c).
			FlatMap(func(r string) Effect[Unit] { return s.Log("using ", r) }).
			AndThen(s.Log("closing")).
			AndThen(CloseScope(c, scope.Exit{}))
	})

	scenario("scope-23", func(s *sc) Effect[Unit] {
		c := scope.New()
		return s.LogExit(s.acq("a").AndThen(fail[Unit]("e")).UseScope(c)).
			AndThen(AddFinalizerTo(c, fin(s.Log("late"))))
	})

	scenario("scope-28", func(s *sc) Effect[Unit] {
		c := scope.New()
		return seq(
			AddFinalizerTo(c, fin(s.after(20, "f1"))),
			AddFinalizerTo(c, fin(s.after(20, "f2"))),
			s.interruptAfter(10, CloseScope(c, scope.Exit{}).AndThen(s.Log("child after close"))).AsUnit(),
			s.Log("interrupted"))
	})

	scenario("scope-30", func(s *sc) Effect[Exit[Unit]] {
		return ExitOf(ScopedWith(func(c *scope.Scope) Effect[Unit] {
			return AddFinalizerTo(c, s.finExit("fin")).AndThen(fail[Unit]("body"))
		})).Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	})
}
