package effect_test

import (
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// flaky logs "try n" and fails with "e<n>" the first k times; its value is then n.
func (s *sc) flaky(k int) Effect[int] {
	n := 0
	return Suspend(func() Effect[int] {
		n++
		if n <= k {
			return s.Log("try ", n).AndThen(fail[int]("e" + s.Text(n)))
		}
		return s.Log("try ", n).As(n)
	})
}

// counter logs "run n" and has n.
func (s *sc) counter() Effect[int] {
	n := 0
	return Sync(func() int {
		n++
		s.Add("run ", n)
		return n
	})
}

// timedRun logs "start n" in its n-th run, and then takes as long as durations says.
func (s *sc) timedRun(durations ...int) Effect[Unit] {
	n := 0
	return Suspend(func() Effect[Unit] {
		n++
		return s.Log("start ", n).AndThen(sleep(durations[n-1]))
	})
}

// logResult logs "= <value>".
func (s *sc) logResult[A any](e Effect[A]) Effect[Unit] {
	return e.FlatMap(func(a A) Effect[Unit] { return s.Log("= ", a) })
}

func init() {
	area("schedule")

	scenario("sched-02", func(s *sc) Effect[int] { return s.flaky(2).Retry(Recurs(5)) })

	scenario("sched-03", func(s *sc) Effect[Unit] {
		return seq(
			s.LogExit(RetryWith(s.flaky(10), RetryOptions{Times: mo.Some(2)})),
			s.LogExit(RetryWith(s.flaky(10), RetryOptions{While: func(err error) bool { return err != E("e2") }})),
			s.LogExit(RetryWith(s.flaky(10), RetryOptions{Until: func(err error) bool { return err == E("e3") }})),
			s.LogExit(RetryWith(s.flaky(10), RetryOptions{Times: mo.Some(0)})))
	})

	scenario("sched-04", func(s *sc) Effect[int] { return s.flaky(3).Retry(Spaced(20 * ms)) })

	scenario("sched-05", func(s *sc) Effect[int] { return s.flaky(10).Retry(Exponential(10*ms, 2).Times(4)) })

	scenario("sched-06", func(s *sc) Effect[Unit] {
		return seq(
			s.flaky(3).Retry(Exponential(10*ms, 3)).IgnoreCause(),
			s.Log("--"),
			s.flaky(5).Retry(Fibonacci(10*ms)).IgnoreCause())
	})

	scenario("sched-07", func(s *sc) Effect[Unit] {
		return seq(
			s.LogExit(s.Log("die try").AndThen(Die[Unit]("d")).Retry(Recurs(3))),
			s.LogExit(s.Log("int try").AndThen(Interrupt[Unit]()).Retry(Recurs(3))))
	})

	scenario("sched-08", func(s *sc) Effect[int] {
		return s.counter().Repeat(Recurs(3)).Tap(func(n int) Effect[Unit] { return s.Log("= ", n) })
	})

	scenario("sched-09", func(s *sc) Effect[Unit] {
		return seq(
			s.logResult(RepeatWith(s.counter(), RepeatOptions[int]{Times: mo.Some(3)})),
			s.logResult(RepeatWith(s.counter(), RepeatOptions[int]{Until: func(n int) bool { return n == 3 }})),
			s.logResult(RepeatWith(s.counter(), RepeatOptions[int]{While: func(n int) bool { return n < 2 }})),
			s.logResult(RepeatWith(s.counter(), RepeatOptions[int]{Times: mo.Some(0)})))
	})

	scenario("sched-10", func(s *sc) Effect[int] {
		return s.counter().FlatMap(func(n int) Effect[int] {
			if n == 3 {
				return fail[int]("third")
			}
			return Succeed(n)
		}).Repeat(Recurs(10))
	})

	scenario("sched-11", func(s *sc) Effect[Unit] {
		work := seq(s.Log("start"), sleep(10), s.Log("end"))
		return seq(
			work.Repeat(Spaced(30*ms).Times(2)).AsUnit(),
			s.Log("--"),
			work.Repeat(Fixed(30*ms).Times(2)).AsUnit())
	})

	scenario("sched-12", func(s *sc) Effect[int] { return s.timedRun(5, 70, 5, 5).Repeat(Fixed(30 * ms).Times(3)) })

	scenario("sched-13", func(s *sc) Effect[int] { return s.timedRun(5, 40, 5).Repeat(Windowed(30 * ms).Times(2)) })

	scenario("sched-15", func(s *sc) Effect[Exit[int]] {
		return ExitOf(s.flaky(10).Retry(Spaced(20 * ms).Times(2).Min(Spaced(50 * ms).Times(4)))).
			Tap(func(x Exit[int]) Effect[Unit] { return s.Log(x) })
	})

	scenario("sched-16", func(s *sc) Effect[Exit[int]] {
		return ExitOf(s.flaky(10).Retry(Spaced(10 * ms).Times(2).Concat(Spaced(40 * ms).Times(2)))).
			Tap(func(x Exit[int]) Effect[Unit] { return s.Log(x) })
	})

	scenario("sched-18", func(s *sc) Effect[Exit[Unit]] {
		var tries []time.Time
		failing := Suspend(func() Effect[Unit] {
			tries = append(tries, time.Now())
			return fail[Unit]("x")
		})
		return ExitOf(failing.Retry(Spaced(100 * ms).Jittered().Times(5))).Ensuring(Suspend(func() Effect[Unit] {
			inRange := len(tries) == 6
			for i, t := range tries[1:] {
				gap := t.Sub(tries[i])
				inRange = inRange && gap >= 80*ms && gap <= 120*ms
			}
			return s.Log("all in range: ", inRange)
		}))
	})

	scenario("sched-20", func(s *sc) Effect[Exit[int]] {
		policy := Spaced(0).While(func(m ScheduleMetadata[int]) bool { return m.Attempt <= 2 }).
			Tap(func(m ScheduleMetadata[int]) Effect[Unit] {
				return s.Log("attempt ", m.Attempt, " input ", m.Input, " output ", m.Output)
			})
		return ExitOf(s.flaky(10).Retry(policy)).Tap(func(x Exit[int]) Effect[Unit] { return s.Log(x) })
	})

	scenario("sched-21", func(s *sc) Effect[Unit] {
		gaveUp := s.flaky(10).Map(func(n int) string { return s.Text(n) }).
			RetryOrElse(Recurs(2), func(err error, output int) Effect[string] {
				return Succeed("gave up: " + err.Error() + " after " + s.Text(output))
			})
		repeated := s.counter().FlatMap(func(k int) Effect[int] {
			if k == 3 {
				return fail[int]("k3")
			}
			return Succeed(k)
		}).RepeatOrElse(Recurs(10).Map(func(m ScheduleMetadata[int]) string { return s.Text(m.Output) }),
			func(err error, last mo.Option[ScheduleMetadata[string]]) Effect[string] {
				attempt := "none"
				if m, ok := last.Get(); ok {
					attempt = s.Text(m.Attempt)
				}
				return Succeed("repeat failed: " + err.Error() + ", attempt " + attempt)
			})
		return seq(s.LogValue(gaveUp), s.LogValue(repeated))
	})

	scenario("sched-22", func(s *sc) Effect[int] {
		n := 0
		counting := Suspend(func() Effect[int] {
			n++
			if n == 5 {
				return fail[int]("five")
			}
			return Succeed(n)
		})
		return Forever(counting).OnExit(func(Exit[int]) Effect[Unit] { return s.Log("n=", n) })
	})

	scenario("sched-23", func(s *sc) Effect[int] {
		return s.counter().Schedule(Spaced(20 * ms).Times(3)).Tap(func(n int) Effect[Unit] { return s.Log("= ", n) })
	})

	scenario("sched-24", func(s *sc) Effect[Unit] {
		return seq(
			s.counter().Repeat(OnceAfter(30*ms)).AsUnit(),
			s.Log("--"),
			s.counter().Repeat(Recurs(1)).AsUnit(),
			s.Log("--"),
			s.counter().Repeat(Recurs(0)).AsUnit())
	})

	scenario("sched-25", func(s *sc) Effect[Unit] {
		child := s.onInterrupt(s.flaky(100).Retry(Spaced(1000*ms)), "interrupted")
		return s.interruptAfter(10, child).AndThen(s.Log("done"))
	})

	scenario("sched-26", func(s *sc) Effect[Unit] {
		return s.flaky(10).Ensuring(s.Log("fin")).Retry(Spaced(20 * ms).Times(2)).IgnoreCause()
	})

	scenario("sched-28", func(s *sc) Effect[int] {
		return s.flaky(5).Retry(Exponential(10*ms, 2).Min(Spaced(50 * ms)))
	})

	scenario("sched-29", func(s *sc) Effect[Unit] {
		attempt := CurrentMetadata.Get().FlatMap(func(m ScheduleMetadata[any]) Effect[Unit] {
			return s.Log("attempt ", m.Attempt, " elapsed ", m.Elapsed).AndThen(fail[Unit]("x"))
		})
		return attempt.Retry(Spaced(20 * ms).Times(2)).IgnoreCause()
	})

	scenario("sched-30", func(s *sc) Effect[int] {
		return s.counter().Repeat(Recurs(5).Tap(func(m ScheduleMetadata[int]) Effect[Unit] {
			if m.Attempt == 2 {
				return fail[Unit]("sched")
			}
			return Succeed(Unit{})
		}))
	})

	scenario("sched-31", func(s *sc) Effect[Exit[Unit]] {
		both := FailCause[Unit](errors.NewCause(errors.Fail{Err: E("e")}, errors.Die{Defect: "d"}))
		return ExitOf(s.Log("try").AndThen(both).Retry(Recurs(3))).
			Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	})
}
