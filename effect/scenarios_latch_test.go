package effect_test

import . "github.com/rivus/agentkit/effect"

func init() {
	area("latch")

	scenario("latch-01", func(s *sc) Effect[Unit] {
		l := NewLatch(false)
		open := l.Open().FlatMap(func(changed bool) Effect[Unit] { return s.Log("open ", changed) })
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(s.Fork("w1", l.Await().AndThen(s.Log("w1"))))
			do.Await(s.Fork("w2", l.Await().AndThen(s.Log("w2"))))
			do.Await(sleep(10))
			do.Await(open)
			do.Await(sleep(10))
			do.Await(open)
			do.Await(l.Await())
			do.Await(s.Log("passed"))
			do.Await(s.Log("close ", do.Await(l.Close())))
			w3 := do.Await(s.Fork("w3", l.Await().AndThen(s.Log("w3"))))
			do.Await(sleep(10))
			do.Await(open)
			do.Await(w3.Join())
			return
		})
	}, InOrder("open false", "passed", "close true"))

	scenario("latch-02", func(s *sc) Effect[Unit] {
		l := NewLatch(false)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(s.Fork("w1", l.Await().AndThen(s.Log("w1"))))
			do.Await(sleep(10))
			do.Await(s.Log("release ", do.Await(l.Release())))
			do.Await(sleep(10))
			do.Await(s.Log("isOpen ", l.IsOpen()))
			do.Await(s.LogValue(timeoutOption(l.Await(), 10*ms)))
			do.Await(s.Log("open ", do.Await(l.Open())))
			do.Await(s.Log("release ", do.Await(l.Release())))
			return
		})
	}, InOrder("None", "open true", "release false"))

	scenario("latch-04", func(s *sc) Effect[Unit] {
		l := NewLatch(true)
		return Gen(func(do Do) (u Unit, _ error) {
			do.Await(l.Await())
			do.Await(s.Log("through"))
			do.Await(s.Log("close ", do.Await(l.Close())))
			do.Await(s.Log("close ", do.Await(l.Close())))
			return
		})
	})
}
