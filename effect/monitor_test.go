package effect_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/rivus/agentkit/effect"
)

// monitored starts e beneath a monitor and lets it come to rest.
func monitored(t *testing.T, e Effect[Unit]) (*Monitor, *Fiber[Unit]) {
	m := NewMonitor()
	f := Start(t.Context(), e.With(Monitoring.Of(m)))
	synctest.Wait()
	return m, f
}

// stop ends what is monitored and waits for its end.
func stop(f *Fiber[Unit]) {
	f.InterruptNow()
	<-f.Done()
}

// shown are the live fibers as kind, name and what they wait in.
func shown(m *Monitor) (lines []string) {
	for _, f := range m.Fibers() {
		lines = append(lines, strings.TrimSpace(f.Kind+" "+f.Name)+": "+f.Waits)
	}
	return lines
}

func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAMonitorKnowsWhereAFiberWasForkedAndWhatItWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		gate := NewDeferred[Unit]()
		m, f := monitored(t, Gen(func(do Do) (u Unit, _ error) {
			do.Await(do.Await(Fork(sleep(5).AndThen(gate.Await()), ForkNamed("worker"))).Join())
			return
		}))
		time.Sleep(20 * ms)
		root, worker := m.Fibers()[0], m.Fibers()[1]
		if root.ID != f.ID() || root.Kind != "root" || root.Parent != 0 || root.Waits != "Fiber.Join" {
			t.Errorf("the root is %+v", root)
		}
		if worker.Name != "worker" || worker.Kind != "fiber" || worker.Parent != root.ID || !worker.Started.Equal(start) {
			t.Errorf("the worker is %+v", worker)
		}
		if worker.Waits != "Deferred.Await" || worker.WaitsFor.Sub(start) != 5*ms {
			t.Errorf("the worker waits in %s since %v", worker.Waits, worker.WaitsFor.Sub(start))
		}
		if at := worker.Origin; !strings.HasSuffix(at.Function, "TestAMonitorKnowsWhereAFiberWasForkedAndWhatItWaitsFor.func1.1") ||
			filepath.Base(at.File) != "monitor_test.go" || at.Line == 0 {
			t.Errorf("the worker was forked at %v", at)
		}
		stop(f)
	})
}

func TestADumpShowsEachFiberBelowTheOneThatForkedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := Fork(Gen(func(do Do) (u Unit, _ error) { do.Await(sleep(100)); return }), ForkNamed("inner"))
		m, f := monitored(t, Gen(func(do Do) (u Unit, _ error) {
			do.Await(Fork(Gen(func(do Do) (u Unit, _ error) {
				do.Await(inner)
				do.Await(Never[Unit]())
				return
			}), ForkNamed("outer")))
			do.Await(NewSemaphore(0).Take(1))
			return
		}))
		time.Sleep(20 * ms)
		var b bytes.Buffer
		if err := m.Dump(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for i, info := range m.Fibers() {
			text = strings.ReplaceAll(text, info.ID.String(), fmt.Sprint("fiber ", i))
		}
		text = regexp.MustCompile(`at \S*TestADump\S* \(\S*/monitor_test.go:\d+\)`).ReplaceAllString(text, "HERE")
		text = text[strings.IndexByte(text, '\n'):]
		want := `

fiber 0: root
    forked 20ms ago at unknown
    waits in Semaphore.Take for 20ms, HERE

    fiber 1 "outer": fiber, child of fiber 0
        forked 20ms ago HERE
        waits in Never for 20ms, HERE

        fiber 2 "inner": fiber, child of fiber 1
            forked 20ms ago HERE
            waits in Sleep for 20ms, HERE
`
		if text != want {
			t.Errorf("got%s\nwant%s", text, want)
		}
		if !strings.HasPrefix(b.String(), "3 live fibers at "+time.Now().Format(time.RFC3339Nano)+"\n") {
			t.Errorf("the dump begins with %q", b.String()[:60])
		}
		stop(f)
	})
}

func TestADumpFailsWhenItCannotBeWritten(t *testing.T) {
	if err := NewMonitor().Dump(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestAFiberThatIsOverIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewLatch(false)
		m, f := monitored(t, Gen(func(do Do) (u Unit, _ error) {
			do.Await(Fork(gate.Await(), ForkNamed("succeeds")))
			do.Await(Fork(gate.Await().AndThen(fail[Unit]("no")), ForkNamed("fails")))
			do.Await(Fork(sleep(1), ForkNamed("sleeps")).Tap(func(f *Fiber[Unit]) Effect[Unit] { return f.InterruptFork() }))
			do.Await(ForkDetach(gate.Await(), ForkNamed("detached")))
			do.Await(sleep(10))
			return
		}))
		expectLines(t, shown(m), "root: Sleep", "fiber succeeds: Latch.Await", "fiber fails: Latch.Await", "fiber detached: Latch.Await")
		gate.OpenNow()
		synctest.Wait()
		expectLines(t, shown(m), "root: Sleep")
		<-f.Done()
		expectLines(t, shown(m))
	})
}

