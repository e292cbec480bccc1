package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
)

// causeOf is the cause that the error of a Go function called in region v stands for.
func (v *env) causeOf(err error) *errors.Cause {
	if c, ok := err.(*errors.Cause); ok {
		return v.pass(c)
	}
	if v.stopped() {
		if errors.Is(err, v.done.Err()) || errors.Is(err, context.Cause(v.done)) {
			return v.pending()
		}
		return errors.FailCause(err).Combine(v.pending())
	}
	if c, ok := errors.AsType[*errors.Cause](err); ok && c.HasDies() { // fmt.Errorf("load: %w", defect) stays a defect
		return errors.DieCause(err)
	}
	return errors.FailCause(err)
}

// pass lets the reasons of a nested run go on. An interruption that came from a context which the Go code derived itself is an
// ordinary failure out here.
func (v *env) pass(c *errors.Cause) *errors.Cause {
	if v.stopped() {
		return c.Combine(v.pending())
	}
	foreign := false
	for _, r := range c.Reasons() {
		i, ok := r.(errors.Interrupt)
		foreign = foreign || ok && i.By == 0 && i.Err != nil
	}
	if !foreign {
		return c
	}
	out := make([]errors.Reason, len(c.Reasons()))
	for i, r := range c.Reasons() {
		if n, ok := r.(errors.Interrupt); ok && n.By == 0 && n.Err != nil {
			r = errors.Fail{Err: n}
		}
		out[i] = r
	}
	return errors.NewCause(out...)
}
