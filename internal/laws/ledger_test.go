package laws

import (
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// ledger keeps account of what was opened and started, and notes what is not closed or over when it must be.
type ledger struct {
	raised   []int
	entries  int
	open     map[stack][]int // by place, the latest last
	scopes   int
	fibers   map[errors.FiberID]fiberOf // those that run
	stops    []func()
	breaches []string
}

// stack is a place whose finalizers run one after the other, the latest first: a fiber, or a scope as far as one fiber fills it.
type stack struct {
	fiber errors.FiberID
	scope int
}

// fiberOf says whom a fiber must not outlive.
type fiberOf struct {
	parent errors.FiberID
	scope  int
}

func (l *ledger) breach(format string, args ...any) {
	l.breaches = append(l.breaches, fmt.Sprintf(format, args...))
}

// opened registers a finalizer, which must run once.
func (r *Run) opened(on stack) (entry int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.ledger
	if l.open == nil {
		l.open = map[stack][]int{}
	}
	l.entries++
	l.open[on] = append(l.open[on], l.entries)
	return l.entries
}

// closed notes that a finalizer runs.
func (r *Run) closed(on stack, entry int, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trace = append(r.trace, fmt.Sprintf(format, args...))
	l := &r.ledger
	entries := l.open[on]
	switch n := len(entries); {
	case n == 0:
		l.breach("finalizer %d runs again", entry)
	case entries[n-1] != entry:
		l.breach("finalizer %d runs although %d came after it", entry, entries[n-1])
		for i, e := range entries {
			if e == entry {
				l.open[on] = append(entries[:i:i], entries[i+1:]...)
			}
		}
	default:
		l.open[on] = entries[:n-1]
	}
}

// started registers a fiber.
func (r *Run) started(f *effect.Fiber[int], of fiberOf) {
	r.mu.Lock()
	l := &r.ledger
	if l.fibers == nil {
		l.fibers = map[errors.FiberID]fiberOf{}
	}
	l.fibers[f.ID()] = of
	l.stops = append(l.stops, f.InterruptNow)
	r.mu.Unlock()
	f.Observe(func(effect.Exit[int]) {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(l.fibers, f.ID())
		for id, k := range l.fibers {
			if k.parent == f.ID() {
				l.breach("fiber %v outlives its parent %v", id, k.parent)
			}
		}
	})
}

// noneIn notes the fibers of a scope that has closed.
func (l *ledger) noneIn(scope int) {
	for id, k := range l.fibers {
		if k.scope == scope {
			l.breach("fiber %v outlives its scope %d", id, scope)
		}
	}
}

// over notes what is left when the whole run is over.
func (l *ledger) over() {
	for id := range l.fibers {
		l.breach("fiber %v outlives the run", id)
	}
	for on, entries := range l.open {
		if len(entries) > 0 {
			l.breach("finalizers %v of fiber %v have not run", entries, on.fiber)
		}
	}
}
