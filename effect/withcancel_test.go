package effect_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

func TestCancelInterruptsWithItsCauseAndWithCancelCanBeCaught(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("no longer needed")
		var cancel context.CancelCauseFunc
		var seen error
		f := Start(t.Context(), WithCancel(func(c context.CancelCauseFunc) Effect[string] {
			cancel = c
			return Try(func(ctx context.Context) (string, error) {
				<-ctx.Done()
				seen = context.Cause(ctx)
				return "", ctx.Err()
			})
		}).CatchCause(func(c *errors.Cause) Effect[string] {
			return Succeed(fmt.Sprint(c.HasInterruptsOnly(), " ", errors.Is(c, why), " ", errors.Is(c, context.Canceled)))
		}))
		synctest.Wait()
		cancel(why)
		cancel(errors.New("too late"))
		<-f.Done()
		if x, _ := f.Poll(); x.Value != "true true true" || !errors.Is(seen, why) {
			t.Errorf("got %v, with the cause %v inside; want an interruption with the first cause", x, seen)
		}
	})
}

func TestCancelWithoutACauseIsACancellation(t *testing.T) {
	x := effecttest.Run(t, WithCancel(func(cancel context.CancelCauseFunc) Effect[Unit] {
		return Call(func() { cancel(nil) }).AndThen(Never[Unit]())
	}))
	if !errors.Is(x.Cause, context.Canceled) || !x.Cause.HasInterruptsOnly() {
		t.Errorf("got %v; want an interruption by a cancellation", x)
	}
}

func TestCancelReachesWhereWithCancelIsUninterruptible(t *testing.T) {
	x := effecttest.Run(t, ExitOf(WithCancel(func(cancel context.CancelCauseFunc) Effect[Unit] {
		return Call(func() { cancel(nil) }).AndThen(Never[Unit]())
	})).Uninterruptible())
	if !x.Value.Cause.HasInterruptsOnly() {
		t.Errorf("got %v; want an interruption", x)
	}
}

func TestCancelAfterTheEndDoesNothingAndWhatWasForkedEndsBefore(t *testing.T) {
	var cancel context.CancelCauseFunc
	ended := NewDeferred[Unit]()
	x := effecttest.Run(t, WithCancel(func(c context.CancelCauseFunc) Effect[int] {
		cancel = c
		started := NewDeferred[Unit]()
		child := started.Succeed(Unit{}).AndThen(Never[Unit]()).OnExit(func(Exit[Unit]) Effect[bool] { return ended.Succeed(Unit{}) })
		return Fork(child).AndThen(started.Await()).As(1)
	}).FlatMap(func(int) Effect[bool] {
		cancel(nil)
		return ended.IsDone()
	}))
	if !x.Value || x.Cause != nil {
		t.Errorf("got %v; want the child ended and no interruption", x)
	}
}

func TestAPanicOfWithCancelsFunctionIsADefect(t *testing.T) {
	x := effecttest.Run(t, WithCancel(func(context.CancelCauseFunc) Effect[int] { panic("boom") }))
	if !x.Cause.HasDies() {
		t.Errorf("got %v; want a defect", x)
	}
}

func TestWhatInterruptsTheSurroundingsInterruptsWithCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caught := false
		f := Start(t.Context(), WithCancel(func(context.CancelCauseFunc) Effect[Unit] { return Never[Unit]() }).
			CatchCause(func(*errors.Cause) Effect[Unit] { return Call(func() { caught = true }) }))
		synctest.Wait()
		f.InterruptNow()
		<-f.Done()
		if x, _ := f.Poll(); caught || !x.Cause.HasInterruptsOnly() {
			t.Errorf("got %v (caught %v); want an interruption that nobody catches", x, caught)
		}
	})
}
