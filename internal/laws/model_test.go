package laws

import (
	"fmt"

	"github.com/rivus/agentkit/errors"
)

// Self stands for the fiber of the program where it interrupts itself. The interruptor at a step is [errors.InternalFiber].
const Self errors.FiberID = -2

// Outcome is what a run can be told by.
type Outcome struct {
	Trace []string
	Value int
	Cause *errors.Cause
}

// Model evaluates a program of sequential kinds, as a fiber of its own with a scope of its own. Its fiber is interrupted at the
// given step, the first one being 1; zero is no step.
func Model(p *Program, interruptAt int) Outcome {
	m := &machine{at: interruptAt}
	n, c := m.eval(&Program{Kind: Scoped, A: p}, false)
	n, c = m.leave(n, c, true) // at its end the fiber notices at the latest
	return Outcome{m.trace, n, c}
}

var interruption = errors.InterruptCause(errors.InternalFiber)

// machine is a run of the model.
type machine struct {
	trace   []string
	steps   int
	at      int
	pending bool
	scopes  [][]func(exit string) *errors.Cause // the releases in each open scope
}

func (m *machine) log(format string, args ...any) {
	m.trace = append(m.trace, fmt.Sprintf(format, args...))
}

// eval is the value or cause of p. masked tells whether p is in a part that is not interrupted.
func (m *machine) eval(p *Program, masked bool) (int, *errors.Cause) {
	open := !masked
	switch p.Kind {
	case Value:
		return p.N, nil
	case Step:
		m.log("step %d", p.N)
		if m.steps++; m.steps == m.at {
			m.pending = true
		}
		return p.N, nil
	case Fail:
		return 0, errors.FailCause(Failure(p.N))
	case Die:
		return 0, errors.DieCause(p.N)
	case Interrupt:
		return 0, errors.InterruptCause(Self)
	case Then, Both:
		a, c := m.eval(p.A, masked)
		if c != nil {
			return 0, c
		}
		if open && m.pending {
			return 0, interruption
		}
		b, c := m.eval(p.B, masked)
		if c == nil && p.Kind == Both && open && m.pending {
			return 0, interruption
		}
		return sum(a, b, c)
	case Map:
		a, c := m.eval(p.A, masked)
		return sum(a, 1, c)
	case Catch, CatchCause:
		return m.recover(p, masked)
	case Finally:
		a, c := m.eval(p.A, masked)
		m.log("finally %s", exit(a, c))
		_, added := m.eval(p.B, true)
		return m.leave(a, meet(c, added), open)
	case Acquire:
		a, c := m.eval(p.A, true)
		if c == nil {
			m.log("acquired %d", p.N)
			top := len(m.scopes) - 1
			m.scopes[top] = append(m.scopes[top], func(exit string) *errors.Cause {
				m.log("release %d %s", p.N, exit)
				_, c := m.eval(p.B, true)
				return c
			})
		}
		return m.leave(a, c, open)
	case Scoped:
		m.scopes = append(m.scopes, nil)
		a, c := m.eval(p.A, masked)
		return m.leave(a, meet(c, m.close(exit(a, c))), open)
	case Uninterruptible:
		a, c := m.eval(p.A, true)
		return m.leave(a, c, open)
	case Interruptible:
		return m.window(p.A, masked)
	case Mask:
		a, c := m.eval(p.A, true)
		if c == nil {
			var b int
			if masked {
				b, c = m.eval(p.B, true)
			} else {
				b, c = m.window(p.B, true)
			}
			a, c = sum(a, b, c)
		}
		return m.leave(a, c, open)
	}
	panic("the model has no " + p.Kind.String())
}

func (m *machine) recover(p *Program, masked bool) (int, *errors.Cause) {
	a, c := m.eval(p.A, masked)
	switch {
	case !masked && m.pending: // the handler is skipped, and what failed is forgotten
		return 0, c.WithoutFails().Combine(interruption)
	case c == nil:
		return a, nil
	case p.Kind == CatchCause, c.HasFails() && !c.HasDies():
		return m.eval(p.B, masked)
	}
	return 0, c.Elect()
}

// window is p where it can be interrupted; with an interruption pending it does not start.
func (m *machine) window(p *Program, masked bool) (int, *errors.Cause) {
	if masked && m.pending {
		return 0, interruption
	}
	return m.eval(p, false)
}

// close runs the releases of the innermost scope, the last one first.
func (m *machine) close(exit string) (c *errors.Cause) {
	top := len(m.scopes) - 1
	releases := m.scopes[top]
	m.scopes = m.scopes[:top]
	for i := len(releases) - 1; i >= 0; i-- {
		c = c.Concat(releases[i](exit))
	}
	return c
}

// leave delivers a pending interruption at the end of a part that was not interrupted, if it is open around that part.
func (m *machine) leave(a int, c *errors.Cause, open bool) (int, *errors.Cause) {
	if open && m.pending {
		c = c.Combine(interruption)
	}
	return sum(a, 0, c)
}

func sum(a, b int, c *errors.Cause) (int, *errors.Cause) {
	if c != nil {
		return 0, c
	}
	return a + b, nil
}

// meet is the cause of a body and that of its finalizer.
func meet(a, b *errors.Cause) *errors.Cause {
	if a == nil || b == nil {
		return a.Combine(b)
	}
	return a.Combine(b).Elect()
}

func exit(a int, c *errors.Cause) string {
	if c != nil {
		return c.Error()
	}
	return fmt.Sprint(a)
}
