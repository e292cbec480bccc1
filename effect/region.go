package effect

import (
	"context"
	"reflect"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/internal/ctxkey"
	"github.com/rivus/agentkit/scope"
)

// env is the region of a program that an effect runs in, and the context that Go code in it gets. Done, Err and Deadline come
// from done, values from values; services and the scope have fields of their own. They vary independently: restoring
// interruptibility changes the first only.
//
// An env is used by one goroutine at a time (room is its own count), but as a context by any number.
type env struct {
	fiber    *fiber
	done     context.Context // what interrupts this region; nil: nothing does
	open     context.Context // what Interruptible goes back to; nil: nothing
	values   *surroundings
	scope    *scope.Scope
	services *binding
	masked   bool   // uninterruptible: handlers run although an interruption is pending
	nested   uint16 // boundaries (Run and Await) between the root and this region
	kept     bool   // the last step took a value that must not be lost: see halted
	room     int32  // what is left of the goroutine's stack, in frames
	twin     *env   // the same region, masked
}

// surroundings are the values that a boundary, or Go code that derived a context, put around a region. They are told apart by
// identity. They hide the cancellation of the context that they come from, so that a masked region does not find it there.
type surroundings struct{ context.Context }

func surround(ctx context.Context) *surroundings {
	if ctx.Done() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return &surroundings{ctx}
}

type envKey struct{}

// Done is closed when the region is interrupted.
func (v *env) Done() <-chan struct{} {
	if v.done == nil {
		return nil
	}
	return v.done.Done()
}

// Err is not nil once the region is interrupted.
func (v *env) Err() error {
	if v.done == nil {
		return nil
	}
	return v.done.Err()
}

// Deadline is that of the interruption. A masked region has none: one that it inherited and that cannot fire would silence
// context.WithTimeout.
func (v *env) Deadline() (t time.Time, ok bool) {
	if v.done == nil {
		return t, false
	}
	return v.done.Deadline()
}

// Value looks up the values that surround the region.
func (v *env) Value(key any) any {
	switch key.(type) {
	case envKey:
		return v
	case ctxkey.Scope:
		return nil // the ambient scope is not inherited through a context; scope.Into puts one there
	}
	if v.done != nil {
		if cancel := cancelOf(v.done, key); cancel != nil {
			return cancel
		}
	}
	return v.values.Value(key)
}

// The context package asks a context for its standard cancellation through a key of its own, to propagate it synchronously and
// to read its cause. The answer must follow done, not the values. It is told from all other values by its type, and by being
// the one that done is done by.
var standardCancel = func() reflect.Type {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return reflect.TypeOf(ctx)
}()

func cancelOf(done context.Context, key any) any {
	found := done.Value(key)
	if found == nil || reflect.TypeOf(found) != standardCancel {
		return nil
	}
	if ctx, ok := found.(context.Context); ok && ctx.Done() == done.Done() {
		return found
	}
	return nil
}

// stopped tells whether an interruption is pending that the region can be interrupted by.
func (v *env) stopped() bool { return v.done != nil && v.done.Err() != nil }

// halted tells, between two steps, whether an interruption ends the region here. One that came only after a step had taken a value
// from elsewhere, such as a queue, waits for the check after the next step: else nobody would have the value.
func (v *env) halted() bool {
	kept := v.kept
	v.kept = false
	return !kept && v.stopped()
}

// skips tells whether the handlers for a step that ended with c, or well, are skipped.
func (v *env) skips(c *errors.Cause) bool { return v.uncatchable() && (c != nil || !v.kept) }

// uncatchable tells whether handlers are skipped: an interruption from outside is pending, and the region is open to it.
func (v *env) uncatchable() bool { return !v.masked && v.stopped() }

// pending is the interruption that waits for this region.
func (v *env) pending() *errors.Cause { return interruption(v.done) }

// mask is the same region, uninterruptible.
func (v *env) mask() *env {
	if v.masked && v.done == nil {
		return v
	}
	if v.twin == nil {
		v.twin = &env{}
		*v.twin = *v
		v.twin.done, v.twin.masked, v.twin.twin = nil, true, nil
	}
	v.twin.room = v.room
	return v.twin
}

// unmask is the same region, interrupted by done.
func (v *env) unmask(done context.Context) *env {
	w := v.clone()
	w.done, w.open, w.masked = done, done, false
	return w
}

// with is the same region with another scope and other services.
func (v *env) with(s *scope.Scope, b *binding) *env {
	w := v.clone()
	w.scope, w.services = s, b
	return w
}

// clone is the same region as a value of its own.
func (v *env) clone() *env {
	w := *v
	w.twin = nil
	return &w
}

// onGoroutine is the same region for another goroutine, with a stack of its own.
func (v *env) onGoroutine() *env {
	w := v.clone()
	w.room = fullRoom
	return w
}

// leave delivers a pending interruption where an uninterruptible part of region v ends.
func (v *env) leave(c *errors.Cause) *errors.Cause {
	if v.uncatchable() {
		return c.Combine(v.pending())
	}
	return c
}

// skip is the outcome of a handler that an interruption from outside passed over: defects are kept, failures are not.
func (v *env) skip(c *errors.Cause) *errors.Cause {
	return c.WithoutFails().Combine(v.pending())
}
