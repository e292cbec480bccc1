package effect_test

import (
	"sync"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func init() {
	area("managed-runtime")

	run := func(s *sc, rt *ManagedRuntime, e Effect[Unit]) Exit[Unit] { return rt.RunExit(s.Context(), e) }
	logA := func(s *sc, prefix string) Effect[Unit] {
		return serviceA.Get().FlatMap(func(a string) Effect[Unit] { return s.Log(prefix, a) })
	}
	dispose := func(s *sc, rt *ManagedRuntime) {
		if err := rt.Dispose(s.Context()); err != nil {
			s.T.Error(err)
		}
	}

	hostScenario("mrt-01", func(s *sc) any {
		rt := NewManagedRuntime(s.layer(serviceA, "a"))
		s.Add("made")
		run(s, rt, logA(s, "run 1 "))
		run(s, rt, logA(s, "run 2 "))
		s.Add("disposing")
		dispose(s, rt)
		s.Add("disposed")
		return nil
	})

	hostScenario("mrt-02", func(s *sc) any {
		rt := NewManagedRuntime(s.layer(serviceA, "a"))
		job := rt.Start(s.Context(), sleep(1000).OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(20, "job interrupted") }))
		time.Sleep(10 * ms)
		dispose(s, rt)
		s.Add("disposed")
		x, _ := job.Poll()
		s.Add(x.Cause.HasInterrupts())
		return nil
	})

	hostScenario("mrt-03", func(s *sc) any {
		rt := NewManagedRuntime(serviceA.Layer(s.Log("try").AndThen(fail[string]("no a"))))
		s.Add(run(s, rt, s.Log("body")))
		s.Add(run(s, rt, s.Log("body")))
		return nil
	})

	hostScenario("mrt-04", func(s *sc) any {
		rt := NewManagedRuntime(s.layer(serviceA, "a"))
		run(s, rt, s.Log("body"))
		dispose(s, rt)
		dispose(s, rt)
		s.Add(run(s, rt, s.Log("late")))
		return nil
	})

	hostScenario("mrt-06", func(s *sc) any {
		rt := NewManagedRuntime(serviceA.Layer(s.built("a", 20, 0)))
		var both sync.WaitGroup
		both.Go(func() { run(s, rt, s.Log("r1")) })
		both.Go(func() { run(s, rt, s.Log("r2")) })
		both.Wait()
		dispose(s, rt)
		return nil
	}, InOrder("build a", "r1", "release a"), InOrder("build a", "r2", "release a"))

	hostScenario("mrt-07", func(s *sc) any {
		rt := NewManagedRuntime(serviceA.Layer(Succeed("sync a")))
		run(s, rt, logA(s, ""))
		dispose(s, rt)
		return nil
	})
}
