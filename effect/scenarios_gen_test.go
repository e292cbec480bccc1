package effect_test

import . "github.com/rivus/agentkit/effect"

func init() {
	area("gen")

	scenario("gen-01", func(s *sc) Effect[int] {
		return Gen(func(do Do) (int, error) {
			x := do.Await(Succeed(1))
			for range 3 {
				x = do.Await(Succeed(x * 2))
				do.Await(s.Log(x))
			}
			if x > 5 {
				do.Await(s.Log("big"))
			} else {
				do.Await(s.Log("small"))
			}
			return x, nil
		})
	})

	scenario("gen-03", func(s *sc) Effect[string] {
		inner := Gen(func(do Do) (string, error) {
			do.Await(s.Log("inner start"))
			do.Await(Fail[Unit](&notFound{ID: 7}))
			do.Await(s.Log("unreachable"))
			return "", nil
		})
		return Gen(func(do Do) (string, error) {
			a := do.Await(inner.CatchAs(func(e *notFound) Effect[string] { return Succeed("default " + s.Text(e.ID)) }))
			do.Await(s.Log(a))
			return a + "!", nil
		})
	})

	scenario("gen-04", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (Unit, error) {
			do.Await(s.Log("step 1"))
			panic(boom("plain"))
		})
	})

	scenario("gen-05", func(s *sc) Effect[int] {
		n := 0
		p := Gen(func(do Do) (int, error) {
			n++
			do.Await(s.Log("run ", n))
			return n, nil
		})
		return p.ZipWith(p, func(a, b int) int { return a + b })
	})
}
