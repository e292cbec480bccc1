package effect_test

import (
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// The scenarios of scopes that surround an effect. Those of scopes that a program holds in its hand are in
// scenarios_scope_handle_test.go.
func init() {
	area("scope")

	// finalizer registers e with the surrounding scope.
	finalizer := func(e Effect[Unit]) Effect[Unit] { return AddFinalizer(func(scope.Exit) Effect[Unit] { return e }) }

	scenario("scope-01", func(s *sc) Effect[int] {
		return seq(finalizer(s.Log("f1")), finalizer(s.Log("f2")), finalizer(s.Log("f3")), s.Log("body")).As(1).Scoped().
			Tap(func(int) Effect[Unit] { return s.Log("after") })
	})

	scenario("scope-02", func(s *sc) Effect[string] {
		return s.acq("a").AndThen(s.acq("b")).AndThen(s.Log("use")).As("v").Scoped()
	})

	scenario("scope-03", func(s *sc) Effect[string] {
		return s.acq("a").AndThen(s.acq("b")).AndThen(s.Log("use")).AndThen(fail[string]("e")).Scoped()
	})

	scenario("scope-05", func(s *sc) Effect[Unit] {
		r := func(e Effect[int]) Effect[Unit] {
			return s.LogExit(AcquireUseRelease(s.Log("acquire").As("r"),
				func(r string) Effect[int] { return s.Log("use ", r).AndThen(e) },
				func(r string, x Exit[int]) Effect[Unit] { return s.Log("release ", r, " ", x) }))
		}
		return seq(r(Succeed(1)), r(fail[int]("e")), r(Die[int]("d")))
	})

	scenario("scope-07", func(s *sc) Effect[Unit] {
		child := AcquireUseRelease(s.Log("acquire"),
			func(Unit) Effect[Unit] { return sleep(100) },
			func(_ Unit, x Exit[Unit]) Effect[Unit] { return s.after(20, "release ", x) })
		return s.interruptAfter(10, child).AndThen(s.Log("interrupted"))
	})

	scenario("scope-08", func(s *sc) Effect[Unit] {
		return s.interruptLogged(AcquireUseRelease(s.after(50, "acquired"),
			func(Unit) Effect[Unit] { return s.Log("use") },
			func(_ Unit, x Exit[Unit]) Effect[Unit] { return s.Log("release ", x) }))
	})

	scenario("scope-09", func(s *sc) Effect[Unit] {
		return s.interruptLogged(AcquireRelease(s.after(50, "acquired"),
			func(_ Unit, x scope.Exit) Effect[Unit] { return s.Log("release ", x) }).
			AndThen(s.Log("use")).Scoped())
	})

	scenario("scope-24", func(s *sc) Effect[Unit] {
		inner := s.acq("inner").AndThen(s.Log("inner body")).Scoped()
		return s.acq("outer").AndThen(inner).AndThen(s.Log("outer body")).Scoped()
	})

	scenario("scope-25", func(s *sc) Effect[Unit] {
		dies := func(defect string) Effect[Unit] { return finalizer(Die[Unit](defect)) }
		return seq(
			s.LogExit(dies("fin").AndThen(fail[int]("body")).Scoped()),
			s.LogExit(dies("fin").AndThen(Succeed(1)).Scoped()),
			s.LogExit(dies("f1").AndThen(dies("f2")).AndThen(Die[int]("body")).Scoped()))
	})

	scenario("scope-26", func(s *sc) Effect[Unit] {
		type item struct {
			name string
			ms   int
		}
		acquire := func(i item) Effect[Unit] {
			return AcquireRelease(s.after(i.ms, "acquire ", i.name),
				func(Unit, scope.Exit) Effect[Unit] { return s.Log("release ", i.name) })
		}
		return ForEach([]item{{"a", 30}, {"b", 10}, {"c", 20}}, acquire, Unbounded).AndThen(s.Log("body")).Scoped()
	})

	scenario("scope-27", func(s *sc) Effect[Unit] {
		slow := func(n string) Effect[Unit] {
			return AcquireRelease(Succeed(Unit{}), func(_ Unit, x scope.Exit) Effect[Unit] { return s.after(20, "release ", n, " ", x) })
		}
		return s.interruptAfter(10, seq(slow("a"), slow("b"), sleep(1000)).Scoped()).AndThen(s.Log("interrupted"))
	})

	scenario("scope-29", func(s *sc) Effect[Unit] {
		name := NewService[string]("Name")
		read := func(what string) Effect[Unit] {
			return name.Get().FlatMap(func(n string) Effect[Unit] { return s.Log(what, " ", n) })
		}
		return finalizer(read("fin")).With(name.Of("inner")).AndThen(read("body")).Scoped().With(name.Of("outer"))
	})

	scenario("scope-32", func(s *sc) Effect[Unit] {
		acquire := func(n string, wait time.Duration) Effect[Unit] {
			return AcquireRelease(Sleep(wait).AndThen(s.Log("acquire ", n)),
				func(Unit, scope.Exit) Effect[Unit] { return s.Log("release ", n) })
		}
		child := acquire("a", 0).AndThen(acquire("b", 50*ms)).AndThen(s.Log("use")).Scoped()
		return s.interruptAfter(10, child).AndThen(s.Log("interrupted"))
	})
}

// interruptLogged forks e as "child", sleeps 10, logs "interrupt", interrupts it and waits, and logs "interrupted".
func (s *sc) interruptLogged(e Effect[Unit]) Effect[Unit] {
	return Gen(func(do Do) (u Unit, _ error) {
		child := do.Await(s.Fork("child", e))
		do.Await(s.after(10, "interrupt"))
		do.Await(child.Interrupt())
		s.Add("interrupted")
		return
	})
}

// fin is a finalizer that ignores the exit.
func fin(e Effect[Unit]) func(scope.Exit) Effect[Unit] {
	return func(scope.Exit) Effect[Unit] { return e }
}

// finExit is a finalizer that logs a text and the exit.
func (s *sc) finExit(text string) func(scope.Exit) Effect[Unit] {
	return func(x scope.Exit) Effect[Unit] { return s.Log(text, " ", x) }
}

// failed is the exit with the failure E(text).
func failed(text string) scope.Exit { return scope.Exit{Cause: errors.FailCause(E(text))} }
