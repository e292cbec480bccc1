package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

func init() {
	area("cause")
	area("exit")

	failCause := func(text string) *errors.Cause { return errors.FailCause(E(text)) }
	cause := errors.NewCause
	interrupt := errors.Interrupt{}

	scenario("cause-01", func(s *sc) Effect[Unit] {
		a, b, c := errors.FailCause(N(1)), errors.FailCause(N(2)), errors.FailCause(N(3))
		return seq(
			s.Log(cause()),
			s.Log(failCause("e")),
			s.Log(errors.DieCause("d")),
			s.Log(errors.InterruptCause(0)),
			s.Log(failCause("e").Combine(errors.DieCause("d"))),
			s.Log(a.Combine(b).Combine(c)))
	})

	scenario("cause-02", func(s *sc) Effect[Unit] {
		x, empty := failCause("e"), cause()
		return seq(
			s.Log(x.Combine(empty).Equal(x)),
			s.Log(empty.Combine(x).Equal(x)),
			s.Log(x.Combine(x)),
			s.Log(cause(failing("a"), dying("b")).Combine(cause(dying("b"), failing("c")))),
			s.Log(x.Combine(errors.DieCause("d"))))
	})

	scenario("cause-03", func(s *sc) Effect[Unit] {
		squash := func(reasons ...errors.Reason) Effect[Unit] { return s.Log(raised(cause(reasons...).Squash())) }
		return seq(
			squash(dying("d"), failing("e1"), failing("e2")),
			squash(interrupt, dying("d1"), dying("d2")),
			squash(interrupt),
			squash())
	})

	scenario("cause-04", func(s *sc) Effect[Unit] {
		s.Name(5, "5")
		return ForEachDiscard([]*errors.Cause{
			failCause("e"), errors.DieCause("d"), errors.InterruptCause(5), cause(interrupt, failing("e")), cause(),
		}, func(c *errors.Cause) Effect[Unit] {
			return s.Log("fails=", c.HasFails(), " dies=", c.HasDies(), " int=", c.HasInterrupts(), " only=", c.HasInterruptsOnly(),
				" err=", mo.TupleToOption(c.FindFail()), " interruptors=", s.ids(c.Interruptors()))
		})
	})

	scenario("cause-05", func(s *sc) Effect[Unit] {
		return s.Log(cause(failing("a"), dying("b"), failing("c"), interrupt).
			MapFails(func(err error) error { return E(text(err) + "!") }))
	})

	impossible("cause-06")

	scenario("cause-08", func(s *sc) Effect[Unit] {
		return seq(
			s.Log(failCause("a").Equal(failCause("a"))),
			s.Log(failCause("a").Equal(failCause("b"))),
			s.Log(failCause("a").Equal(errors.DieCause("a"))),
			s.Log(cause(failing("a"), dying("b")).Equal(cause(dying("b"), failing("a")))),
			s.Log(errors.InterruptCause(1).Equal(errors.InterruptCause(1))),
			s.Log(errors.InterruptCause(1).Equal(errors.InterruptCause(2))),
			s.Log(ExitSucceed(1).Equal(ExitSucceed(1))),
			s.Log(ExitFail[int](E("a")).Equal(ExitFail[int](E("a")))))
	})

	impossible("cause-09")

	scenario("exit-01", func(s *sc) Effect[Unit] {
		ok, ko := ExitSucceed(2), ExitFail[int](E("e"))
		times10 := func(x int) int { return x * 10 }
		both := func(x Exit[int]) Exit[int] {
			return x.MapBoth(func(err error) error { return E(text(err) + "?") }, func(x int) int { return x + 1 })
		}
		match := func(x Exit[int]) string {
			return x.Match(func(c *errors.Cause) string { return "F" + s.Text(c) }, func(x int) string { return "S" + s.Text(x) })
		}
		return seq(
			s.Log(ok.Map(times10)),
			s.Log(ko.Map(times10)),
			s.Log(ko.MapError(func(err error) error { return E(text(err) + "!") })),
			s.Log(both(ok)),
			s.Log(both(ko)),
			s.Log(ok.AsUnit()),
			s.Log(match(ok)),
			s.Log(match(ko)),
			s.Log(ExitOption(ok)),
			s.Log(ExitOption(ko)),
			s.Log(mo.TupleToOption(ko.Cause, ko.IsFailure())),
			s.Log(mo.TupleToOption(ko.FindFail())),
			s.Log(ok.IsSuccess()),
			s.Log(ok.IsFailure()))
	})

	scenario("exit-02", func(s *sc) Effect[Unit] {
		ok := ExitSucceed(1)
		return seq(
			s.Log(ExitAll(ok, ok)),
			s.Log(ExitAll(ok, ExitFail[int](E("a")), ExitDie[int]("b"), ExitFail[int](E("a")))),
			s.Log(ExitAll[int]()))
	})

	// Options and results are those of samber/mo; where it has no such operation, effects do it.
	scenario("exit-03", func(s *sc) Effect[Unit] {
		some, none, ok := mo.Some(1), mo.None[int](), mo.Ok(1)
		bad := func(text string) mo.Result[int] { return mo.Err[int](E(text)) }
		value := func(e Effect[mo.Option[[]int]]) Effect[Unit] { return s.LogValue(e) }
		flipped := func(r mo.Result[int]) Effect[Unit] {
			return s.LogValue(ResultOf(Flip(FromResult(r)).MapError(func(err error) error {
				return N(err.(*UnexpectedSuccess[int]).Value)
			})))
		}
		return seq(
			s.Log(some.MapValue(func(x int) int { return x + 1 })),
			s.Log(some.FlatMap(func(int) mo.Option[int] { return none })),
			s.Log(none.OrElse(9)),
			s.Log(mo.Some(3).Map(func(x int) (int, bool) { return x, x > 5 })),
			s.Log(none.MapNone(func() (int, bool) { return 4, true })),
			value(OptionOf(ForEach([]mo.Option[int]{some, mo.Some(2)}, FromOption))),
			value(OptionOf(ForEach([]mo.Option[int]{some, none}, FromOption))),
			s.Log(ok.MapValue(func(x int) int { return x + 1 })),
			s.Log(bad("e").MapErr(func(err error) (int, error) { return 0, E(text(err) + "!") })),
			s.Log(ok.FlatMap(func(int) mo.Result[int] { return bad("no") })),
			s.LogValue(FromResult(mo.Err[string](E("e"))).OrElseSucceed(func(err error) string { return "d" + text(err) })),
			flipped(ok),
			s.LogValue(FromResult(bad("e")).Match(func(err error) string { return "F" + text(err) }, func(x int) string { return s.Text(x) })),
			s.Log(text(mo.Try(func() (int, error) { return 0, boom("x") }).Error())),
			s.LogValue(ResultOf(ForEach([]mo.Result[int]{ok, mo.Ok(2)}, FromResult))),
			s.LogValue(ResultOf(ForEach([]mo.Result[int]{ok, bad("a"), bad("b")}, FromResult))))
	})
}

// raised is what an error that was squashed stands for: a defect itself, or the error.
func raised(err error) any {
	if d, ok := err.(errors.Die); ok {
		return d.Defect
	}
	return err
}
