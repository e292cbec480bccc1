package effect_test

import (
	. "github.com/rivus/agentkit/effect"
)

// The services of the descriptions.
var (
	serviceA = NewService[string]("A")
	serviceB = NewService[string]("B")
	serviceC = NewService[string]("C")
)

func init() {
	area("context")

	show := func(s *sc, p string) Effect[Unit] {
		return serviceA.Get().FlatMap(func(a string) Effect[Unit] { return s.Log(p, " ", a) })
	}

	scenario("ctx-01", func(s *sc) Effect[Unit] {
		return seq(show(s, "1"), show(s, "2").With(serviceA.Of("inner")), show(s, "3")).With(serviceA.Of("outer"))
	})

	scenario("ctx-02", func(s *sc) Effect[Unit] {
		read := serviceA.Get().Catch(func(error) Effect[string] { return s.Log("(never)").As("") })
		return ExitOf(read).FlatMap(func(x Exit[string]) Effect[Unit] {
			defect, _ := x.Cause.FindDie()
			missing := defect.Defect.(*ServiceNotFound)
			return s.Log("Die Service not found: ", missing.Key)
		})
	})

	scenario("ctx-04", func(s *sc) Effect[Unit] {
		return seq(
			ExitOf(fail[Unit]("e").With(serviceA.Of("inner"))).AsUnit(),
			s.LogValue(serviceA.Get()),
			sleep(1000).With(serviceA.Of("inner")).TimeoutOrElse(10*ms, func() Effect[Unit] { return Succeed(Unit{}) }),
			s.LogValue(serviceA.Get()),
		).With(serviceA.Of("outer"))
	})

	scenario("ctx-05", func(s *sc) Effect[Unit] {
		return seq(
			s.LogValue(ServiceOption(serviceA)),
			s.LogValue(ServiceOption(serviceA)).With(serviceA.Of("x")),
			s.LogValue(serviceA.Get()).WithUpdated(serviceA, func(a string) string { return a + "!" }).With(serviceA.Of("x")),
			s.LogValue(serviceA.Get()).WithEffect(serviceA, s.Log("make").As("made")),
		)
	})
}
