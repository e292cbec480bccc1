package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// layer is L(n): the service n, acquired with a line and released with one.
func (s *sc) layer(k *Service[string], n string) *Layer { return k.Layer(s.built(n, 0, 0)) }

// built is the service n, acquired and released with a line each, after so many milliseconds.
func (s *sc) built(n string, build, release int) Effect[string] {
	return AcquireRelease(s.after(build, "build ", n).As(n), func(string, scope.Exit) Effect[Unit] {
		return s.after(release, "release ", n)
	})
}

// using is a layer that needs A.
func (s *sc) using(k *Service[string], build Effect[string]) *Layer {
	return LayerOf1(k, serviceA, func(string) Effect[string] { return build })
}

func init() {
	area("layer")

	logA := func(s *sc) Effect[Unit] { return s.LogValue(serviceA.Get()) }
	exiting := func(s *sc, n string) Effect[string] {
		return AcquireRelease(s.Log("build ", n).As(n), func(n string, x scope.Exit) Effect[Unit] { return s.Log("release ", n, " ", x) })
	}

	scenario("layer-01", func(s *sc) Effect[Exit[Unit]] {
		body := serviceA.Get().FlatMap(func(a string) Effect[Unit] { return s.Log("body ", a) }).AndThen(fail[Unit]("e"))
		return ExitOf(body.Provide(serviceA.Layer(exiting(s, "a")))).Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	})

	scenario("layer-02", func(s *sc) Effect[Unit] {
		b := LayerOf1(serviceB, serviceA, func(a string) Effect[string] {
			return AcquireRelease(s.Log("build b using ", a).As("b"), func(string, scope.Exit) Effect[Unit] { return s.Log("release b") })
		})
		body := serviceB.Get().FlatMap(func(b string) Effect[Unit] { return s.Log("body ", b) })
		return body.Provide(b.Provide(s.layer(serviceA, "a")))
	})

	scenario("layer-03", func(s *sc) Effect[Unit] {
		a := s.layer(serviceA, "a")
		b, c := s.using(serviceB, s.built("b", 0, 0)), s.using(serviceC, s.built("c", 0, 0))
		return s.Log("body").Provide(LayerMerge(b.Provide(a), c.Provide(a)))
	},
		InOrder("build a", "build b", "body", "release b", "release a"),
		InOrder("build a", "build c", "body", "release c", "release a"))

	scenario("layer-04", func(s *sc) Effect[Unit] {
		return s.Log("body").Provide(LayerMerge(serviceA.Layer(s.built("a", 30, 0)), serviceB.Layer(s.built("b", 10, 0))))
	}, InOrder("build a", "body", "release a"), InOrder("body", "release b"))

	scenario("layer-05", func(s *sc) Effect[Unit] {
		body := s.Log("body").Provide(LayerMerge(serviceA.Layer(s.built("a", 0, 30)), serviceB.Layer(s.built("b", 0, 10))))
		return body.AndThen(s.Log("after"))
	}, InOrder("build a", "body"), InOrder("build b", "body"), InOrder("release a", "after"))

	scenario("layer-06", func(s *sc) Effect[Unit] {
		b := LayerOf1(serviceB, serviceA, func(a string) Effect[string] { return Succeed("b of " + a) })
		return seq(logA(s), s.LogValue(serviceB.Get())).Provide(b.ProvideMerge(serviceA.Layer(Succeed("a"))))
	})

	scenario("layer-07", func(s *sc) Effect[Unit] {
		a := s.layer(serviceA, "a")
		b, c := s.using(serviceB, Succeed("b")), s.using(serviceC, Succeed("c"))
		return s.Log("body").Provide(LayerMerge(b.Provide(a.Fresh()), c.Provide(a.Fresh())))
	})

	scenario("layer-09", func(s *sc) Effect[Exit[Unit]] {
		b := s.using(serviceB, s.Log("fail b").AndThen(fail[string]("no b")))
		e := s.Log("body").Provide(b.Provide(serviceA.Layer(exiting(s, "a"))))
		return ExitOf(e).Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	})

	scenario("layer-10", func(s *sc) Effect[Exit[Unit]] {
		b := serviceB.Layer(s.onInterrupt(sleep(100), "b build interrupted").As("b"))
		c := serviceC.Layer(sleep(10).AndThen(fail[string]("no c")))
		e := s.Log("body").Provide(LayerMerge(s.layer(serviceA, "a"), b, c))
		return ExitOf(e).Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	}, InOrder("b build interrupted", "release a", "Failure[Fail(no c)]"))

	scenario("layer-11", func(s *sc) Effect[Unit] {
		b := s.using(serviceB, s.onInterrupt(sleep(1000), "b build interrupted").As("b"))
		return s.interruptAfter(10, s.Log("body").Provide(b.Provide(s.layer(serviceA, "a")))).AndThen(s.Log("done"))
	})

	scenario("layer-12", func(s *sc) Effect[Exit[Unit]] {
		a := serviceA.Layer(s.Log("try a").AndThen(fail[string]("no a")))
		b, c := s.using(serviceB, Succeed("b")), s.using(serviceC, Succeed("c"))
		e := s.Log("body").Provide(LayerMerge(b.Provide(a), c.Provide(a)))
		return ExitOf(e).Tap(func(x Exit[Unit]) Effect[Unit] { return s.Log(x) })
	})

	scenario("layer-13", func(s *sc) Effect[Unit] {
		bad := serviceA.Layer(fail[string]("bad"))
		return seq(
			logA(s).Provide(bad.Catch(func(err error) *Layer { return serviceA.Layer(Succeed("fallback after " + s.Text(err))) })),
			s.LogExit(s.Log("body").Provide(bad.OrDie())),
		)
	})

	scenario("layer-15", func(s *sc) Effect[Unit] {
		return seq(
			logA(s).Provide(LayerUnwrap(s.Log("choose").As(serviceA.Layer(Succeed("chosen"))), serviceA)),
			logA(s).Provide(LayerSuspend(func() *Layer {
				s.Add("suspended")
				return serviceA.Layer(Succeed("lazy"))
			}, serviceA)),
		)
	})

	scenario("layer-17", func(s *sc) Effect[Unit] {
		a := s.layer(serviceA, "a")
		b := s.using(serviceB, s.built("b", 0, 0))
		c := LayerOf1(serviceC, serviceB, func(string) Effect[string] { return s.built("c", 0, 0) })
		return s.Log("body").Provide(c.Provide(b.Provide(a)))
	})

	scenario("layer-18", func(s *sc) Effect[Unit] {
		start := s.Log("start").AndThen(AddFinalizer(func(scope.Exit) Effect[Unit] { return s.Log("stop") }))
		return s.Log("body").Provide(LayerDiscard(start))
	})

	scenario("layer-19", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (Unit, error) {
			services := do.Await(LayerBuild(s.layer(serviceA, "a")))
			a, _ := serviceA.In(services)
			do.Await(s.Log("got ", a))
			do.Await(s.Log("body end"))
			return Unit{}, nil
		}).Scoped().AndThen(s.Log("after"))
	})

	scenario("layer-21", func(s *sc) Effect[Unit] {
		one := serviceA.Layer(s.Log("build 1").As("one"))
		two := serviceA.Layer(s.Log("build 2").As("two"))
		return logA(s).Provide(LayerMerge(one, two))
	}, InOrder("build 1", "two"), InOrder("build 2", "two"))

	scenario("layer-22", func(s *sc) Effect[Unit] {
		w := LayerOf1(serviceA, serviceA, func(a string) Effect[string] { return Succeed(a + "+w") })
		return logA(s).Provide(w).With(serviceA.Of("base"))
	})
}
