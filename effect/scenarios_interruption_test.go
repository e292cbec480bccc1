package effect_test

import (
	"context"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// interrupted is what most scenarios do with a child: fork it, sleep 10, log "interrupt", interrupt it and wait, log its exit.
func (s *sc) interrupted[A any](child Effect[A]) Effect[Unit] {
	return Gen(func(do Do) (u Unit, _ error) {
		c := do.Await(s.Fork("child", child))
		do.Await(s.after(10, "interrupt"))
		do.Await(c.Interrupt())
		do.Await(s.logOf(c))
		return
	})
}

// exits logs each exit of e after a word.
func (s *sc) exits[A any](word string, e Effect[A]) Effect[A] {
	return e.OnExit(func(x Exit[A]) Effect[Unit] { return s.Log(word, " ", x) })
}

func init() {
	area("interruption")

	scenario("int-01", func(s *sc) Effect[Unit] { return s.interrupted(s.after(1000, "done")) })

	scenario("int-03", func(s *sc) Effect[Unit] {
		return s.interrupted(s.after(50, "region done").As(1).Uninterruptible())
	})

	scenario("int-04", func(s *sc) Effect[Unit] {
		return s.interrupted(sleep(50).AndThen(fail[Unit]("late")).Uninterruptible())
	})

	scenario("int-05", func(s *sc) Effect[Unit] {
		return s.interrupted(sleep(50).AndThen(fail[Unit]("late")).Uninterruptible().
			Catch(func(err error) Effect[Unit] { return s.Log("caught ", err) }))
	})

	scenario("int-06", func(s *sc) Effect[Unit] {
		return s.interrupted(sleep(50).AndThen(Die[Unit]("late")).Uninterruptible().
			CatchCause(func(*errors.Cause) Effect[Unit] { return s.Log("caught") }))
	})

	scenario("int-07", func(s *sc) Effect[Unit] {
		return s.interrupted(Mask(func(restore Restore) Effect[Unit] {
			return seq(s.after(5, "before"), s.cleaning(restore.On(sleep(1000)), 20, "inner cleaned"), s.Log("after restore"))
		}))
	})

	scenario("int-08", func(s *sc) Effect[Unit] {
		return s.interrupted(Mask(func(restore Restore) Effect[Unit] {
			return seq(s.after(50, "masked done"), restore.On(s.Log("restored")), s.Log("after"))
		}))
	})

	scenario("int-09", func(s *sc) Effect[Unit] {
		return s.interrupted(Mask(func(restore Restore) Effect[Unit] {
			return seq(restore.On(s.Log("restored")), s.after(50, "masked part done"))
		}).AndThen(s.Log("outside")))
	})

	scenario("int-10", func(s *sc) Effect[Unit] {
		mask := Mask(func(restore Restore) Effect[Unit] { return restore.On(s.after(50, "restored done")) })
		return s.interrupted(seq(mask, s.Log("region end")).Uninterruptible())
	})

	scenario("int-11", func(s *sc) Effect[Unit] {
		window := sleep(1000).Interruptible().CatchCause(func(c *errors.Cause) Effect[Unit] { return s.Log("window ", c) })
		return s.interrupted(seq(window, s.after(20, "region continues")).Uninterruptible().AndThen(s.Log("outside")))
	})

	scenario("int-12", func(s *sc) Effect[Unit] {
		return s.interrupted(ExitOf(sleep(1000)).
			FlatMap(func(Exit[Unit]) Effect[Unit] { return s.Log("exit value") }).
			CatchCause(func(*errors.Cause) Effect[Unit] { return s.Log("catchCause") }).
			MatchCauseEffect(
				func(*errors.Cause) Effect[Unit] { return s.Log("matchCause") },
				func(Unit) Effect[Unit] { return s.Log("matchCause") }).
			Ensuring(s.Log("ensuring")))
	})

	scenario("int-13", func(s *sc) Effect[int] {
		caught := Interrupt[Unit]().CatchCause(func(c *errors.Cause) Effect[Unit] { return s.Log("caught ", c) })
		return seq(caught, s.Log("alive")).As(1)
	})

	scenario("int-14", func(s *sc) Effect[Unit] {
		return seq(s.Log("a"), Interrupt[Unit](), s.Log("b")).Uninterruptible()
	})

	scenario("int-15", func(s *sc) Effect[Unit] {
		return s.interrupted(InterruptibleMask(func(restore Restore) Effect[Unit] {
			return seq(restore.On(s.after(50, "restored (uninterruptible)")), s.Log("interruptible again"))
		}).Uninterruptible())
	})

	scenario("int-16", func(s *sc) Effect[Unit] {
		waiting := Async(func(func(Effect[Unit])) Effect[Unit] { return s.after(20, "callback cleanup") })
		return s.interrupted(s.onInterrupt(waiting, "onInterrupt"))
	})

	scenario("int-17", func(s *sc) Effect[Unit] {
		var forever Effect[Unit]
		forever = Succeed(1).FlatMap(func(int) Effect[Unit] { return forever })
		return Gen(func(do Do) (u Unit, _ error) {
			child := do.Await(s.Fork("child", forever))
			do.Await(YieldNow())
			s.Add("interrupt")
			do.Await(child.Interrupt())
			do.Await(s.logOf(child))
			return
		})
	})

	scenario("int-18", func(s *sc) Effect[Unit] {
		d := NewDeferred[int]()
		child := AddFinalizer(func(scope.Exit) Effect[Unit] { return s.Log("scope fin") }).
			AndThen(s.onInterrupt(d.Await(), "await interrupted")).Scoped()
		return s.interrupted(child).AndThen(s.LogValue(d.Succeed(1)))
	})

	scenario("int-21", func(s *sc) Effect[Unit] {
		op := func(n int) Effect[string] {
			return Try(func(ctx context.Context) (string, error) {
				select {
				case <-time.After(time.Duration(n) * ms):
					return "ok", nil
				case <-ctx.Done():
					s.Add("signal aborted")
					return "", ctx.Err()
				}
			})
		}
		return s.LogValue(op(10)).AndThen(s.interrupted(op(1000)))
	})

	scenario("int-22", func(s *sc) Effect[Unit] {
		parent := s.Fork("C", s.cleaning(never(), 50, "C cleaned")).AndThen(s.after(10, "P body end")).As(1)
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(s.Fork("P", parent))
			do.Await(s.after(20, "interrupt P"))
			do.Await(p.Interrupt())
			do.Await(s.logOf(p))
			return
		})
	})

	scenario("int-23", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			d := NewDeferred[int]()
			child := do.Await(s.Fork("child", d.Await().AndThen(s.Log("resumed"))))
			do.Await(sleep(10))
			do.Await(child.InterruptFork())
			do.Await(d.Succeed(1))
			do.Await(s.logOf(child))
			return
		})
	}, AnyOrder())

	scenario("int-24", func(s *sc) Effect[Unit] {
		inner := s.after(20, "inner end").Uninterruptible()
		return s.interrupted(seq(inner, s.after(20, "outer end")).Uninterruptible().AndThen(s.Log("outside")))
	})

	scenario("int-25", func(s *sc) Effect[Unit] {
		finalizer := seq(s.Log("fin start"), s.LogExit(sleep(500).Interruptible()), s.Log("fin end"))
		return s.interrupted(sleep(1000).Ensuring(finalizer))
	})

	scenario("int-27", func(s *sc) Effect[Unit] {
		return s.interrupted(s.exits("outside", s.exits("inside", sleep(50).As(1)).Uninterruptible()))
	})

	scenario("int-28", func(s *sc) Effect[Unit] {
		workers := ForEachDiscard([]int{20, 40}, func(n int) Effect[Unit] { return s.after(n, "w ", n) }, Unbounded)
		return s.interrupted(workers.Uninterruptible().AndThen(s.Log("after")))
	})
}
