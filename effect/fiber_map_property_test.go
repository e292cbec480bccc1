package effect_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
	"pgregory.net/rapid"
)

// anyFiberMap is the part of a FiberMap that the properties use.
type anyFiberMap interface {
	Run(key int, e Effect[Unit], options ...RunOption) Effect[*Fiber[Unit]]
	Remove(key int) Effect[Unit]
	Clear() Effect[Unit]
	GetNow(key int) (*Fiber[Unit], bool)
	SizeNow() int
}

type fiberMapOp struct {
	kind   string // run, keep, remove, clear, finish, interrupt
	n      int    // which key, or which fiber
	slow   bool   // the fiber takes its time to stop
	atOnce bool
}

func fiberMapPrograms(races bool) *rapid.Generator[[]fiberMapOp] {
	kinds := rapid.SampledFrom([]string{"run", "run", "run", "keep", "remove", "clear", "finish", "interrupt"})
	op := rapid.Custom(func(rt *rapid.T) fiberMapOp {
		return fiberMapOp{kinds.Draw(rt, "kind"), rapid.IntRange(1, 3).Draw(rt, "n"), rapid.Bool().Draw(rt, "slow"),
			races && rapid.Bool().Draw(rt, "at once")}
	})
	return rapid.SliceOfN(op, 1, 30)
}

// member is a fiber that was run in a map.
type member struct {
	key     int
	finish  *Latch
	fiber   *Fiber[Unit]
	started atomic.Bool
	stopped atomic.Bool
}

// fiberMapKeepsItsFibers runs a program, in which the map has for each key the fiber that was run last and is not over, and
// then closes the scope: no fiber is left, and each that began has run its finalizer.
func fiberMapKeepsItsFibers(program []fiberMapOp, open Effect[anyFiberMap]) string {
	var wrong findings
	sp := scope.New()
	ctx := scope.Into(context.Background(), sp)
	m, err := open.Run(ctx)
	if err != nil {
		return err.Error()
	}
	var all []*member
	expected := map[int]*member{}
	races := false
	for i, op := range program {
		switch op.kind {
		case "run", "keep":
			f := &member{key: op.n, finish: NewLatch(false)}
			stop := Call(func() { f.stopped.Store(true) })
			if op.slow {
				stop = sleep(5).AndThen(stop)
			}
			body := Suspend(func() Effect[Unit] { f.started.Store(true); return f.finish.Await() }).Ensuring(stop)
			var options []RunOption
			if op.kind == "keep" {
				options = append(options, OnlyIfMissing)
			}
			if f.fiber, err = m.Run(op.n, body, options...).Run(ctx); err != nil {
				return err.Error()
			}
			all = append(all, f)
			if op.kind == "run" || expected[op.n] == nil {
				expected[op.n] = f
			}
		case "remove":
			Start(ctx, m.Remove(op.n))
			delete(expected, op.n)
		case "clear":
			Start(ctx, m.Clear())
			clear(expected)
		case "finish", "interrupt":
			if op.n > len(all) {
				break
			}
			f := all[len(all)-op.n]
			if op.kind == "finish" {
				f.finish.OpenNow()
			} else {
				f.fiber.InterruptNow()
			}
			if expected[f.key] == f {
				delete(expected, f.key)
			}
		}
		if op.atOnce {
			races = true
			continue
		}
		if _, err := sleep(10).Run(context.Background()); err != nil { // until the slow ones have stopped
			return err.Error()
		}
		synctest.Wait()
		if races {
			continue
		}
		for key := 1; key <= 3; key++ {
			got, _ := m.GetNow(key)
			want := expected[key]
			wrong.expect(want == nil && got == nil || want != nil && got == want.fiber,
				"after operation %d of %+v key %d has %v", i, program, key, got)
		}
		wrong.expect(m.SizeNow() == len(expected), "after operation %d of %+v the size is %d; want %d", i, program, m.SizeNow(), len(expected))
	}
	if err := sp.Close(context.Background(), scope.Exit{}); err != nil {
		return err.Error()
	}
	for i, f := range all {
		_, over := f.fiber.Poll()
		wrong.expect(over, "%+v: fiber %d outlives the map", program, i)
		wrong.expect(f.started.Load() == f.stopped.Load(), "%+v: fiber %d began: %v; it ran its finalizer: %v", program, i, f.started.Load(), f.stopped.Load())
	}
	for _, f := range all {
		f.finish.OpenNow()
		f.fiber.InterruptNow()
	}
	return wrong.text()
}

func openFiberMap() Effect[anyFiberMap] {
	return NewFiberMap[int, Unit]().Map(func(m *FiberMap[int, Unit]) anyFiberMap { return m })
}

func TestFiberMapFollowsItsModel(t *testing.T) {
	checkProperty(t, fiberMapPrograms(false), func(p []fiberMapOp) string { return fiberMapKeepsItsFibers(p, openFiberMap()) })
}

func TestFiberMapLeaksNoFiberUnderInterruption(t *testing.T) {
	checkProperty(t, fiberMapPrograms(true), func(p []fiberMapOp) string { return fiberMapKeepsItsFibers(p, openFiberMap()) })
}

// forgetfulMap forgets a fiber that is replaced, and does not wait for it as it closes.
type forgetfulMap struct {
	*FiberMap[int, Unit]
}

func (m forgetfulMap) Run(key int, e Effect[Unit], options ...RunOption) Effect[*Fiber[Unit]] {
	old, ok := m.GetNow(key)
	if !ok || len(options) > 0 {
		return m.FiberMap.Run(key, e, options...)
	}
	return ForkDetach(e).Tap(func(f *Fiber[Unit]) Effect[Unit] {
		old.InterruptNow()
		return Succeed(Unit{})
	})
}

func TestTheFiberMapPropertyCatchesAMapThatForgetsFibers(t *testing.T) {
	checkCatches(t, fiberMapPrograms(true), func(p []fiberMapOp) string {
		return fiberMapKeepsItsFibers(p, NewFiberMap[int, Unit]().Map(func(m *FiberMap[int, Unit]) anyFiberMap { return forgetfulMap{m} }))
	})
}

// stubbornMap replaces a fiber also where only a missing one is to be run.
type stubbornMap struct {
	*FiberMap[int, Unit]
}

func (m stubbornMap) Run(key int, e Effect[Unit], _ ...RunOption) Effect[*Fiber[Unit]] {
	return m.FiberMap.Run(key, e)
}

func TestTheFiberMapModelCatchesAMapThatReplacesWhatItShouldKeep(t *testing.T) {
	checkCatches(t, fiberMapPrograms(false), func(p []fiberMapOp) string {
		return fiberMapKeepsItsFibers(p, NewFiberMap[int, Unit]().Map(func(m *FiberMap[int, Unit]) anyFiberMap { return stubbornMap{m} }))
	})
}
