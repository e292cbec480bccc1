package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

func init() {
	res := func(s *sc, n int) Effect[int] {
		return AcquireRelease(s.Log("acquire ", n).As(n), func(int, scope.Exit) Effect[Unit] { return s.Log("release ", n) })
	}

	scenario("sref-01", func(s *sc) Effect[Unit] {
		return NewScopedRef(res(s, 1)).FlatMap(func(r *ScopedRef[int]) Effect[Unit] {
			return seq(s.LogValue(r.Get()), r.Set(res(s, 2)), s.LogValue(r.Get()), s.Log("end"))
		}).Scoped()
	})

	scenario("sref-03", func(s *sc) Effect[Unit] {
		n := 0
		acquire := Suspend(func() Effect[int] {
			n++
			if n == 2 {
				return s.Log("acq ", n).AndThen(fail[int]("bad"))
			}
			return s.Log("acq ", n).As(n)
		})
		return Gen(func(do Do) (u Unit, _ error) {
			r := do.Await(NewResource(acquire))
			do.Await(s.LogValue(r.Get()))
			do.Await(s.LogExit(r.Refresh()))
			do.Await(s.LogValue(r.Get()))
			do.Await(r.Refresh())
			do.Await(s.LogValue(r.Get()))
			r2 := do.Await(NewResource(fail[int]("init")))
			do.Await(s.LogExit(r2.Get()))
			return
		}).Scoped()
	})
}
