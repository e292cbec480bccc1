package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/samber/mo"
)

func init() {
	area("ref")

	scenario("ref-01", func(s *sc) Effect[Unit] {
		r := NewRef(1)
		none := func(int) mo.Option[int] { return mo.None[int]() }
		return seq(
			s.LogValue(r.Get()),
			r.Set(2).AndThen(s.LogValue(r.Get())),
			s.LogValue(r.GetAndSet(3)),
			s.LogValue(r.SetAndGet(4)),
			r.Update(func(x int) int { return x * 10 }).AndThen(s.LogValue(r.Get())),
			s.LogValue(r.UpdateAndGet(func(x int) int { return x + 1 })),
			s.LogValue(r.GetAndUpdate(func(x int) int { return x + 1 })),
			s.LogValue(r.Modify(func(x int) (string, int) { return "old " + s.Text(x), x * 2 })),
			s.LogValue(r.Get()),
			r.UpdateSome(none).AndThen(s.LogValue(r.Get())),
			s.LogValue(r.UpdateSomeAndGet(func(x int) mo.Option[int] { return mo.Some(x + 1) })),
			s.LogValue(r.GetAndUpdateSome(none)))
	})

	scenario("ref-02", func(s *sc) Effect[Unit] {
		r := NewRef(0)
		increment := YieldNow().AndThen(r.Update(func(x int) int { return x + 1 }))
		all := ForEachDiscard(make([]Unit, 1000), func(Unit) Effect[Unit] { return increment }, Unbounded)
		return all.AndThen(s.LogValue(r.Get()))
	})

	scenario("ref-03", func(s *sc) Effect[Unit] {
		r := NewRef(1)
		return seq(
			s.LogExit(r.Update(func(int) int { panic(boom("upd")) })),
			s.LogValue(r.Get()))
	})

	scenario("ref-04", func(s *sc) Effect[Unit] {
		r := NewSynchronizedRef(0)
		update := r.UpdateEffect(func(x int) Effect[int] {
			return seq(s.Log("read ", x), sleep(10)).As(x + 1)
		})
		all := ForEachDiscard(make([]Unit, 3), func(Unit) Effect[Unit] { return update }, Unbounded)
		return all.AndThen(s.LogValue(r.Get()))
	})
}
