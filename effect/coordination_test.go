package effect_test

import (
	"context"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

func TestResizeLetsMoreInOrFewer(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		s := NewSemaphore(1)
		first := Start(t.Context(), s.Take(1))
		second := Start(t.Context(), s.Take(1))
		synctest.Wait()
		s.ResizeNow(2)
		synctest.Wait()
		_, one := first.Poll()
		_, two := second.Poll()
		s.ResizeNow(1) // two are taken
		if !one || !two || s.TakeNow(1) || s.ReleaseNow(1) != 0 || s.TakeNow(1) || s.ReleaseNow(1) != 1 {
			t.Error("the permits are not those of the new size")
		}
	})
}

func TestASemaphoreIsNotReentrant(t *testing.T) {
	s := NewSemaphore(1)
	exit := effecttest.Run(t, timeoutOption(s.WithPermits(1, s.WithPermits(1, Succeed(1))), 10*ms))
	if exit.Value.IsPresent() {
		t.Errorf("got %v", exit)
	}
	if !s.TakeNow(1) {
		t.Error("the permit was not given back")
	}
}

func TestAcquireEndsWithItsContext(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		s := NewSemaphore(1)
		if err := s.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		if err := s.Acquire(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if s.ReleaseNow(1) != 1 {
			t.Error("who gave up has taken a permit")
		}
	})
}

func TestTakeScopedInAClosedScopeGivesBackAtOnce(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		sp, s := scope.New(), NewSemaphore(1)
		_ = sp.Close(t.Context(), scope.Exit{})
		if _, err := s.TakeScoped(1).Run(scope.Into(t.Context(), sp)); err != nil {
			t.Error(err)
		}
		if !s.TakeNow(1) {
			t.Error("the permit is taken")
		}
	})
}

func TestTakeScopedWithoutAScopeIsADefect(t *testing.T) {
	s := NewSemaphore(1)
	if exit := effecttest.Run(t, s.TakeScoped(1)); !exit.Cause.HasDies() || !s.TakeNow(1) {
		t.Errorf("got %v", exit)
	}
}

func TestWhenOpenStartsItsEffectOnceTheLatchIsOpen(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		l := NewLatch(false)
		f := Start(t.Context(), l.WhenOpen(Succeed(1)))
		synctest.Wait()
		if _, over := f.Poll(); over {
			t.Error("it did not wait")
		}
		l.OpenNow()
		<-f.Done()
	})
}

func TestALatchThatClosesAgainLetsThoseThroughWhoWaited(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		l := NewLatch(false)
		f := Start(t.Context(), l.Await())
		synctest.Wait()
		l.OpenNow()
		l.CloseNow()
		synctest.Wait()
		if x, over := f.Poll(); !over || x.IsFailure() {
			t.Errorf("it ended: %v, with %v", over, x)
		}
	})
}

func TestAFailedUpdateLeavesASynchronizedRefAsItWas(t *testing.T) {
	r := NewSynchronizedRef(1)
	exit := effecttest.Run(t, Gen(func(do Do) (int, error) {
		do.Await(ExitOf(r.UpdateEffect(func(int) Effect[int] { return fail[int]("e") })))
		do.Await(ExitOf(r.UpdateEffect(func(int) Effect[int] { panic("p") })))
		do.Await(timeoutOption(r.UpdateEffect(func(int) Effect[int] { return Never[int]() }), ms))
		do.Await(r.UpdateSome(func(int) mo.Option[int] { return mo.None[int]() }))
		return do.Await(r.GetAndUpdateSomeEffect(func(n int) Effect[mo.Option[int]] { return Succeed(mo.Some(n + 1)) })), nil
	}))
	if exit.Value != 1 || r.GetNow() != 2 {
		t.Errorf("got %v, and then %d", exit, r.GetNow())
	}
}

