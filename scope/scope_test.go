package scope_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func goexit() { runtime.Goexit() }

// add registers a finalizer that logs.
func add(t *testing.T, s *scope.Scope, log *[]string, name string) {
	t.Helper()
	if err := s.Add(t.Context(), finalizer(log, name, nil)); err != nil {
		t.Error(err)
	}
}

func closed(t *testing.T, s *scope.Scope, exit scope.Exit) {
	t.Helper()
	if err := s.Close(t.Context(), exit); err != nil {
		t.Error(err)
	}
}

func TestTheZeroScopeIsOpen(t *testing.T) {
	var s scope.Scope
	var log []string
	add(t, &s, &log, "a")
	if _, over := s.Exit(); over {
		t.Error("it is closed")
	}
	closed(t, &s, scope.Exit{Value: 1})
	if exit, over := s.Exit(); !over || exit.Value != 1 {
		t.Errorf("got %v, %v", exit, over)
	}
	wantLog(t, log, "a")
}

func TestASecondCloseDoesNothing(t *testing.T) {
	s := scope.New()
	var log []string
	add(t, s, &log, "a")
	closed(t, s, scope.Exit{Value: 1})
	closed(t, s, scope.Exit{Value: 2})
	wantLog(t, log, "a")
	if exit, _ := s.Exit(); exit.Value != 1 {
		t.Errorf("got %v; want the exit of the first close", exit)
	}
}

func TestASecondCloseDoesNotWaitForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scope.New()
		_ = s.Add(t.Context(), func(context.Context, scope.Exit) error {
			time.Sleep(time.Minute)
			return nil
		})
		start := time.Now()
		go func() { _ = s.Close(context.Background(), scope.Exit{}) }()
		synctest.Wait()
		closed(t, s, scope.Exit{})
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %v", waited)
		}
		time.Sleep(time.Hour)
	})
}

func TestAFinalizerAddedToAClosedScopeRunsAtOnceWithItsExit(t *testing.T) {
	s := scope.New()
	closed(t, s, scope.Exit{Value: "v"})
	var got scope.Exit
	err := s.Add(t.Context(), func(_ context.Context, exit scope.Exit) error {
		got = exit
		return text("late")
	})
	if got.Value != "v" {
		t.Errorf("got %v", got)
	}
	wantCause(t, err, fail("late"))
}

func TestAFinalizerAddedWhileTheScopeClosesRunsAtOnce(t *testing.T) {
	s := scope.New()
	var log []string
	add(t, s, &log, "first")
	_ = s.Add(t.Context(), func(ctx context.Context, _ scope.Exit) error {
		log = append(log, "before")
		err := s.Add(ctx, finalizer(&log, "nested", nil))
		log = append(log, "after")
		return err
	})
	closed(t, s, scope.Exit{})
	wantLog(t, log, "before", "nested", "after", "first")
}

func TestAFailingFinalizerStopsNoneOfTheOthers(t *testing.T) {
	s := scope.New()
	var log []string
	add(t, s, &log, "a")
	_ = s.Add(t.Context(), finalizer(&log, "b", text("b")))
	_ = s.Add(t.Context(), func(context.Context, scope.Exit) error { panic("c") })
	_ = s.Add(t.Context(), finalizer(&log, "d", text("b")))
	err := s.Close(t.Context(), scope.Exit{})
	wantLog(t, log, "d", "b", "a")
	wantCause(t, err, fail("b"), die("c"), fail("b"))
}

func TestANilFinalizerIsADefectOfTheClosing(t *testing.T) {
	s := scope.New()
	var log []string
	add(t, s, &log, "a")
	_ = s.Add(t.Context(), nil)
	err := s.Close(t.Context(), scope.Exit{})
	wantLog(t, log, "a")
	if c, _ := errors.AsType[*errors.Cause](err); !c.HasDies() {
		t.Errorf("got %v", err)
	}
}

func TestCloseTakesANilContext(t *testing.T) {
	s := scope.New()
	var log []string
	add(t, s, &log, "a")
	var none context.Context
	if err := s.Close(none, scope.Exit{}); err != nil {
		t.Error(err)
	}
	wantLog(t, log, "a")
}

func TestAParallelScopeRunsItsFinalizersAtOnceAndOrdersTheirCauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scope.NewParallel()
		for _, f := range []struct {
			name string
			wait time.Duration
		}{{"a", 10 * time.Second}, {"b", 30 * time.Second}, {"c", 20 * time.Second}} {
			_ = s.Add(t.Context(), func(context.Context, scope.Exit) error {
				time.Sleep(f.wait)
				return text(f.name)
			})
		}
		start := time.Now()
		err := s.Close(t.Context(), scope.Exit{})
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("took %v; want as long as the slowest", took)
		}
		wantCause(t, err, fail("c"), fail("b"), fail("a"))
	})
}

// idle is a finalizer that may have nothing to do.
type idle struct {
	empty bool
	run   func()
}

func (f idle) Empty() bool { return f.empty }

