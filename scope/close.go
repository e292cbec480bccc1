package scope

import (
	"context"
	"sync"

	"github.com/rivus/agentkit/errors"
)

// Close runs the finalizers with exit and returns the cause of what went wrong in them as a *errors.Cause, or nil. It returns
// when they are over: nothing interrupts it. On a closed scope it does nothing, and does not wait for a Close under way.
func (s *Scope) Close(ctx context.Context, exit Exit) error {
	if ctx == nil {
		ctx = context.Background()
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed, s.exit = true, exit
	top := s.top
	s.top = nil
	s.mu.Unlock()
	if s.parallel {
		return closeAll(ctx, top, exit).AsError()
	}
	return closeEach(ctx, top, exit).AsError()
}

func closeEach(ctx context.Context, e *Entry, exit Exit) (cause *errors.Cause) {
	over := false
	defer func() {
		if !over { // a finalizer ended the goroutine with runtime.Goexit: the others run all the same
			cause = cause.Concat(closeEach(ctx, e, exit))
		}
	}()
	for e != nil {
		next := e
		e = e.next
		cause = cause.Concat(next.run(ctx, exit))
	}
	over = true
	return cause
}

func closeAll(ctx context.Context, e *Entry, exit Exit) (cause *errors.Cause) {
	var entries, empty []*Entry
	for ; e != nil; e = e.next {
		if f, ok := e.finalizer.(emptier); ok && f.Empty() {
			empty = append(empty, e)
		} else {
			entries = append(entries, e)
		}
	}
	causes := make([]*errors.Cause, len(entries))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() {
			causes[i] = goexit // unless run returns
			// A context of its own for each: what a context stands for may belong to one goroutine.
			causes[i] = e.run(context.WithoutCancel(ctx), exit)
		})
	}
	for _, e := range empty {
		cause = cause.Concat(e.run(ctx, exit))
	}
	wg.Wait()
	for _, c := range causes {
		cause = cause.Concat(c)
	}
	return cause
}

// emptier is a [Finalizer] that may have nothing to do that takes time: a goroutine of its own would be too much for it.
type emptier interface{ Empty() bool }

var goexit = errors.DieCause("a finalizer called runtime.Goexit")

// run runs the finalizer. It sees the values of its registration and of nothing that can be cancelled.
func (e *Entry) run(ctx context.Context, exit Exit) (cause *errors.Cause) {
	defer func() {
		if r := recover(); r != nil {
			cause = errors.Recovered(r)
		}
	}()
	if _, plain := e.finalizer.(finalizerFunc); plain && e.ctx != nil {
		ctx = context.WithoutCancel(e.ctx)
	}
	err := e.finalizer.Finalize(ctx, exit)
	if err == nil {
		return nil
	}
	if c, ok := err.(*errors.Cause); ok {
		return c
	}
	return errors.FailCause(err)
}
