package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// text is what an error says.
func text(err error) string { return err.Error() }

// mixed is failCause of these reasons: a string is a failure, an error a defect.
func mixed[A any](reasons ...errors.Reason) Effect[A] {
	return FailCause[A](errors.NewCause(reasons...))
}

func failing(text string) errors.Reason { return errors.Fail{Err: E(text)} }

func dying(defect any) errors.Reason { return errors.Die{Defect: defect} }

func init() {
	area("errors")

	// handler logs what it handles and succeeds.
	handler := func(s *sc, name, value string) func(error) Effect[string] {
		return func(err error) Effect[string] { return s.Log(name, " ", err).As(value) }
	}

	scenario("err-01", func(s *sc) Effect[string] {
		return fail[string]("e1").
			Catch(func(err error) Effect[string] { return s.Log("handler ", err).As("recovered " + text(err)) }).
			Map(func(v string) string { return v + "!" })
	})

	scenario("err-03", func(s *sc) Effect[string] { return Die[string]("boom").Catch(handler(s, "handler", "")) })

	scenario("err-04", func(s *sc) Effect[string] { return Interrupt[string]().Catch(handler(s, "handler", "")) })

	scenario("err-05", func(s *sc) Effect[string] {
		return fail[string]("e1").Catch(func(err error) Effect[string] { return fail[string]("handler of " + text(err)) })
	})

	scenario("err-06", func(s *sc) Effect[string] {
		return fail[string]("e1").Catch(func(error) Effect[string] { panic(boom("in handler")) })
	})

	scenario("err-07", func(s *sc) Effect[string] {
		return mixed[string](failing("e1"), dying("boom")).Catch(handler(s, "handler", ""))
	})

	scenario("err-08", func(s *sc) Effect[string] {
		return mixed[string](errors.Interrupt{}, failing("e1")).Catch(handler(s, "handler", "ok"))
	})

	scenario("err-09", func(s *sc) Effect[string] {
		return mixed[string](failing("e1"), failing("e2")).
			Catch(func(err error) Effect[string] { return Succeed("got " + text(err)) })
	})

	scenario("err-11", func(s *sc) Effect[Unit] {
		caught := func(e Effect[string]) Effect[string] {
			return e.CatchTags(map[string]func(errors.Tagged) Effect[string]{
				"NotFound": func(err errors.Tagged) Effect[string] { return Succeed("nf " + s.Text(err.(*notFound).ID)) },
				"Busy":     func(errors.Tagged) Effect[string] { return fail[string]("busy handled") },
			})
		}
		return seq(
			s.LogExit(caught(Fail[string](&notFound{ID: 3}))),
			s.LogExit(caught(Fail[string](&tagged{"Busy"}))),
			caught(Fail[string](&tagged{"Other"})).AsUnit().
				CatchAs(func(err *tagged) Effect[Unit] { return s.Log("Fail ", err.Tag()) }),
			s.LogExit(caught(Die[string]("d"))))
	})

	scenario("err-12", func(s *sc) Effect[Unit] {
		e := func(n int) Effect[string] {
			return Fail[string](N(n)).CatchIf(
				func(err error) bool { return err.(N) > 10 },
				func(err error) Effect[string] { return Succeed("big " + text(err)) })
		}
		return s.LogExit(e(11)).AndThen(s.LogExit(e(5)))
	})

	scenario("err-14", func(s *sc) Effect[Unit] {
		caught := func(e Effect[string]) Effect[Unit] {
			return s.LogExit(e.CatchDefect(func(d any) Effect[string] { return s.Log("defect ", d).As("ok") }))
		}
		return seq(caught(Die[string]("d")), caught(fail[string]("e")), caught(mixed[string](failing("e1"), dying("d1"))))
	})

	scenario("err-15", func(s *sc) Effect[Unit] {
		or := func(e Effect[string]) Effect[Unit] {
			return s.LogExit(e.OrElseSucceed(func(err error) string { return "default for " + text(err) }))
		}
		return seq(or(fail[string]("e")), or(Succeed("1")), or(Die[string]("d")))
	})

	scenario("err-16", func(s *sc) Effect[Unit] {
		t := func(name string, e Effect[int]) Effect[int] { return s.Log(name).AndThen(e) }
		return seq(
			s.LogExit(FirstSuccessOf(t("a", fail[int]("ea")), t("b", Succeed(2)), t("c", Succeed(3)))),
			s.LogExit(FirstSuccessOf(t("d", fail[int]("ed")), t("e", fail[int]("ee")))),
			s.LogExit(FirstSuccessOf(t("f", Die[int]("df")), t("g", Succeed(1)))))
	})

	scenario("err-17", func(s *sc) Effect[Unit] {
		m := func(err error) error { return E("m:" + text(err)) }
		both := func(e Effect[int]) Effect[int] {
			return e.MapBoth(func(err error) error { return E("f" + text(err)) }, func(x int) int { return x * 10 })
		}
		return seq(
			s.LogExit(fail[int]("e").MapError(m)),
			s.LogExit(Die[int]("d").MapError(m)),
			s.LogExit(mixed[int](failing("e1"), dying("d1"), failing("e2")).MapError(m)),
			s.LogExit(fail[int]("e").MapError(func(error) error { panic(boom("bad mapper")) })),
			s.LogExit(both(Succeed(2))),
			s.LogExit(both(fail[int]("e"))))
	})

	scenario("err-18", func(s *sc) Effect[Unit] {
		m := func(e Effect[int]) Effect[Unit] {
			return s.LogExit(e.Match(
				func(err error) string { return "F:" + text(err) },
				func(x int) string { return "S:" + s.Text(x) }))
		}
		me := func(e Effect[int]) Effect[Unit] {
			return s.LogExit(e.MatchEffect(
				func(err error) Effect[int] { return fail[int]("again " + text(err)) },
				func(x int) Effect[int] { return Succeed(x + 1) }))
		}
		return seq(m(Succeed(1)), m(fail[int]("e")), m(Die[int]("d")), m(Interrupt[int]()), me(Succeed(1)), me(fail[int]("e")))
	})

	scenario("err-19", func(s *sc) Effect[int] {
		m := func(e Effect[int]) Effect[Unit] {
			return s.LogValue(e.MatchCause(
				func(c *errors.Cause) string { return "F:" + s.Text(c) },
				func(x int) string { return "S:" + s.Text(x) }))
		}
		return seq(m(Succeed(1)), m(fail[int]("e")), m(Die[int]("d")), m(Interrupt[int]())).
			AndThen(fail[int]("e")).
			MatchCauseEffect(func(*errors.Cause) Effect[int] { return s.Log("mce").As(0) }, Succeed)
	})

	scenario("err-20", func(s *sc) Effect[Unit] {
		return ForEachDiscard([]Effect[int]{Succeed(1), fail[int]("e"), Die[int]("d"), Interrupt[int]()},
			func(e Effect[int]) Effect[Unit] {
				return seq(s.LogExit(ExitOf(e)), s.LogExit(ResultOf(e)), s.LogExit(OptionOf(e)))
			})
	})

	scenario("err-21", func(s *sc) Effect[Unit] {
		return seq(
			s.LogExit(fail[int]("e").Ignore()),
			s.LogExit(Die[int]("d").Ignore()),
			s.LogExit(Die[int]("d").IgnoreCause()),
			s.LogExit(Interrupt[int]().IgnoreCause()),
			s.LogExit(fail[int]("e").OrDie()),
			s.LogExit(Succeed(1).OrDie()),
			s.LogExit(mixed[int](failing("e1"), errors.Interrupt{}).OrDie()))
	})

	scenario("err-22", func(s *sc) Effect[Unit] {
		return ForEachDiscard([]Effect[int]{Succeed(1), fail[int]("e"), Die[int]("d"), mixed[int](failing("e1"), dying("d1"))},
			func(e Effect[int]) Effect[Unit] {
				return s.LogExit(e.
					TapError(func(err error) Effect[Unit] { return s.Log("tapError ", err) }).
					TapDefect(func(d any) Effect[Unit] { return s.Log("tapDefect ", d) }).
					TapCause(func(c *errors.Cause) Effect[Unit] { return s.Log("tapCause ", c) }))
			})
	})

	scenario("err-23", func(s *sc) Effect[int] {
		return fail[int]("e1").TapError(func(error) Effect[Unit] { return fail[Unit]("tap failed") })
	})

	scenario("err-24", func(s *sc) Effect[string] {
		return Die[string]("d").Sandbox().
			CatchAs(func(c *errors.Cause) Effect[string] { return s.Log(c).As("handled") })
	})

	scenario("err-25", func(s *sc) Effect[Unit] {
		causes := func(e Effect[string]) Effect[Unit] {
			return s.LogExit(e.CatchCauseIf((*errors.Cause).HasDies, func(*errors.Cause) Effect[string] { return Succeed("die handled") }))
		}
		filter := func(n N) Effect[Unit] {
			return s.LogExit(Fail[string](n).CatchFilter(
				func(err error) (string, bool) { return "big " + text(err), err.(N) > 3 },
				Succeed))
		}
		return seq(causes(Die[string]("d")), causes(fail[string]("e")), filter(5), filter(1))
	})

	scenario("err-26", func(s *sc) Effect[Unit] {
		return seq(
			s.LogExit(CatchNoSuchElement(FromOption(mo.None[int]()))),
			s.LogExit(CatchNoSuchElement(FromOption(mo.Some(1)))),
			s.LogExit(CatchNoSuchElement(fail[int]("other"))))
	})

	scenario("err-27", func(s *sc) Effect[string] {
		return fail[string]("e1").
			Catch(func(err error) Effect[string] { return s.Log("inner ", err).AndThen(fail[string]("e2")) }).
			Catch(handler(s, "outer", "done"))
	})
}