func TestModifyingASynchronizedRefHasTheFirstResult(t *testing.T) {
	r := NewSynchronizedRef(1)
	exit := effecttest.Run(t, r.ModifyEffect(func(n int) Effect[Pair[string, int]] { return Succeed(Pair[string, int]{"was 1", n + 1}) }))
	if exit.Value != "was 1" || r.GetNow() != 2 {
		t.Errorf("got %v, and then %d", exit, r.GetNow())
	}
	exit = effecttest.Run(t, r.ModifySome(func(int) (string, mo.Option[int]) { return "kept", mo.None[int]() }))
	if exit.Value != "kept" || r.GetNow() != 2 {
		t.Errorf("got %v, and then %d", exit, r.GetNow())
	}
}

func TestReplacingAFiberInterruptsItInTheNameOfTheMap(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (errors.FiberID, error) {
		m := do.Await(newMap())
		first := do.Await(m.Run("k", Never[Unit]()))
		do.Await(m.Run("k", Never[Unit]()))
		return do.Await(first.Await()).Cause.Interruptors()[0], nil
	}).Scoped())
	if exit.Value != errors.InternalFiber {
		t.Errorf("got %v", exit)
	}
}

func TestJoinOfAFiberSetFailsWithTheFirstFailure(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (u Unit, _ error) {
		s := do.Await(NewFiberSet[Unit]())
		do.Await(s.Run(sleep(20).AndThen(fail[Unit]("second"))))
		do.Await(s.Run(sleep(10).AndThen(fail[Unit]("first"))))
		do.Await(s.Join())
		return
	}).Scoped())
	if want := ExitFail[Unit](E("first")); !exit.Equal(want) {
		t.Errorf("got %v; want %v", exit, want)
	}
}

func TestWhoHasSeenTheEndOfAFiberFindsItInNoCollection(t *testing.T) {
	exit := effecttest.Run(t, Gen(func(do Do) (int, error) {
		m := do.Await(newMap())
		f := do.Await(m.Run("k", Succeed(Unit{})))
		do.Await(f.Await())
		return do.Await(m.Size()), nil
	}).Scoped())
	if exit.Value != 0 {
		t.Errorf("got %v", exit)
	}
}

func TestARunningFiberCanBeSetAndIsStoppedWithTheMap(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		f, late := Start(t.Context(), Never[Unit]()), Start(t.Context(), Never[Unit]())
		var m *FiberMap[string, Unit]
		RunExit(t.Context(), Gen(func(do Do) (u Unit, _ error) {
			m = do.Await(newMap())
			do.Await(m.Set("a", f))
			do.Await(m.Set("b", f))
			do.Await(m.Set("a", f)) // once more
			if n := do.Await(m.Size()); n != 2 {
				t.Errorf("the size is %d; want 2", n)
			}
			return
		}).Scoped())
		if _, over := f.Poll(); !over {
			t.Error("the fiber outlives the map")
		}
		RunExit(t.Context(), m.Set("c", late))
		<-late.Done()
	})
}

func TestPlainGoRunsFibersInCollections(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		ctx := scope.Into(t.Context(), scope.New())
		greeting := NewService[string]("greeting")
		RunExit(ctx, Gen(func(do Do) (u Unit, _ error) {
			m, s, h := do.Await(newMap()), do.Await(NewFiberSet[string]()), do.Await(NewFiberHandle[Unit]())
			m.RunNow(do, "k", Never[Unit](), RunNamed("worker"))
			f := s.RunNow(do, greeting.Get())
			h.RunNow(do, Never[Unit]())
			if x := do.Await(f.Await()); x.Value != "hello" {
				t.Errorf("got %v", x)
			}
			if _, ok := h.GetNow(); m.SizeNow() != 1 || !ok {
				t.Error("a fiber is missing")
			}
			do.Await(m.Clear())
			do.Await(h.Clear())
			do.Await(seq(m.AwaitEmpty(), h.AwaitEmpty(), s.AwaitEmpty()))
			return
		}).Scoped().With(greeting.Of("hello")))
	})
}
