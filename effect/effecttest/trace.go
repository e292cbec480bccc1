package effecttest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// Trace records what happens, a line an entry. Its methods may be called from several goroutines at once. The zero value is
// empty and keeps no time.
type Trace struct {
	mu    sync.Mutex
	lines []string
	names map[errors.FiberID]string
	timed bool
	start time.Time
}

// New is an empty trace whose lines say what happened, and not when.
func New() *Trace { return &Trace{} }

// NewTimed is an empty trace whose lines end in "@" and the milliseconds since this call.
func NewTimed() *Trace { return &Trace{timed: true, start: time.Now()} }

// Add appends a line made of the texts of the parts, put together as they are: see [Trace.Text].
func (t *Trace) Add(parts ...any) {
	var line strings.Builder
	for _, p := range parts {
		line.WriteString(t.Text(p))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timed {
		fmt.Fprintf(&line, "@%d", time.Since(t.start).Milliseconds())
	}
	t.lines = append(t.lines, line.String())
}

// Log is the effect that adds a line, each time it runs.
//
//go:noinline
func (t *Trace) Log(parts ...any) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		t.Add(parts...)
	})
}

// LogExit runs e and adds its exit as a line, whatever it is.
func (t *Trace) LogExit[A any](e effect.Effect[A]) effect.Effect[effect.Unit] {
	return e.MatchCauseEffect(
		func(c *errors.Cause) effect.Effect[effect.Unit] { return t.Log(effect.ExitFailCause[effect.Unit](c)) },
		func(a A) effect.Effect[effect.Unit] { return t.Log(effect.ExitSucceed[any](a)) })
}

// LogValue runs e and adds its value as a line.
func (t *Trace) LogValue[A any](e effect.Effect[A]) effect.Effect[effect.Unit] {
	return e.FlatMap(func(a A) effect.Effect[effect.Unit] { return t.Log(a) })
}

// Lines are the lines so far.
func (t *Trace) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := slices.Clone(t.lines)
	for i := range lines {
		lines[i] = t.resolveLocked(lines[i])
	}
	return lines
}

// Name makes the fiber appear under a name, also in lines that were added before.
func (t *Trace) Name(id errors.FiberID, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		t.names = make(map[errors.FiberID]string)
	}
	t.names[id] = name
}

// Named is e; the fiber that runs it appears under the name.
func (t *Trace) Named[A any](name string, e effect.Effect[A]) effect.Effect[A] {
	return effect.CurrentID().FlatMap(func(id errors.FiberID) effect.Effect[A] {
		t.Name(id, name)
		return e
	})
}

// Fork is [effect.Fork] of a fiber that appears under the name.
func (t *Trace) Fork[A any](name string, e effect.Effect[A], options ...effect.ForkOption) effect.Effect[*effect.Fiber[A]] {
	return t.NamedFiber(name, effect.Fork(e, append(options, effect.ForkNamed(name))...))
}

// NamedFiber is fork, an effect that starts a fiber, which appears under the name.
func (t *Trace) NamedFiber[A any](name string, fork effect.Effect[*effect.Fiber[A]]) effect.Effect[*effect.Fiber[A]] {
	return fork.Map(func(f *effect.Fiber[A]) *effect.Fiber[A] {
		t.Name(f.ID(), name)
		return f
	})
}

// mark stands for a fiber in a line until the line is read: the fiber may get its name later.
const mark = "\x00"

func marked(id errors.FiberID) string {
	switch id {
	case 0:
		return "none"
	case errors.InternalFiber:
		return "-1"
	}
	return mark + id.String() + mark
}

// resolve puts names in the place of marks.
func (t *Trace) resolve(s string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.resolveLocked(s)
}

func (t *Trace) resolveLocked(s string) string {
	if !strings.Contains(s, mark) {
		return s
	}
	for id, name := range t.names {
		s = strings.ReplaceAll(s, marked(id), name)
	}
	return strings.ReplaceAll(s, mark, "") // those without a name keep their number
}
