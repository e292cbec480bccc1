package effect

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rivus/agentkit/errors"
)

// Monitor knows the fibers that are alive: for a program that wants to see what runs and what it waits for. Surround the program
// with one, e.With(effect.Monitoring.Of(m)), and it sees the fiber there and all that start within.
//
// What it sees it tells as text, by [Monitor.Dump], on a signal by [Monitor.DumpOn], and over HTTP by the package effect/fiberhttp.
// The goroutines of fibers that it sees carry the pprof label "fiber". Programs without a monitor pay nothing for it.
type Monitor struct {
	mu   sync.Mutex
	live map[errors.FiberID]*watched
}

// Monitoring is the key of the [Monitor] that sees the fibers of a region.
var Monitoring = NewService[*Monitor]("effect.Monitor")

// NewMonitor is a monitor that sees nothing yet.
func NewMonitor() *Monitor { return &Monitor{live: map[errors.FiberID]*watched{}} }

// Fibers are those that are alive, in the order of their start.
func (m *Monitor) Fibers() (out []FiberInfo) {
	m.mu.Lock()
	live := make([]*watched, 0, len(m.live))
	for _, w := range m.live {
		live = append(live, w)
	}
	m.mu.Unlock()
	slices.SortFunc(live, func(a, b *watched) int { return int(a.id - b.id) })
	for _, w := range live {
		out = append(out, w.info())
	}
	return out
}

// DumpOn is the effect that writes a dump for each of the signals, until it is interrupted: fork it beside the program, with
// SIGQUIT for example, which then does not end the process. It fails when w does.
func (m *Monitor) DumpOn(w io.Writer, signals ...os.Signal) Effect[Unit] {
	return TryCall(func(ctx context.Context) (err error) {
		arrived := make(chan os.Signal, 1)
		signal.Notify(arrived, signals...)
		defer signal.Stop(arrived)
		for {
			select {
			case <-arrived:
				if err := m.Dump(w); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
}

// watched is what a monitor knows about a fiber.
type watched struct {
	monitor *Monitor
	id      errors.FiberID
	parent  errors.FiberID
	name    string
	kind    string
	started time.Time
	origin  stack
	waiting atomic.Pointer[pause] // nil while it runs
}

// pause is a wait of a fiber.
type pause struct {
	since time.Time
	at    stack
}

// monitor is who sees the fibers of a region; nil is nobody.
func (b *binding) watcher() *Monitor {
	if b == nil {
		return nil
	}
	return b.monitor
}

// watch begins to show f, a fiber that starts in region v.
func (v *env) watch(f *fiber, kind string) {
	if m := v.services.watcher(); m != nil {
		m.add(f, v.fiber.id, kind)
	}
}

func (m *Monitor) add(f *fiber, parent errors.FiberID, kind string) {
	w := &watched{monitor: m, id: f.id, parent: parent, name: f.name, kind: kind, started: time.Now(), origin: callers()}
	f.watched.Store(w)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live[f.id] = w
}

// unwatch stops showing f.
func (f *fiber) unwatch() {
	if w := f.watched.Load(); w != nil {
		w.monitor.remove(f.id)
	}
}

func (m *Monitor) remove(id errors.FiberID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, id)
}

// label marks the goroutine of a fiber that is seen.
func (v *env) label() {
	if w := v.fiber.watched.Load(); w != nil {
		v.values = surround(pprof.WithLabels(v.values, pprof.Labels("fiber", title(w.id, w.name))))
		pprof.SetGoroutineLabels(v.values)
	}
}

// among runs e in w, which is region v with other services. If there is a monitor among them that does not see the fiber yet,
// it does until e is over.
func (e *Effect[A]) among(v, w *env) (A, *errors.Cause) {
	if m := w.services.watcher(); m != nil && m != v.services.watcher() && v.fiber.watched.Load() == nil {
		return e.monitored(v, w)
	}
	return e.deeper(w)
}

func (e *Effect[A]) monitored(v, w *env) (A, *errors.Cause) {
	outside := w.values
	w.services.monitor.add(v.fiber, 0, "root")
	w.label()
	defer func() {
		v.fiber.unwatch()
		v.fiber.watched.Store(nil)
		pprof.SetGoroutineLabels(outside)
	}()
	return e.deeper(w)
}

// begin notes that the fiber waits from now on, and where. Of a fiber that is not seen it notes nothing.
func (w *watched) begin() {
	if w != nil {
		w.waiting.Store(&pause{time.Now(), callers()})
	}
}

// end notes that the fiber goes on.
func (w *watched) end() {
	if w != nil {
		w.waiting.Store(nil)
	}
}

// watchedRun runs e as the program of a boundary that a monitor sees.
func (e *Effect[A]) watchedRun(v *env, ctx context.Context) (A, *errors.Cause) {
	parent, _ := envOf(ctx)
	v.services.monitor.add(v.fiber, parent.fiber.id, "run")
	v.label()
	defer func() {
		v.fiber.unwatch()
		pprof.SetGoroutineLabels(ctx)
	}()
	return e.root(v)
}
