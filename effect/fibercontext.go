package effect

import (
	"context"
	"time"

	"github.com/rivus/agentkit/errors"
)

// fiberContext is a fiber as the context that its interruption cancels. Interrupting it is one atomic; the standard context
// that others can derive from or wait for exists only once somebody asks for it.
type fiberContext fiber

// around is what else interrupts a fiber that shares its goroutine, or works for another fiber.
type around struct {
	outer    context.Context // the region that the fiber is in; nil: nothing
	deadline time.Time       // zero: none
	timer    *time.Timer     // interrupts at the deadline, until there is a standard context that does
	token    errors.Interrupt
}

// The bits of fiber.state.
const (
	interrupted uint32 = 1 << iota // somebody called interrupt, or the fiber is over
	expired                        // the deadline has passed
	standard                       // there is a standard context, and it tells
)

// asContext is the fiber as a context.
func (f *fiber) asContext() context.Context { return (*fiberContext)(f) }

// Deadline is when the fiber or what is around it expires.
func (f *fiberContext) Deadline() (t time.Time, ok bool) {
	a := f.around
	if a == nil {
		return t, false
	}
	if a.outer != nil {
		t, ok = a.outer.Deadline()
	}
	if !a.deadline.IsZero() && (!ok || a.deadline.Before(t)) {
		return a.deadline, true
	}
	return t, ok
}

// Err is not nil once the fiber is interrupted.
func (f *fiberContext) Err() error {
	switch s := f.state.Load(); {
	case s&standard != 0:
		return f.standard.Err()
	case s&expired != 0:
		return context.DeadlineExceeded
	case s&interrupted != 0:
		return context.Canceled
	case f.around != nil && f.around.outer != nil:
		return f.around.outer.Err()
	}
	return nil
}

// Done is closed when the fiber is interrupted.
func (f *fiberContext) Done() <-chan struct{} { return (*fiber)(f).std().Done() }

// Value knows the standard cancellation only, and nothing while nobody has asked for it.
func (f *fiberContext) Value(key any) any {
	if f.state.Load()&standard == 0 && f.Err() == nil {
		return nil
	}
	return (*fiber)(f).std().Value(key)
}

// std is the standard context of the fiber.
func (f *fiber) std() context.Context {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.Load()&standard == 0 {
		f.makeStandardLocked()
		if f.state.Or(standard) != 0 { // it is over meanwhile, or was before
			f.cancel(nil)
		}
	}
	return f.standard
}

func (f *fiber) makeStandardLocked() {
	base := context.Background()
	a := f.around
	if a != nil && a.outer != nil {
		base = standardOf(a.outer)
	}
	if a != nil && !a.deadline.IsZero() {
		a.timer.Stop() // from here on the standard one counts
		ctx, cancel := context.WithDeadlineCause(base, a.deadline, &a.token)
		f.standard, f.cancel = ctx, func(error) { cancel() }
	} else {
		f.standard, f.cancel = context.WithCancelCause(base)
	}
	if len(f.by) > 0 {
		i := f.by[0]
		f.cancel(&i)
	}
}

// standardOf is the standard context behind ctx, so that cancellation is synchronous.
func standardOf(ctx context.Context) context.Context {
	if f, ok := ctx.(*fiberContext); ok {
		return (*fiber)(f).std()
	}
	return ctx
}

// interrupt records i and cancels the fiber's context. It does not wait. A fiber that is over is left alone.
func (f *fiber) interrupt(i errors.Interrupt) { f.interruptBy(i, interrupted) }

func (f *fiber) interruptBy(i errors.Interrupt, how uint32) {
	f.mu.Lock()
	if f.over {
		f.mu.Unlock()
		return
	}
	f.recordLocked(i)
	f.state.Or(how)
	cancel := f.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel(&i)
	}
	f.own.stir() // last: who is woken looks at the standard context, if there is one
}

// recordLocked keeps every interruption, each fiber's once.
func (f *fiber) recordLocked(i errors.Interrupt) {
	for _, have := range f.by {
		if have.By == i.By && i.By != 0 {
			return
		}
	}
	f.by = append(f.by, i)
}

// settle cancels what Go code derived from the fiber's context, now that the fiber is over, and who still keeps that context
// finds it cancelled.
func (f *fiber) settle() {
	if f.state.Or(interrupted)&standard != 0 {
		f.cancel(nil)
	}
	f.own.stir()
}

// interruption is what interrupted the context of a region, with all who did.
func interruption(done context.Context) *errors.Cause {
	if f, ok := done.(*fiberContext); ok {
		f.mu.Lock()
		by := f.by
		f.mu.Unlock()
		switch {
		case len(by) > 0:
			reasons := make([]errors.Reason, len(by))
			for i, r := range by {
				reasons[i] = r
			}
			return errors.NewCause(reasons...)
		case f.around != nil && f.around.outer != nil && f.around.outer.Err() != nil:
			return interruption(f.around.outer)
		}
	}
	err := context.Cause(done)
	if i, ok := err.(*errors.Interrupt); ok {
		return errors.NewCause(*i)
	}
	return errors.NewCause(errors.Interrupt{Kind: done.Err(), Err: err})
}
