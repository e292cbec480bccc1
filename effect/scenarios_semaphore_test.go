package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// job holds permits for n milliseconds, with a line as it begins and as it ends.
func (s *sc) job(sem *Semaphore, name string, permits, n int) Effect[Unit] {
	return sem.WithPermits(permits, seq(s.Log(name, " in"), sleep(n), s.Log(name, " out")))
}

func init() {
	area("semaphore")

	scenario("sem-01", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", s.job(sem, "a", 1, 20)))
			do.Await(sleep(1))
			b := do.Await(s.Fork("b", s.job(sem, "b", 1, 20)))
			do.Await(sleep(1))
			c := do.Await(s.Fork("c", s.job(sem, "c", 1, 20)))
			do.Await(seq(a.Join(), b.Join(), c.Join()))
			return
		})
	}, InOrder("a in", "a out", "b in", "b out", "c in", "c out"))

	scenario("sem-02", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(ExitOf(sem.WithPermits(1, fail[Unit]("e"))))
			do.Await(ExitOf(sem.WithPermits(1, Die[Unit]("d"))))
			do.Await(s.interruptAfter(10, sem.WithPermits(1, sleep(1000))))
			do.Await(s.LogValue(sem.TakeIfAvailable(1)))
			return
		})
	})

	scenario("sem-03", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", s.job(sem, "a", 1, 50)))
			do.Await(sleep(1))
			b := do.Await(s.Fork("b", s.onInterrupt(s.job(sem, "b", 1, 10), "b interrupted")))
			do.Await(sleep(1))
			c := do.Await(s.Fork("c", s.job(sem, "c", 1, 10)))
			do.Await(sleep(8))
			do.Await(b.Interrupt())
			do.Await(s.Log("b gone"))
			do.Await(seq(a.Join(), c.Join()))
			return
		})
	}, InOrder("b interrupted", "b gone"), InOrder("a out", "c in"))

	scenario("sem-04", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(2)
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", s.job(sem, "a", 1, 30)))
			do.Await(sleep(1))
			b := do.Await(s.Fork("b", s.job(sem, "b", 1, 9)))
			do.Await(sleep(1))
			big := do.Await(s.Fork("big", s.job(sem, "big", 2, 10)))
			do.Await(seq(a.Join(), b.Join(), big.Join()))
			return
		})
	}, InOrder("a out", "big in"))

	scenario("sem-05", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(2)
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", s.job(sem, "a", 1, 50)))
			do.Await(sleep(1))
			big := do.Await(s.Fork("big", s.job(sem, "big", 2, 10)))
			do.Await(sleep(1))
			small := do.Await(s.Fork("small", s.job(sem, "small", 1, 10)))
			do.Await(seq(a.Join(), big.Join(), small.Join()))
			return
		})
	}, InOrder("a out", "big in"))

	scenario("sem-06", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			w := do.Await(sem.WithPermits(1, Gen(func(do Do) (*Fiber[Unit], error) {
				w := do.Await(s.Fork("w", s.job(sem, "w", 1, 10)))
				do.Await(sleep(20))
				return w, nil
			})))
			do.Await(sem.WithPermits(1, s.Log("root again")))
			do.Await(w.Join())
			return
		})
	})

	scenario("sem-07", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(3)
		return seq(
			s.LogValue(sem.Take(2)),
			s.LogValue(sem.TakeIfAvailable(2)),
			s.LogValue(sem.TakeIfAvailable(1)),
			s.LogValue(sem.Release(1)),
			s.LogValue(sem.Release(2)),
			s.LogValue(sem.Take(3)),
			s.LogValue(sem.ReleaseAll()))
	})

	scenario("sem-08", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", sem.WithPermits(1, sleep(20))))
			do.Await(sleep(10))
			do.Await(s.LogValue(sem.WithPermitsIfAvailable(1, Succeed("x"))))
			do.Await(a.Join())
			do.Await(s.LogValue(sem.WithPermitsIfAvailable(1, Succeed("x"))))
			do.Await(s.LogValue(sem.TakeIfAvailable(1)))
			return
		})
	})

	scenario("sem-10", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		cleaned := sleep(1000).OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(20, "a cleaned") })
		return Gen(func(do Do) (u Unit, _ error) {
			a := do.Await(s.Fork("a", sem.WithPermits(1, cleaned)))
			do.Await(sleep(1))
			b := do.Await(s.Fork("b", s.job(sem, "b", 1, 10)))
			do.Await(sleep(9))
			do.Await(a.Interrupt())
			do.Await(s.Log("a gone"))
			do.Await(b.Join())
			return
		})
	}, InOrder("a cleaned", "a gone"), InOrder("a cleaned", "b in"))

	scenario("sem-12", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return seq(
			sem.TakeScoped(1).AndThen(s.LogValue(sem.TakeIfAvailable(1))).Scoped(),
			s.LogValue(sem.TakeIfAvailable(1)))
	})

	scenario("sem-13", func(s *sc) Effect[Unit] {
		sem := NewSemaphore(1)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(sem.Take(1))
			w := do.Await(s.Fork("w", s.onInterrupt(sem.WithPermits(1, s.Log("w ran")), "w interrupted")))
			do.Await(sleep(10))
			do.Await(sem.Release(1).AndThen(w.InterruptFork()))
			do.Await(s.LogValue(w.Await()))
			do.Await(s.LogValue(sem.TakeIfAvailable(1)))
			return
		})
	}, InOrder("w interrupted", "Failure[Interrupt(root)]", "true"),
		OrElse(succeeded("w ran@10", "Success(void)@10", "true@10")),
		OrElse(succeeded("w ran@10", "Failure[Interrupt(root)]@10", "true@10")), // it came after the log
		OrElse(succeeded("w ran@10", "w interrupted@10", "Failure[Interrupt(root)]@10", "true@10")))
}
