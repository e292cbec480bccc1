package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// ok succeeds with its name after n milliseconds and logs "name done"; it logs when it is interrupted.
func (s *sc) ok(name string, n int) Effect[string] {
	return s.onInterrupt(s.after(n, name, " done").As(name), name, " interrupted")
}

// failing fails with "name error" after n milliseconds and logs "name failing" before.
func (s *sc) failing(name string, n int) Effect[string] {
	return s.after(n, name, " failing").AndThen(fail[string](name + " error"))
}

// quiet succeeds with its name after n milliseconds.
func quiet(name string, n int) Effect[string] { return sleep(n).As(name) }

// result logs e's value after "= ", and has it.
func (s *sc) result[A any](e Effect[A]) Effect[A] {
	return e.Tap(func(a A) Effect[Unit] { return s.Log("= ", a) })
}

// exit logs e's exit, and has it.
func (s *sc) exit[A any](e Effect[A]) Effect[Exit[A]] {
	return ExitOf(e).Tap(func(x Exit[A]) Effect[Unit] { return s.Log(x) })
}

func init() {
	area("race")

	scenario("race-02", func(s *sc) Effect[string] {
		b := s.after(30, "b done").As("b")
		return Race(s.failing("a", 10), b).Tap(func(r string) Effect[Unit] { return s.Log("race = ", r) })
	})

	scenario("race-03", func(s *sc) Effect[Exit[string]] {
		return s.exit(Race(sleep(30).AndThen(fail[string]("slow")), sleep(10).AndThen(fail[string]("fast"))))
	})

	scenario("race-04", func(s *sc) Effect[Unit] {
		die := sleep(10).AndThen(Die[string]("a"))
		return seq(s.LogValue(Race(die, quiet("b", 30))), s.LogExit(Race(die, sleep(30).AndThen(fail[string]("b")))))
	})

	scenario("race-05", func(s *sc) Effect[Exit[string]] {
		return s.exit(RaceFirst(s.failing("a", 10), s.cleaning(quiet("b", 50), 20, "b interrupted")))
	})

	scenario("race-06", func(s *sc) Effect[string] {
		return s.result(RaceFirst(s.onInterrupt(quiet("a", 50), "a interrupted"), s.ok("b", 10)))
	})

	scenario("race-07", func(s *sc) Effect[string] {
		return s.result(RaceAll(
			s.failing("a", 10),
			s.ok("b", 20),
			s.cleaning(quiet("c", 100), 30, "c interrupted"),
			s.cleaning(quiet("d", 100), 10, "d interrupted"),
		))
	})

	scenario("race-09", func(s *sc) Effect[Exit[string]] {
		return s.exit(RaceAllFirst(s.ok("a", 50), s.failing("b", 20), s.ok("c", 30)))
	}, InOrder("b failing", "a interrupted", "Failure[Fail(b error)]"), InOrder("b failing", "c interrupted", "Failure[Fail(b error)]"))

	scenario("race-10", func(s *sc) Effect[Unit] {
		race := Race(s.cleaning(sleep(100), 10, "a interrupted"), s.cleaning(sleep(100), 20, "b interrupted"))
		return s.interruptAfter(10, race).FlatMap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	}, AnyOrder())

	scenario("race-11", func(s *sc) Effect[string] {
		return s.result(Race(s.ok("fast", 10), s.after(50, "slow finished").As("slow").Uninterruptible()))
	})

	scenario("race-12", func(s *sc) Effect[string] {
		return Race(quiet("w", 10), Never[string]().Ensuring(s.Log("fin").AndThen(Die[Unit]("loser fin"))))
	})

	scenario("race-13", func(s *sc) Effect[int] {
		side := func(name string, n int) Effect[int] { return s.Log(name).As(n) }
		return RaceAll(side("first", 1), side("second", 2))
	},
		// The sides are started at once on goroutines of their own: the second may run too, and even win.
		Maybe("second"),
		OrElse(recording("Success", 1, "second", "first")), OrElse(recording("Success", 2, "second", "first")),
		OrElse(recording("Success", 2, "first", "second")), OrElse(recording("Success", 2, "second")))

	scenario("race-14", func(s *sc) Effect[string] {
		return s.result(Race(s.ok("a", 10), s.ok("b", 1000)).Uninterruptible())
	})

	scenario("race-16", func(s *sc) Effect[Unit] {
		interrupted := sleep(10).AndThen(Interrupt[string]())
		kinds := ExitOf(Race(interrupted, sleep(30).AndThen(fail[string]("x")))).FlatMap(func(x Exit[string]) Effect[Unit] {
			text := ""
			for i, r := range x.Cause.Reasons() {
				if i > 0 {
					text += ","
				}
				switch r.(type) {
				case errors.Interrupt:
					text += "Interrupt"
				case errors.Fail:
					text += "Fail"
				}
			}
			return s.Log(text)
		})
		return seq(s.LogValue(Race(interrupted, quiet("b", 30))), kinds)
	})

	scenario("race-17", func(s *sc) Effect[string] {
		return Race(quiet("a", 20), quiet("b", 10), OnWinner(func(i int) { s.Add("winner index ", i) }))
	})

	scenario("race-18", func(s *sc) Effect[string] {
		side := s.Fork("C", s.onInterrupt(never(), "C interrupted")).AndThen(quiet("a", 10))
		return Race(side, Never[string]()).Tap(func(r string) Effect[Unit] { return s.Log("result ", r) })
	})
}
