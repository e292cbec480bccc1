package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// numbered is acquireRelease(n=n+1, log "acquire n"; n / log "release n"), n starting at 0.
func (s *sc) numbered() Effect[int] {
	n := 0
	return AcquireRelease(Suspend(func() Effect[int] {
		n++
		return s.Log("acquire ", n).As(n)
	}), func(n int, _ scope.Exit) Effect[Unit] { return s.Log("release ", n) })
}

func init() {
	area("pool")

	pool := func(s *sc, size int) Effect[*Pool[int]] {
		return NewPool(PoolConfig[int]{Min: size, Acquire: s.numbered()})
	}
	borrow := func(p *Pool[int], then ...Effect[Unit]) Effect[Unit] { return p.Get().AndThen(seq(then...)).Scoped() }

	scenario("pool-02", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(pool(s, 1))
			a := do.Await(s.Fork("a", borrow(p, s.Log("a in"), sleep(30), s.Log("a out"))))
			do.Await(sleep(10))
			b := do.Await(s.Fork("b", borrow(p, s.Log("b in"))))
			do.Await(a.Await())
			do.Await(b.Await())
			return
		}).Scoped()
	}, InOrder("acquire 1", "a in", "a out", "b in", "release 1"))

	scenario("pool-03", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(pool(s, 1))
			do.Await(sleep(10))
			do.Await(p.Get().FlatMap(func(x int) Effect[Unit] {
				return seq(s.Log("use ", x), p.Invalidate(x), sleep(10), s.Log("body end"))
			}).Scoped())
			do.Await(sleep(10))
			do.Await(p.Get().FlatMap(func(y int) Effect[Unit] { return s.Log("use ", y) }).Scoped())
			return
		}).Scoped()
	}, InOrder("use 1", "acquire 2", "body end", "release 1", "use 2", "release 2"))

	scenario("pool-04", func(s *sc) Effect[Unit] {
		failingOnce := func(label string) Effect[*Pool[int]] {
			n := 0
			return NewPool(PoolConfig[int]{Min: 1, Acquire: Suspend(func() Effect[int] {
				n++
				wait := s.Log(label, " ", n).AndThen(sleep(10))
				if n == 1 {
					return wait.AndThen(fail[int]("no 1"))
				}
				return wait.As(n)
			})})
		}
		return seq(
			failingOnce("try").FlatMap(func(p *Pool[int]) Effect[Unit] {
				return seq(s.LogExit(p.Get().Scoped()), s.LogExit(p.Get().Scoped()))
			}).Scoped(),
			failingOnce("try2").FlatMap(func(p *Pool[int]) Effect[Unit] {
				return seq(sleep(30), s.LogExit(p.Get().Scoped()))
			}).Scoped(),
		)
	})

	scenario("pool-05", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			owner := scope.New()
			p := do.Await(pool(s, 1).InScope(owner))
			do.Await(s.Fork("a", borrow(p, sleep(30), s.Log("a out"))))
			do.Await(sleep(10))
			do.Await(s.Log("closing"))
			do.Await(CloseScope(owner, scope.Exit{}))
			do.Await(s.Log("closed"))
			x := do.Await(ExitOf(borrow(p)))
			do.Await(s.Log(x.Cause.HasInterrupts()))
			return
		})
	}, InOrder("a out", "release 1", "closed", "true"))

	scenario("pool-06", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(pool(s, 1))
			a := do.Await(s.Fork("a", borrow(p, s.Log("a in"), sleep(30), s.Log("a out"))))
			do.Await(sleep(5))
			b := do.Await(s.Fork("b", borrow(p, s.Log("b in"))))
			do.Await(sleep(5))
			do.Await(b.Interrupt())
			do.Await(s.Log("b gone"))
			c := do.Await(s.Fork("c", borrow(p, s.Log("c in"))))
			do.Await(a.Await())
			do.Await(c.Await())
			return
		}).Scoped()
	}, InOrder("acquire 1", "a in"), InOrder("a out", "c in", "release 1"))

	scenario("pool-07", func(s *sc) Effect[Unit] {
		n := 0
		item := AcquireRelease(Suspend(func() Effect[int] {
			n++
			return s.Log("acquire ", n).As(n)
		}), func(int, scope.Exit) Effect[Unit] { return s.Log("release one") })
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(NewPool(PoolConfig[int]{Min: 1, Max: 2, TTL: 50 * ms, Acquire: item}))
			do.Await(sleep(10))
			do.Await(ForEachDiscard([]int{1, 2}, func(int) Effect[Unit] { return borrow(p, sleep(20)) }, Unbounded))
			do.Await(s.Log("both done"))
			do.Await(sleep(153))
			do.Await(s.Log("end"))
			return
		}).Scoped()
	}, InOrder("end", "release one"))
}
