package effect_test

import (
	. "github.com/rivus/agentkit/effect"
)

func init() {
	area("cached")

	// eval is the n-th evaluation: it logs, waits and has n.
	eval := func(s *sc, wait Effect[Unit]) Effect[int] {
		n := 0
		return Suspend(func() Effect[int] {
			n++
			return s.Log("eval ", n).AndThen(wait).As(n)
		})
	}

	scenario("cache-02", func(s *sc) Effect[Unit] {
		c := NewCached(eval(s, sleep(20)))
		return ForEachDiscard([]int{1, 2, 3}, func(int) Effect[Unit] {
			return c.Get().FlatMap(func(v int) Effect[Unit] { return s.Log("got ", v) })
		}, Unbounded)
	})

	scenario("cache-03", func(s *sc) Effect[Unit] {
		failing := NewCached(s.Log("eval").AndThen(fail[Unit]("e")))
		dying := NewCached(s.Log("eval").AndThen(Die[Unit]("d")))
		return seq(s.LogExit(failing.Get()), s.LogExit(failing.Get()), s.LogExit(dying.Get()), s.LogExit(dying.Get()))
	})

	scenario("cache-04", func(s *sc) Effect[Unit] {
		c := NewCached(eval(s, s.onInterrupt(sleep(30), "eval interrupted")))
		caller := func(name string) Effect[Unit] {
			return c.Get().FlatMap(func(v int) Effect[Unit] { return s.Log(name, " ", v) })
		}
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", caller("a")))
			do.Await(sleep(5))
			b := do.Await(s.Fork("b", caller("b")))
			do.Await(sleep(5))
			do.Await(a.Interrupt())
			do.Await(s.Log("a gone"))
			do.Await(b.Await())
			return
		})
	})

	scenario("cache-05", func(s *sc) Effect[Unit] {
		c := NewCached(eval(s, s.onInterrupt(sleep(30), "eval interrupted")))
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", c.Get()))
			do.Await(sleep(5))
			b := do.Await(s.Fork("b", c.Get()))
			do.Await(sleep(5))
			do.Await(a.Interrupt())
			do.Await(b.Interrupt())
			do.Await(s.LogValue(c.Get()))
			return
		})
	})

	scenario("cache-06", func(s *sc) Effect[Unit] {
		c := NewCachedFor(eval(s, sleep(0)), 50*ms)
		c2 := NewCached(eval(s, sleep(0)))
		return seq(
			s.LogValue(c.Get()), sleep(40), s.LogValue(c.Get()), sleep(20), s.LogValue(c.Get()),
			s.LogValue(c2.Get()), s.LogValue(c2.Get()), c2.Invalidate(), s.LogValue(c2.Get()),
		)
	})

	scenario("cache-07", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(NewCache(CacheConfig[string, string]{Capacity: 2, Lookup: func(k string) Effect[string] {
				return s.Log("lookup ", k).AndThen(sleep(10)).As("v" + k)
			}}))
			do.Await(s.LogValue(ForEach([]string{"a", "a", "b"}, c.Get, Unbounded)))
			for _, k := range []string{"a", "c", "a", "b"} {
				do.Await(s.LogValue(c.Get(k)))
			}
			return
		})
	}, InOrder("lookup a", "[va,va,vb]"), InOrder("lookup c", "vc", "va", "lookup b", "vb"))
}