func TestFibersWithoutAGoroutineOrANameAreShownToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, program := range map[string]Effect[Unit]{
			"side of a race":         Race(sleep(10), Never[Unit]()),
			"worker of a collection": ForEachDiscard([]int{1, 2}, func(int) Effect[Unit] { return sleep(10) }, Unbounded),
			"part of a fiber":        WithCancel(func(context.CancelCauseFunc) Effect[Unit] { return sleep(10) }),
			"run":                    Try(sleep(10).Run),
		} {
			m, f := monitored(t, program)
			if lines := shown(m); !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, name) }) {
				t.Errorf("there is no %s in %q", name, lines)
			}
			<-f.Done()
			expectLines(t, shown(m))
		}
	})
}

func TestAFiberThatRunsWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMonitor()
		var b bytes.Buffer
		Start(t.Context(), sleep(1).AndThen(Sync(func() (u Unit) { _ = m.Dump(&b); return })).With(Monitoring.Of(m)))
		time.Sleep(5 * ms)
		synctest.Wait()
		if text := b.String(); !strings.HasSuffix(text, "\n    runs\n") {
			t.Errorf("got %s", text)
		}
	})
}

func TestADumpSaysWhichOperationAFiberWaitsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		empty, full := NewBoundedQueue[int](1), NewBoundedQueue[int](1)
		Start(t.Context(), full.Offer(1))
		synctest.Wait()
		for want, e := range map[string]Effect[Unit]{
			"Sleep":             sleep(10),
			"Never":             Never[Unit](),
			"Async":             Async(func(func(Effect[Unit])) Effect[Unit] { return Succeed(Unit{}) }),
			"Latch.Await":       NewLatch(false).Await(),
			"Deferred.Await":    NewDeferred[Unit]().Await(),
			"Semaphore.Take":    NewSemaphore(0).Take(1).AsUnit(),
			"Queue.Take":        empty.Take().AsUnit(),
			"Queue.TakeBetween": empty.TakeBetween(1, 2).AsUnit(),
			"Queue.Offer":       full.Offer(2).AsUnit(),
			"Receive":           Receive(make(chan Unit)),
			"Send":              Send(make(chan Unit), Unit{}),
		} {
			m, f := monitored(t, e)
			expectLines(t, shown(m), "root: "+want)
			stop(f)
		}
	})
}

func TestADumpShowsWhoWaitsForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := monitored(t, Gen(func(do Do) (u Unit, _ error) {
			r := do.Await(NewScopedRef(Succeed(u)))
			do.Await(Fork(r.Set(sleep(100)), ForkNamed("first")))
			do.Await(sleep(1))
			return do.Await(r.Set(Succeed(u))), nil
		}).Scoped())
		time.Sleep(2 * ms)
		synctest.Wait()
		expectLines(t, shown(m), "root: ScopedRef.Set", "fiber first: Sleep")
		stop(f)
	})
}

func TestTheGoroutineOfAFiberCarriesItsLabel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := monitored(t, Fork(Never[Unit](), ForkNamed("labelled")).AndThen(Never[Unit]()))
		root, child := m.Fibers()[0], m.Fibers()[1]
		for _, label := range []string{root.ID.String(), fmt.Sprintf("%s %q", child.ID, "labelled")} {
			if !labelled(t, label) {
				t.Errorf("no goroutine that waits has the label %s", label)
			}
		}
		stop(f)
		if labelled(t, root.ID.String()) {
			t.Error("the label has outlived its fiber")
		}
	})
}

// labelled tells whether a goroutine that waits for ever has the label, in the profile of goroutines.
func labelled(t *testing.T, label string) bool {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(strings.Split(b.String(), "\n\n"), func(stanza string) bool {
		return strings.Contains(stanza, fmt.Sprintf("# labels: {\"fiber\":%q}", label)) && strings.Contains(stanza, "effect.Never[")
	})
}

func TestWithoutAMonitorAGoroutineHasNoLabel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := Start(t.Context(), Never[Unit]())
		synctest.Wait()
		if labelled(t, f.ID().String()) {
			t.Error("there is a label")
		}
		stop(f)
	})
}