func (f idle) Finalize(context.Context, scope.Exit) error {
	f.run()
	return nil
}

// Once those that take time are under way, those that are empty run where the scope is closed.
func TestAParallelScopeStartsNoGoroutineForWhatIsEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scope.NewParallel()
		var mu sync.Mutex
		var log []string
		say := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, what)
		}
		busy := make(chan struct{})
		empty := idle{true, func() {
			<-busy
			say("empty")
		}}
		_ = s.Register(t.Context(), new(scope.Entry), empty)
		_ = s.Register(t.Context(), new(scope.Entry), idle{false, func() {
			close(busy)
			time.Sleep(time.Second)
			say("busy")
		}})
		_ = s.Register(t.Context(), new(scope.Entry), empty)
		_ = s.Close(t.Context(), scope.Exit{})
		wantLog(t, log, "empty", "empty", "busy")
	})
}

func TestAScopeIsEmptyWithoutFinalizers(t *testing.T) {
	parent := scope.NewParallel()
	child := parent.Fork()
	if !child.Empty() {
		t.Error("the link of a child to its parent counts")
	}
	entry := new(scope.Entry)
	_ = child.Register(t.Context(), entry, idle{})
	if child.Empty() || parent.Empty() {
		t.Error("a scope with a finalizer is empty")
	}
	child.Remove(entry)
	_ = child.Close(t.Context(), scope.Exit{})
	if !child.Empty() || !parent.Empty() {
		t.Error("a closed scope has finalizers")
	}
}

func TestGoexitInAFinalizerOfAParallelScopeIsADefect(t *testing.T) {
	s := scope.NewParallel()
	_ = s.Add(t.Context(), func(context.Context, scope.Exit) error {
		goexit()
		return nil
	})
	wantCause(t, s.Close(t.Context(), scope.Exit{}), die("a finalizer called runtime.Goexit"))
}

func TestAChildClosesAtItsPlaceWithTheExitOfItsParent(t *testing.T) {
	for name, fork := range map[string]func(*scope.Scope) *scope.Scope{
		"sequential": (*scope.Scope).Fork, "parallel": (*scope.Scope).ForkParallel,
	} {
		t.Run(name, func(t *testing.T) {
			parent := scope.New()
			var log []string
			add(t, parent, &log, "p1")
			child := fork(parent)
			add(t, child, &log, "c")
			add(t, parent, &log, "p2")
			closed(t, parent, scope.Exit{Value: "v"})
			wantLog(t, log, "p2", "c", "p1")
			if exit, over := child.Exit(); !over || exit.Value != "v" {
				t.Errorf("got %v, %v", exit, over)
			}
		})
	}
}

func TestTheChildOfAClosedScopeIsClosed(t *testing.T) {
	parent := scope.New()
	closed(t, parent, scope.Exit{Value: "v"})
	if exit, over := parent.Fork().Exit(); !over || exit.Value != "v" {
		t.Errorf("got %v, %v", exit, over)
	}
}

func TestAChildThatWasClosedLeavesItsParent(t *testing.T) {
	parent := scope.New()
	var log []string
	child := parent.Fork()
	add(t, child, &log, "c")
	closed(t, child, scope.Exit{})
	closed(t, parent, scope.Exit{})
	wantLog(t, log, "c")
}

func TestAParentHoldsNothingOfClosedChildren(t *testing.T) {
	parent := scope.New()
	before := heap()
	const children = 20_000
	for range children {
		closed(t, parent.Fork(), scope.Exit{})
	}
	if grown := heap() - before; grown > children {
		t.Errorf("the heap grew by %d bytes over %d children", grown, children)
	}
	runtime.KeepAlive(parent)
}

// heap is how many bytes live.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestARemovedFinalizerDoesNotRun(t *testing.T) {
	s := scope.New()
	var log []string
	entries := make([]scope.Entry, 3)
	for i, name := range []string{"a", "b", "c"} {
		if !s.Attach(t.Context(), &entries[i], finalizing{&log, name}) {
			t.Error("the scope is open")
		}
	}
	first := s.Remove(&entries[1])
	if again := s.Remove(&entries[1]); !first || !again {
		t.Error("an open scope lets go of its finalizers")
	}
	closed(t, s, scope.Exit{})
	wantLog(t, log, "c", "a")
	if s.Remove(&entries[0]) {
		t.Error("removed from a closed scope")
	}
}

func TestAttachLeavesAClosedScopeAlone(t *testing.T) {
	s := scope.New()
	closed(t, s, scope.Exit{})
	var log []string
	if s.Attach(t.Context(), new(scope.Entry), finalizing{&log, "a"}) {
		t.Error("attached to a closed scope")
	}
	wantLog(t, log)
}

// finalizing is a finalizer that is more than a function.
type finalizing struct {
	log  *[]string
	name string
}

func (f finalizing) Finalize(context.Context, scope.Exit) error {
	*f.log = append(*f.log, f.name)
	return nil
}
