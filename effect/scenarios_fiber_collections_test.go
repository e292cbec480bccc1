package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

// endless never ends; interrupted, it takes n milliseconds and then logs.
func (s *sc) endless(n int, parts ...any) Effect[Unit] {
	return Never[Unit]().OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(n, parts...) })
}

// interrupted tells whether e ends with an interruption among its reasons.
func interrupted[A any](e Effect[A]) Effect[bool] {
	return ExitOf(e).Map(func(x Exit[A]) bool { return x.Cause.HasInterrupts() })
}

func newMap() Effect[*FiberMap[string, Unit]] { return NewFiberMap[string, Unit]() }

func init() {
	area("fiber-collections")

	scenario("fmap-02", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			do.Await(m.Run("k", s.endless(30, "old stopped")))
			do.Await(sleep(10))
			do.Await(m.Run("k", s.Log("new start").AndThen(Never[Unit]())))
			do.Await(s.Log("replaced"))
			do.Await(s.after(40, "end"))
			return
		}).Scoped()
	})

	scenario("fmap-03", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			do.Await(m.Run("k", Never[Unit]()))
			f := do.Await(m.Run("k", s.Log("never logged"), OnlyIfMissing))
			do.Await(s.Log(do.Await(f.Await()).Cause.HasInterrupts()))
			do.Await(seq(s.LogValue(m.Has("k")), s.LogValue(m.Size())))
			return
		}).Scoped()
	})

	scenario("fmap-04", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			do.Await(m.Run("a", s.endless(30, "a stopped")))
			do.Await(m.Run("b", s.endless(10, "b stopped")))
			do.Await(s.after(10, "body end"))
			return
		}).Scoped().AndThen(s.Log("closed"))
	})

	scenario("fmap-05", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			do.Await(m.Run("a", Never[Unit]()))
			do.Await(m.Run("b", sleep(20).AndThen(fail[Unit]("b failed"))))
			do.Await(s.Fork("K", sleep(10).AndThen(m.Remove("a"))))
			do.Await(s.LogExit(m.Join()))
			return
		}).Scoped()
	})

	scenario("fmap-06", func(s *sc) Effect[Unit] {
		sp := scope.New()
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap().InScope(sp))
			do.Await(m.Run("a", Never[Unit]()))
			j := do.Await(s.Fork("J", s.LogExit(m.Join())))
			do.Await(sleep(10))
			do.Await(CloseScope(sp, scope.Exit{}))
			do.Await(j.Join())
			return
		})
	})

	scenario("fmap-07", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			for _, k := range []string{"a", "b", "c"} {
				do.Await(m.Run(k, s.endless(20, k+" stopped")))
			}
			do.Await(sleep(10))
			do.Await(m.Remove("a"))
			do.Await(s.Log("removed a"))
			do.Await(s.Log("size ", do.Await(m.Size())))
			do.Await(m.Remove("missing"))
			do.Await(m.Clear())
			do.Await(s.Log("cleared"))
			do.Await(s.Log("size ", do.Await(m.Size())))
			return
		}).Scoped()
	}, InOrder("a stopped", "removed a", "size 2"), InOrder("b stopped", "cleared", "size 0"), InOrder("c stopped", "cleared"))

	scenario("fmap-08", func(s *sc) Effect[Unit] {
		sp := scope.New()
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap().InScope(sp))
			fs := do.Await(NewFiberSet[Unit]().InScope(sp))
			fh := do.Await(NewFiberHandle[Unit]().InScope(sp))
			do.Await(CloseScope(sp, scope.Exit{}))
			do.Await(s.LogValue(interrupted(m.Run("k", s.Log("no")))))
			do.Await(s.LogValue(interrupted(fh.Run(s.Log("no")))))
			f := do.Await(fs.Run(s.Log("no")))
			do.Await(s.Log(do.Await(f.Await()).Cause.HasInterrupts()))
			return
		})
	})

	scenario("fmap-09", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			p := do.Await(s.Fork("P", m.Run("w", s.endless(0, "w stopped")).AndThen(s.Log("P end"))))
			do.Await(p.Join())
			do.Await(sleep(20))
			do.Await(s.Log("size ", do.Await(m.Size())))
			return
		}).Scoped()
	})

	scenario("fmap-10", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(newMap())
			a := do.Await(m.Run("a", Never[Unit](), PropagateInterruption))
			j := do.Await(s.Fork("J1", interrupted(m.Join()).FlatMap(func(b bool) Effect[Unit] { return s.Log("J1 ", b) })))
			do.Await(sleep(10))
			do.Await(a.Interrupt())
			do.Await(j.Join())
			m2 := do.Await(newMap())
			do.Await(m2.Run("a", Never[Unit](), PropagateInterruption))
			do.Await(m2.Remove("a"))
			do.Await(s.LogExit(timeoutOption(m2.Join(), 20*ms)))
			return
		}).Scoped()
	})

	scenario("fset-01", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			fs := do.Await(NewFiberSet[Unit]())
			do.Await(fs.Run(sleep(10)))
			do.Await(fs.Run(sleep(30)))
			do.Await(s.Log("size ", do.Await(fs.Size())))
			do.Await(sleep(20))
			do.Await(s.Log("size ", do.Await(fs.Size())))
			do.Await(fs.AwaitEmpty())
			do.Await(s.Log("empty"))
			return
		}).Scoped()
	})

	scenario("fset-03", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			fs := do.Await(NewFiberSet[Unit]())
			do.Await(s.Log("before"))
			f := do.Await(fs.Run(s.Log("in fiber")))
			do.Await(s.Log("after"))
			do.Await(f.Join())
			return
		}).Scoped()
	}, InOrder("before", "in fiber"), InOrder("before", "after"))

	isSome := func(s *sc, fh *FiberHandle[Unit], want bool) Effect[Unit] {
		return fh.Get().FlatMap(func(f mo.Option[*Fiber[Unit]]) Effect[Unit] { return s.Log(f.IsPresent() == want) })
	}

	scenario("fhandle-01", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			fh := do.Await(NewFiberHandle[Unit]())
			do.Await(isSome(s, fh, false))
			do.Await(fh.Run(s.endless(0, "one stopped")))
			do.Await(sleep(10))
			do.Await(fh.Run(s.endless(10, "two stopped")))
			do.Await(isSome(s, fh, true))
			do.Await(fh.Clear())
			do.Await(s.Log("cleared"))
			do.Await(isSome(s, fh, false))
			return
		}).Scoped()
	}, InOrder("two stopped", "cleared"))

	scenario("fhandle-02", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			fh := do.Await(NewFiberHandle[Unit]())
			do.Await(fh.Run(s.endless(10, "one stopped")))
			f := do.Await(fh.Run(s.Log("no"), OnlyIfMissing))
			do.Await(s.Log(do.Await(f.Await()).Cause.HasInterrupts()))
			do.Await(s.after(10, "body end"))
			return
		}).Scoped().AndThen(s.Log("closed"))
	})
}
