package effect_test

import (
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// itself runs what use makes of a fiber, on that fiber, and gives its exit.
func itself(t *testing.T, use func(*Fiber[Unit]) Effect[Unit]) Exit[Unit] {
	t.Helper()
	x := effecttest.Run(t, Gen(func(do Do) (Exit[Unit], error) {
		self := NewDeferred[*Fiber[Unit]]()
		f := do.Await(Fork(self.Await().FlatMap(use)))
		do.Await(self.Succeed(f))
		return do.Await(f.Await()), nil
	}))
	if x.Cause != nil {
		t.Fatal(x)
	}
	return x.Value
}

func TestAFiberThatWaitsForItselfIsADefect(t *testing.T) {
	waits := map[string]func(*Fiber[Unit]) Effect[Unit]{
		"join":            func(f *Fiber[Unit]) Effect[Unit] { return f.Join() },
		"await":           func(f *Fiber[Unit]) Effect[Unit] { return f.Await().AsUnit() },
		"joinAll":         func(f *Fiber[Unit]) Effect[Unit] { return JoinAll([]*Fiber[Unit]{f}).AsUnit() },
		"awaitAll":        func(f *Fiber[Unit]) Effect[Unit] { return AwaitAll([]*Fiber[Unit]{f}).AsUnit() },
		"in a timeout":    func(f *Fiber[Unit]) Effect[Unit] { return f.Join().Timeout(time.Hour) },
		"in a worker":     func(f *Fiber[Unit]) Effect[Unit] { return AllDiscard([]Effect[Unit]{f.Join()}, Unbounded) },
		"uninterruptible": func(f *Fiber[Unit]) Effect[Unit] { return f.Join().Uninterruptible() },
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			x := itself(t, wait)
			d, _ := x.Cause.FindDie()
			if _, ok := d.Defect.(*SelfWait); !ok {
				t.Errorf("got %v; want the defect SelfWait", x)
			}
		})
	}
}

func TestAFiberThatInterruptsItselfIsInterruptedAndDoesNotHang(t *testing.T) {
	interrupts := map[string]func(*Fiber[Unit]) Effect[Unit]{
		"directly":        func(f *Fiber[Unit]) Effect[Unit] { return f.Interrupt() },
		"among all":       func(f *Fiber[Unit]) Effect[Unit] { return InterruptAll([]*Fiber[Unit]{f}) },
		"in a timeout":    func(f *Fiber[Unit]) Effect[Unit] { return f.Interrupt().Timeout(time.Hour) },
		"uninterruptible": func(f *Fiber[Unit]) Effect[Unit] { return f.Interrupt().Uninterruptible() },
		"uninterruptible in a worker": func(f *Fiber[Unit]) Effect[Unit] {
			return AllDiscard([]Effect[Unit]{f.Interrupt()}, Unbounded).Uninterruptible()
		},
	}
	for name, interrupt := range interrupts {
		t.Run(name, func(t *testing.T) {
			if x := itself(t, interrupt); !x.Cause.HasInterruptsOnly() {
				t.Errorf("got %v", x)
			}
		})
	}
}

func TestAFiberThatClosesItsOwnScopeGoesOn(t *testing.T) {
	x := effecttest.Run(t, Gen(func(do Do) (int, error) {
		in := scope.New()
		f := do.Await(ForkIn(in, CloseScope(in, scope.Exit{}).As(1)))
		return do.Await(f.Join()), nil
	}))
	if x.Value != 1 {
		t.Errorf("got %v", x)
	}
}

func TestAConcurrencyBelowOneIsADefect(t *testing.T) {
	for _, n := range []int{0, -1, -1 << 63} {
		x := effecttest.Run(t, All([]Effect[int]{Succeed(1)}, Concurrency(n)))
		if !x.Cause.HasDies() {
			t.Errorf("%d: got %v", n, x)
		}
	}
}

func TestANegativeDurationIsNoTime(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		start := time.Now()
		if x := RunExit(t.Context(), Sleep(-time.Hour)); x.Cause != nil || time.Since(start) != 0 {
			t.Errorf("the sleep ended with %v after %v", x, time.Since(start))
		}
		x := RunExit(t.Context(), Sleep(1).Timeout(-time.Hour))
		err, _ := x.FindFail()
		if _, ok := errors.AsType[*TimeoutError](err); !ok || time.Since(start) != 0 {
			t.Errorf("the timeout ended with %v after %v", x, time.Since(start))
		}
	})
}

func TestAnOperationThatIsOverIsNotCancelled(t *testing.T) {
	cancelled := false
	both := Async(func(resume func(Effect[int])) Effect[Unit] {
		resume(Succeed(1))
		return Call(func() { cancelled = true })
	})
	x := effecttest.Run(t, Gen(func(do Do) (Exit[int], error) {
		self := NewDeferred[*Fiber[int]]()
		f := do.Await(Fork(self.Await().FlatMap(func(f *Fiber[int]) Effect[int] {
			return f.InterruptFork().AndThen(both.Interruptible()).Uninterruptible()
		})))
		do.Await(self.Succeed(f))
		return do.Await(f.Await()), nil
	}))
	if !x.Value.Cause.HasInterruptsOnly() || cancelled {
		t.Errorf("got %v, cancelled: %v", x.Value, cancelled)
	}
}

func TestOnWinnerThatPanicsIsADefectOfTheRace(t *testing.T) {
	x := effecttest.Run(t, Race(Succeed(1), Never[int](), OnWinner(func(int) { panic("told") })))
	if d, _ := x.Cause.FindDie(); d.Defect != "told" {
		t.Errorf("got %v", x)
	}
}
