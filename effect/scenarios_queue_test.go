package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// logOffer logs "name <result>" when the offer is settled.
func (s *sc) logOffer[A any](name string, q *Queue[A], a A) Effect[Unit] {
	return q.Offer(a).FlatMap(func(in bool) Effect[Unit] { return s.Log(name, " ", in) })
}

func init() {
	area("queue")

	scenario("queue-02", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		return Gen(func(do Do) (u Unit, _ error) {
			offered := 0
			for i := range 1000 {
				if do.Await(q.Offer(i + 1)) {
					offered++
				}
			}
			do.Await(s.Log("offered ", offered))
			do.Await(s.Log("size ", do.Await(q.Size())))
			do.Await(s.Log("take ", do.Await(q.Take())))
			return
		})
	})

	scenario("queue-03", func(s *sc) Effect[Unit] {
		d, w := NewDroppingQueue[int](2), NewSlidingQueue[int](2)
		return seq(
			s.LogValue(d.Offer(1)), s.LogValue(d.Offer(2)), s.LogValue(d.Offer(3)),
			s.LogValue(d.OfferAll([]int{4, 5})), s.LogValue(d.TakeAll()),
			s.LogValue(w.Offer(1)), s.LogValue(w.Offer(2)), s.LogValue(w.Offer(3)),
			s.LogValue(w.TakeAll()), s.LogValue(w.OfferAll([]int{4, 5, 6})), s.LogValue(w.TakeAll()))
	})

	scenario("queue-04", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[string]()
		taker := func(name string) Effect[Unit] {
			return q.Take().FlatMap(func(v string) Effect[Unit] { return s.Log(name, " ", v) })
		}
		return Gen(func(do Do) (u Unit, _ error) {
			t1 := do.Await(s.Fork("t1", taker("t1")))
			do.Await(sleep(1))
			t2 := do.Await(s.Fork("t2", taker("t2")))
			do.Await(sleep(9))
			do.Await(q.Offer("a"))
			do.Await(sleep(10))
			do.Await(q.Offer("b"))
			do.Await(seq(t1.Join(), t2.Join()))
			return
		})
	})

	scenario("queue-05", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[int](5)
		return seq(
			s.LogValue(q.Poll()), s.LogValue(q.OfferAll([]int{1, 2, 3, 4, 5})), s.LogValue(q.Peek()),
			s.LogValue(q.Size()), s.LogValue(q.IsFull()), s.LogValue(q.Poll()), s.LogValue(q.TakeN(2)),
			s.LogValue(q.TakeBetween(1, 10)), q.OfferAll([]int{6, 7}).AndThen(s.LogValue(q.Clear())),
			s.LogValue(q.Clear()), s.LogValue(q.Size()))
	})

	scenario("queue-06", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		return Gen(func(do Do) (u Unit, _ error) {
			t := do.Await(s.Fork("t", s.LogValue(q.TakeAll())))
			do.Await(sleep(10))
			do.Await(q.OfferAll([]int{1, 2, 3}))
			do.Await(t.Join())
			w := do.Await(s.Fork("u", s.LogValue(q.TakeN(2))))
			do.Await(sleep(10))
			do.Await(q.Offer(4))
			do.Await(sleep(10))
			do.Await(q.Offer(5))
			do.Await(w.Join())
			return
		})
	})

	scenario("queue-08", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		return Gen(func(do Do) (u Unit, _ error) {
			t := do.Await(s.Fork("t", s.LogExit(q.Take())))
			do.Await(sleep(10))
			do.Await(q.End())
			do.Await(t.Join())
			return
		})
	})

	scenario("queue-09", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		return q.Offer(1).AndThen(seq(
			s.LogValue(q.Fail(E("boom"))), s.LogValue(q.Take()), s.LogExit(q.Take()), s.LogExit(q.Await()),
			s.LogValue(q.Fail(E("boom")))))
	})

	scenario("queue-10", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[int](1)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(q.Offer(1))
			p := do.Await(s.Fork("p", s.logOffer("p", q, 2)))
			do.Await(sleep(10))
			do.Await(q.End())
			do.Await(s.LogValue(q.Offer(3)))
			do.Await(sleep(10))
			do.Await(seq(s.LogValue(q.Take()), s.LogValue(q.Take()), s.LogExit(q.Take()), p.Join()))
			return
		})
	}, InOrder("1", "2", "Failure[Fail(Done)]"))

	scenario("queue-11", func(s *sc) Effect[Unit] {
		q, q2 := NewBoundedQueue[int](1), NewUnboundedQueue[int]()
		return Gen(func(do Do) (u Unit, _ error) {
			t1 := do.Await(s.Fork("t1", ExitOf(q2.Take()).FlatMap(func(x Exit[int]) Effect[Unit] { return s.Log("t1 ", x) })))
			do.Await(q.Offer(1))
			p := do.Await(s.Fork("p", s.logOffer("p", q, 2)))
			do.Await(sleep(10))
			do.Await(seq(s.LogValue(q.Shutdown()), s.LogValue(q.Shutdown()), s.LogValue(q2.Shutdown())))
			do.Await(seq(s.LogExit(q.Take()), s.LogValue(q.Offer(3)), s.LogValue(q.Size()), s.LogExit(q.Await())))
			do.Await(seq(t1.Join(), p.Join()))
			return
		})
	})

	scenario("queue-12", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		return q.Offer(1).AndThen(q.Interrupt()).AndThen(seq(
			s.LogValue(q.Offer(2)), s.LogValue(q.Take()), s.LogExit(q.Take())))
	})

	scenario("queue-13", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[string]()
		return s.interruptAfter(10, q.Take()).AndThen(q.Offer("x")).AndThen(s.LogValue(q.Take()))
	})

	scenario("queue-14", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[int](1)
		return q.Offer(1).
			AndThen(s.interruptAfter(10, s.onInterrupt(q.Offer(2), "p interrupted"))).
			AndThen(seq(s.LogValue(q.Take()), s.LogValue(q.Poll())))
	})

	scenario("queue-15", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[int](2)
		return Gen(func(do Do) (u Unit, _ error) {
			offers := q.OfferAll([]int{1, 2, 3, 4, 5}).FlatMap(func(left []int) Effect[Unit] { return s.Log("p ", left) })
			p := do.Await(s.Fork("p", offers))
			do.Await(sleep(10))
			do.Await(s.LogValue(q.TakeAll()))
			do.Await(sleep(10))
			do.Await(p.Interrupt())
			do.Await(seq(s.LogValue(q.TakeAll()), s.LogValue(q.Poll())))
			return
		})
	}, InOrder("[3,4]", "None"))

	scenario("queue-16", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[string](0)
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(s.Fork("p", q.Offer("x").AndThen(s.Log("offered"))))
			do.Await(sleep(10))
			do.Await(s.Log("size ", do.Await(q.Size())))
			do.Await(s.Log("take ", do.Await(q.Take())))
			do.Await(p.Join())
			t := do.Await(s.Fork("t", q.Take().FlatMap(func(v string) Effect[Unit] { return s.Log("t ", v) })))
			do.Await(sleep(10))
			do.Await(s.Log("offer ", do.Await(q.Offer("y"))))
			do.Await(t.Join())
			return
		})
	}, InOrder("size 0", "take x"))

	scenario("queue-17", func(s *sc) Effect[Unit] {
		q := NewBoundedQueue[int](2)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(s.Fork("producer", ForEachDiscard([]int{1, 2, 3, 4, 5}, func(i int) Effect[Unit] {
				return q.Offer(i).AndThen(sleep(10))
			}).AndThen(q.End())))
			do.Await(s.LogValue(q.Collect()))
			return
		})
	})

	scenario("queue-18", func(s *sc) Effect[Unit] {
		q1, q2, q3 := NewUnboundedQueue[int](), NewUnboundedQueue[int](), NewUnboundedQueue[int]()
		return seq(
			s.LogValue(Succeed(1).IntoQueue(q1)), s.LogExit(q1.Take()),
			s.LogValue(fail[int]("e").IntoQueue(q2)), s.LogExit(q2.Take()),
			s.LogValue(Die[int]("d").IntoQueue(q3)), s.LogExit(q3.Take()))
	})

	scenario("queue-21", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[int]()
		end := q.FailCause(errors.NewCause(errors.Fail{Err: E("a")}, errors.Die{Defect: "b"}))
		return end.AndThen(seq(s.LogExit(q.Take()), s.LogExit(q.Take()), s.LogExit(q.Take())))
	})

	scenario("queue-22", func(s *sc) Effect[Unit] {
		q := NewUnboundedQueue[string]()
		return Gen(func(do Do) (u Unit, _ error) {
			t := do.Await(s.Fork("t", q.Take().FlatMap(func(v string) Effect[Unit] { return s.Log("t ", v) })))
			do.Await(sleep(10))
			do.Await(q.Offer("x").AndThen(t.InterruptFork()))
			do.Await(s.LogValue(t.Await()))
			do.Await(s.LogValue(q.Poll()))
			return
		})
	}, InOrder("Failure[Interrupt(root)]", "Some(x)"), OrElse(succeeded("t x@10", "Success(void)@10", "None@10")),
		OrElse(succeeded("t x@10", "Failure[Interrupt(root)]@10", "None@10"))) // it came after the log
}
