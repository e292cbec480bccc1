package effect_test

import (
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

// sinceNow is the clock of the descriptions: milliseconds since the start.
func sinceNow() Effect[int64] {
	start := time.Now()
	return Sync(func() int64 { return time.Since(start).Milliseconds() })
}

func init() {
	scenario("tclock-01", func(s *sc) Effect[Unit] {
		now := sinceNow()
		return Gen(func(do Do) (u Unit, _ error) {
			f := do.Await(Fork(Sleep(time.Hour).AndThen(s.Log("woke"))))
			do.Await(effecttest.Adjust(59 * time.Minute))
			do.Await(s.Log("59"))
			_, over := f.Poll()
			do.Await(s.Log(!over))
			do.Await(effecttest.Adjust(time.Minute))
			do.Await(f.Join())
			do.Await(s.LogValue(now))
			return
		})
	})

	scenario("tclock-02", func(s *sc) Effect[Unit] {
		now := sinceNow()
		at := func(n int, name string) Effect[Unit] {
			return sleep(n).AndThen(now).FlatMap(func(ms int64) Effect[Unit] { return s.Log(name, " ", ms) })
		}
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(Fork(seq(at(10, "a"), at(10, "a"), at(10, "a"))))
			do.Await(Fork(at(15, "b")))
			do.Await(effecttest.Adjust(100 * ms))
			do.Await(s.Log("now ", do.Await(now)))
			return
		})
	})
}
