package effect_test

import (
	"slices"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

func init() {
	area("rc")

	scenario("rc-01", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			r := do.Await(NewRcRef(s.numbered(), 0))
			do.Await(s.Log("made"))
			s1, s2 := scope.New(), scope.New()
			do.Await(s.Log("s1 ", do.Await(r.Get().InScope(s1))))
			do.Await(s.Log("s2 ", do.Await(r.Get().InScope(s2))))
			do.Await(CloseScope(s1, scope.Exit{}))
			do.Await(s.Log("s1 closed"))
			do.Await(CloseScope(s2, scope.Exit{}))
			do.Await(s.Log("s2 closed"))
			do.Await(r.Get().FlatMap(func(v int) Effect[Unit] { return s.Log("again ", v) }).Scoped())
			do.Await(s.Log("end"))
			return
		}).Scoped()
	})

	scenario("rc-02", func(s *sc) Effect[Unit] {
		return NewRcRef(s.numbered(), 50*ms).FlatMap(func(r *RcRef[int]) Effect[Unit] {
			get := r.Get().Scoped().AsUnit()
			return seq(get, sleep(30), get, sleep(100), get, s.Log("end"))
		}).Scoped()
	})

	scenario("rc-03", func(s *sc) Effect[Unit] {
		n := 0
		acquire := Suspend(func() Effect[int] {
			n++
			n := n
			part := AcquireRelease(s.Log("part ", n), func(Unit, scope.Exit) Effect[Unit] { return s.Log("part released ", n) })
			if n == 1 {
				return part.AndThen(fail[int]("first"))
			}
			return part.As(n)
		})
		return NewRcRef(acquire, 0).FlatMap(func(r *RcRef[int]) Effect[Unit] {
			return seq(s.LogExit(r.Get().Scoped()), s.LogExit(r.Get().Scoped()))
		}).Scoped()
	})

	scenario("rc-04", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			m := do.Await(NewRcMap(RcMapConfig[string, string]{Acquire: func(k string) Effect[string] {
				return AcquireRelease(s.Log("acquire ", k).As("v"+k), func(string, scope.Exit) Effect[Unit] { return s.Log("release ", k) })
			}}))
			in := scope.New()
			for _, k := range []string{"a", "a", "b"} {
				do.Await(s.LogValue(m.Get(k).InScope(in)))
			}
			do.Await(s.Log(slices.Sorted(slices.Values(do.Await(m.Keys())))))
			do.Await(CloseScope(in, scope.Exit{}))
			do.Await(s.Log("closed"))
			do.Await(s.LogValue(m.Keys()))
			return
		}).Scoped()
	})

	scenario("rc-06", func(s *sc) Effect[Unit] {
		return NewRcMap(RcMapConfig[string, string]{Acquire: func(k string) Effect[string] {
			return seq(s.Log("lookup ", k), sleep(10)).AndThen(fail[string]("bad " + k))
		}}).FlatMap(func(m *RcMap[string, string]) Effect[Unit] {
			return s.LogValue(ForEach([]int{1, 2, 3}, func(int) Effect[Exit[string]] { return ExitOf(m.Get("x").Scoped()) }, Unbounded))
		}).Scoped()
	})
}
