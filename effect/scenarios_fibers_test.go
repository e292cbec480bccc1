package effect_test

import (
	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// cleaning is e, which takes n milliseconds to clean up when it is interrupted, and then logs.
func (s *sc) cleaning[A any](e Effect[A], n int, parts ...any) Effect[A] {
	return e.OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.after(n, parts...) })
}

// logOf awaits a fiber and logs its exit.
func (s *sc) logOf[A any](f *Fiber[A]) Effect[Unit] {
	return f.Await().FlatMap(func(x Exit[A]) Effect[Unit] { return s.Log(x) })
}

// never waits until it is interrupted.
func never() Effect[Unit] { return Never[Unit]() }

func init() {
	area("fibers")

	scenario("fiber-02", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			s.Add("before")
			child := do.Await(s.Fork("child", seq(s.Log("child 1"), sleep(10), s.Log("child 2"))))
			s.Add("after fork")
			do.Await(child.Join())
			s.Add("joined")
			return
		})
	}, InOrder("before", "after fork", "joined"), InOrder("before", "child 1", "child 2", "joined"))

	scenario("fiber-03", func(s *sc) Effect[Unit] {
		parent := Gen(func(do Do) (string, error) {
			do.Await(s.Fork("C", s.cleaning(seq(s.Log("child start"), sleep(1000), s.Log("child done")), 20, "child interrupted")))
			do.Await(sleep(10))
			s.Add("parent end")
			return "v", nil
		})
		return s.Fork("P", parent).FlatMap(s.logOf[string])
	})

	scenario("fiber-04", func(s *sc) Effect[Unit] {
		child := never().OnExit(func(x Exit[Unit]) Effect[Unit] { return s.Log("C ", x) })
		parent := s.Fork("C", child).AndThen(sleep(10)).As(1)
		return s.Fork("P", parent).FlatMap(func(f *Fiber[int]) Effect[Unit] { return f.Await().AsUnit() })
	})

	scenario("fiber-05", func(s *sc) Effect[Unit] {
		child := never().Ensuring(s.Log("fin").AndThen(Die[Unit]("child fin")))
		parent := s.Fork("C", child).AndThen(sleep(10)).As("ok")
		return s.Fork("P", parent).FlatMap(s.logOf[string])
	})

	scenario("fiber-07", func(s *sc) Effect[Unit] {
		child := s.cleaning(sleep(1000), 20, "child interrupted")
		parent := s.Fork("C", child).AndThen(sleep(10)).AndThen(fail[Unit]("p"))
		return s.Fork("P", parent).FlatMap(s.logOf[Unit])
	})

	scenario("fiber-08", func(s *sc) Effect[Unit] {
		g := s.cleaning(never(), 10, "G")
		c := s.cleaning(s.Fork("G", g).AndThen(never()), 10, "C")
		p := s.cleaning(s.Fork("C", c).AndThen(never()), 10, "P")
		return Gen(func(do Do) (u Unit, _ error) {
			f := do.Await(s.Fork("P", p))
			do.Await(sleep(10))
			do.Await(f.Interrupt())
			s.Add("done")
			return
		})
	})

	scenario("fiber-09", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			child := do.Await(s.Fork("child", sleep(10).AndThen(fail[Unit]("child"))))
			do.Await(sleep(30))
			s.Add("parent alive")
			do.Await(s.logOf(child))
			return
		})
	})

	scenario("fiber-10", func(s *sc) Effect[Unit] {
		parent := seq(ForkDetach(s.after(50, "D done")).AsUnit(), s.after(10, "P end"))
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(s.Fork("P", parent))
			do.Await(p.Await())
			s.Add("P exited")
			do.Await(sleep(60))
			return
		})
	})

	scenario("fiber-11", func(s *sc) Effect[int] {
		s.LogRootExit()
		return ForkDetach(s.after(50, "D done")).AndThen(sleep(10)).As(1)
	})

	scenario("fiber-12", func(s *sc) Effect[int] {
		s.LogRootExit()
		return s.Fork("C", s.cleaning(never(), 30, "C cleaned")).AndThen(sleep(10)).As(1)
	})

	scenario("fiber-13", func(s *sc) Effect[Unit] {
		finalizer := func(name string) Effect[Unit] {
			return AddFinalizer(func(scope.Exit) Effect[Unit] { return s.Log(name) })
		}
		body := seq(
			finalizer("f1"),
			ForkScoped(s.cleaning(never(), 20, "worker stopped")).AsUnit(),
			finalizer("f2"),
			s.after(10, "body end"),
		)
		return body.Scoped().AndThen(s.Log("after"))
	})

	scenario("fiber-14", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			in := scope.New()
			w := ForkIn(in, s.onInterrupt(never(), "W stopped"))
			p := do.Await(s.Fork("P", w.AndThen(s.after(10, "P end"))))
			do.Await(p.Await())
			do.Await(s.after(20, "closing"))
			do.Await(CloseScope(in, scope.Exit{}))
			s.Add("closed")
			return
		})
	})

	scenario("fiber-15", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			in := scope.New()
			body := s.after(10, "W done").As(5).OnExit(func(x Exit[int]) Effect[Unit] { return s.Log("W ", x) })
			w := do.Await(ForkIn(in, body))
			do.Await(sleep(30))
			do.Await(CloseScope(in, scope.Exit{}))
			s.Add("closed")
			do.Await(s.logOf(w))
			return
		})
	})

	scenario("fiber-16", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			in := scope.New()
			do.Await(CloseScope(in, scope.Exit{}))
			w := do.Await(ForkIn(in, s.Log("W body").Ensuring(s.Log("W ensuring"))))
			do.Await(s.logOf(w))
			return
		})
	})

	scenario("fiber-17", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			for _, e := range []Effect[int]{Succeed(1), fail[int]("e"), Die[int]("d")} {
				f := do.Await(Fork(e))
				do.Await(s.Log("await ", do.Await(f.Await())))
				do.Await(s.Log("join ", do.Await(ExitOf(f.Join()))))
			}
			return
		})
	})

	scenario("fiber-18", func(s *sc) Effect[string] {
		return Fork(fail[string]("e")).FlatMap(func(f *Fiber[string]) Effect[string] {
			return f.Join().Catch(func(err error) Effect[string] { return Succeed("caught " + err.Error()) })
		})
	})

	scenario("fiber-19", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(s.Fork("C", never()))
			do.Await(s.Fork("K", sleep(10).AndThen(c.Interrupt())))
			do.Await(c.Join().
				Catch(func(error) Effect[Unit] { return s.Log("typed") }).
				CatchCause(func(cause *errors.Cause) Effect[Unit] { return s.Log("cause ", cause) }))
			s.Add("still running")
			return
		})
	})

	scenario("fiber-20", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			cleanup := seq(s.Log("cleaning"), s.after(30, "cleaned"))
			c := do.Await(Fork(sleep(1000).OnInterrupt(func([]errors.FiberID) Effect[Unit] { return cleanup })))
			do.Await(sleep(10))
			s.Add("interrupt returned ", do.Await(c.Interrupt()))
			return
		})
	})

	scenario("fiber-21", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			f := do.Await(Fork(Succeed(1)))
			do.Await(sleep(10))
			do.Await(f.Interrupt())
			do.Await(s.logOf(f))
			return
		})
	})

	scenario("fiber-22", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(s.Fork("C", never().Ensuring(s.after(50, "C cleaned"))))
			k1 := do.Await(s.Fork("K1", seq(sleep(10), c.Interrupt(), s.Log("K1 done"))))
			k2 := do.Await(s.Fork("K2", seq(sleep(20), c.Interrupt(), s.Log("K2 done"))))
			do.Await(s.logOf(c))
			do.Await(k1.Join())
			do.Await(k2.Join())
			return
		})
	}, InOrder("C cleaned", "K1 done"), InOrder("C cleaned", "K2 done"))

	scenario("fiber-23", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(Fork(never()))
			k := do.Await(s.Fork("K", sleep(1000)))
			do.Await(sleep(10))
			do.Await(c.InterruptAs(k.ID()))
			do.Await(s.logOf(c))
			return
		})
	})

	scenario("fiber-24", func(s *sc) Effect[Unit] {
		of := func(name string, n int) Effect[Unit] {
			return never().OnInterrupt(func([]errors.FiberID) Effect[Unit] {
				return seq(s.Log(name, " begin"), s.after(n, name, " end"))
			})
		}
		return Gen(func(do Do) (u Unit, _ error) {
			a, b := do.Await(Fork(of("a", 30))), do.Await(Fork(of("b", 10)))
			do.Await(sleep(10))
			do.Await(InterruptAll([]*Fiber[Unit]{a, b}))
			s.Add("all")
			return
		})
	}, AnyOrder())

	scenario("fiber-26", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			x := do.Await(Fork(sleep(20).As(1)))
			y := do.Await(Fork(sleep(10).AndThen(fail[int]("y"))))
			z := do.Await(Fork(Die[int]("z")))
			do.Await(s.LogValue(AwaitAll([]*Fiber[int]{x, y, z})))
			return
		})
	})

	scenario("fiber-27", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(Fork(s.Log("body").Ensuring(s.Log("ensuring"))))
			do.Await(c.Interrupt())
			do.Await(s.logOf(c))
			return
		})
	},
		// Fibers are goroutines: this one may have started, and even have ended.
		Maybe("body", "ensuring"), InOrder("body", "ensuring"),
		OrElse(recording("Success", nil, "body", "ensuring", "Success(void)")))

	scenario("fiber-29", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(s.Fork("C", never().Ensuring(s.after(50, "C cleaned"))))
			k := do.Await(s.Fork("K", sleep(10).AndThen(c.Interrupt()).
				OnExit(func(x Exit[Unit]) Effect[Unit] { return s.Log("K ", x) })))
			do.Await(sleep(20))
			do.Await(k.Interrupt())
			s.Add("K gone")
			do.Await(s.logOf(c))
			return
		})
	})

	scenario("fiber-30", func(s *sc) Effect[Unit] {
		body := seq(
			s.Fork("c1", s.after(30, "c1")).AsUnit(),
			s.Fork("c2", s.after(20, "c2")).AsUnit(),
			s.Log("body end"),
		)
		return s.Fork("P", AwaitAllChildren(body.As(1))).FlatMap(s.logOf[int])
	})

	scenario("fiber-31", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(s.Fork("C", s.after(50, "C done").As(9), ForkUninterruptible))
			do.Await(s.after(10, "interrupt"))
			do.Await(c.Interrupt())
			do.Await(s.logOf(c))
			return
		})
	})

	scenario("fiber-32", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			fibers := do.Await(Zip(
				s.Fork("a", s.after(50, "a done")),
				s.Fork("b", s.after(50, "b done"), ForkInherit),
			).Uninterruptible())
			a, b := fibers.First, fibers.Second
			do.Await(sleep(10))
			do.Await(a.Interrupt())
			s.Add("a stopped")
			do.Await(b.Interrupt())
			s.Add("b stopped")
			do.Await(s.logOf(a))
			do.Await(s.logOf(b))
			return
		})
	})

	name := NewService[string]("Name")
	readName := func(s *sc, who string) Effect[Unit] {
		return name.Get().FlatMap(func(n string) Effect[Unit] { return s.Log(who, " ", n) })
	}

	scenario("fiber-35", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			child := do.Await(s.Fork("child", sleep(20).AndThen(readName(s, "child"))))
			do.Await(readName(s, "parent").With(name.Of("two")))
			do.Await(child.Join())
			return
		}).With(name.Of("one"))
	})

	scenario("fiber-36", func(s *sc) Effect[Unit] {
		sub := s.Fork("C", s.after(30, "C done")).AndThen(fail[Unit]("sub")).
			Catch(func(err error) Effect[Unit] { return s.Log("caught ", err) })
		return seq(sub, s.after(50, "end"))
	})

	scenario("fiber-37", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			c := do.Await(s.Fork("C", sleep(20).AndThen(readName(s, "C"))).With(name.Of("inner")))
			do.Await(readName(s, "root"))
			do.Await(c.Join())
			return
		}).With(name.Of("outer"))
	})

	scenario("fiber-38", func(s *sc) Effect[Unit] {
		return Gen(func(do Do) (u Unit, _ error) {
			p := do.Await(s.Fork("P", seq(ForkScoped(s.after(30, "W done")).AsUnit(), s.Log("P end"))))
			do.Await(p.Await())
			do.Await(s.after(50, "body end"))
			return
		}).Scoped()
	})
}
