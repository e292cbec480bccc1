package effect_test

import (
	"context"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func init() {
	area("run")

	impossible("run-01")

	hostScenario("run-02", func(s *sc) any {
		x := RunExit(s.Context(), YieldNow().
			AndThen(s.Fork("child", s.Log("child").As(2))).
			FlatMap((*Fiber[int]).Join))
		s.Add(x.Value)
		return nil
	})

	hostScenario("run-03", func(s *sc) any {
		for _, e := range []Effect[int]{fail[int]("e"), Die[int]("d"), Interrupt[int](), mixed[int](dying("d"), failing("e"))} {
			_, err := e.Run(s.Context())
			s.Add(raised(err.(*errors.Cause).Squash()))
		}
		return nil
	})

	hostScenario("run-04", func(s *sc) any {
		ctx, cancel := context.WithCancel(s.Context())
		f := Start(ctx, sleep(1000).OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(10, "cleaned") }))
		s.wait(10)
		cancel()
		s.addExit(f)
		return nil
	})

	hostScenario("run-05", func(s *sc) any {
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		s.addExit(Start(ctx, seq(s.Log("sync part"), sleep(10), s.Log("later"))))
		return nil
	}, InOrder("sync part", "Failure[Interrupt(none)]"))

	hostScenario("run-07", func(s *sc) any {
		s.Add("before")
		f := Start(s.Context(), s.Log("in effect"))
		s.Add("after")
		<-f.Done()
		return nil
	}, InOrder("before", "in effect"), InOrder("before", "after"))

	hostScenario("run-08", func(s *sc) any {
		ctx, cancel := context.WithCancel(s.Context())
		f := Start(ctx, s.after(30, "done").As(1), ForkUninterruptible)
		s.wait(10)
		cancel()
		s.addExit(f)
		return nil
	})
}

// wait is sleep for host code.
func (s *sc) wait(n int) { _, _ = sleep(n).Run(s.Context()) }

// addExit waits for the fiber and logs its exit, outside any effect.
func (s *sc) addExit[A any](f *Fiber[A]) {
	<-f.Done()
	x, _ := f.Poll()
	s.Add(x)
}
