package effect_test

import (
	"math"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// recording is what a program might have done instead: the exit and then the lines.
func recording(tag string, value any, lines ...string) effecttest.Recording {
	exit := map[string]any{"_tag": tag, "value": value}
	if n, ok := value.(int); ok {
		exit["value"] = float64(n) // as JSON has numbers
	}
	return effecttest.Recording{Trace: lines, Exit: exit}
}

func init() {
	area("timeout")

	logOption := func(s *sc) func(mo.Option[Unit]) Effect[Unit] {
		return func(o mo.Option[Unit]) Effect[Unit] { return s.Log(o) }
	}

	scenario("time-01", func(s *sc) Effect[string] { return s.result(s.ok("a", 10).Timeout(50 * ms)) })

	scenario("time-02", func(s *sc) Effect[Unit] {
		return s.onInterrupt(sleep(1000), "interrupted").Timeout(20 * ms).
			CatchAs(func(err *TimeoutError) Effect[Unit] { return s.Log(err.Tag(), ": ", err.Error()) })
	})

	scenario("time-03", func(s *sc) Effect[mo.Option[Unit]] {
		return TimeoutOption(s.cleaning(sleep(1000), 30, "cleaned"), 20*ms).Tap(logOption(s))
	})

	scenario("time-05", func(s *sc) Effect[string] {
		return s.result(quiet("slow", 1000).TimeoutOrElse(20*ms, func() Effect[string] { return s.after(10, "fallback").As("fb") }))
	})

	scenario("time-06", func(s *sc) Effect[Exit[string]] { return s.exit(s.failing("a", 10).Timeout(50 * ms)) })

	scenario("time-07", func(s *sc) Effect[mo.Option[int]] {
		return TimeoutOption(s.after(50, "finished").As(1).Uninterruptible(), 20*ms).
			Tap(func(o mo.Option[int]) Effect[Unit] { return s.Log(o) })
	})

	scenario("time-09", func(s *sc) Effect[Exit[Unit]] {
		failed := func(text string) func() Effect[Unit] { return func() Effect[Unit] { return fail[Unit](text) } }
		return s.exit(sleep(1000).TimeoutOrElse(10*ms, failed("inner")).TimeoutOrElse(30*ms, failed("outer")))
	})

	scenario("time-10", func(s *sc) Effect[mo.Option[Unit]] {
		infinity := Sleep(time.Duration(math.MaxInt64))
		return seq(sleep(0), s.Log("after 0")).AndThen(TimeoutOption(infinity, 20*ms)).Tap(logOption(s))
	})

	scenario("time-11", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			var fibers []*Fiber[Unit]
			for _, name := range []string{"a", "b", "c"} {
				fibers = append(fibers, do.Await(Fork(s.after(10, name))))
			}
			do.Await(AwaitAll(fibers))
			return
		})
	}, AnyOrder()) // they wake at one instant, each on a goroutine of its own

	scenario("time-12", func(s *sc) Effect[mo.Option[Unit]] {
		return TimeoutOption(sleep(1000), 20*ms).Tap(logOption(s)).Uninterruptible()
	})

	scenario("time-13", func(s *sc) Effect[Unit] {
		return s.interrupted(sleep(1000).
			OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(10, "inner interrupted") }).
			Timeout(500 * ms))
	})
}
