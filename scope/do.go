package scope

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/internal/ctxkey"
)

// Do runs body with a scope of its own and closes the scope when body returns, panics or ends its goroutine. The context that
// body gets carries the scope.
//
// It returns body's error, or a *errors.Cause with body's error and what the finalizers added to it. The scope closes with
// the cause of body's error. A panic is a defect there, and goes on when the finalizers are over: with its own value, or with a
// [Panic] that has what the finalizers added.
func Do(ctx context.Context, body func(ctx context.Context, s *Scope) error) (err error) {
	s := New()
	exit := Exit{Cause: errors.DieCause("runtime.Goexit")}
	defer func() {
		r := recover()
		if r != nil {
			exit.Cause = errors.Recovered(r)
		}
		added := s.Close(ctx, exit)
		switch {
		case r != nil && added != nil:
			panic(&Panic{r, exit.Cause.Combine(added.(*errors.Cause)).Elect()})
		case r != nil:
			panic(r)
		case added != nil:
			err = exit.Cause.Combine(added.(*errors.Cause)).Elect()
		}
	}()
	err = body(Into(ctx, s), s)
	exit.Cause = causeOf(err)
	return err
}

// Panic is what [Do] panics with when its body panicked and a finalizer failed too: neither is lost.
type Panic struct {
	Value any // what body panicked with
	cause *errors.Cause
}

// Cause is the body's panic and what the finalizers added.
func (p *Panic) Cause() *errors.Cause { return p.cause }

// Error says both.
func (p *Panic) Error() string { return p.cause.Error() }

// Unwrap is what body panicked with, if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

func causeOf(err error) *errors.Cause {
	if err == nil {
		return nil
	}
	if c, ok := err.(*errors.Cause); ok {
		return c
	}
	return errors.FailCause(err)
}

// Into is ctx with s as the scope of the effects that are run with it: how plain Go owns what an effect acquires.
func Into(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, ctxkey.Scope{}, s)
}

// From is the scope that [Into] or [Do] put into ctx.
func From(ctx context.Context) (*Scope, bool) {
	s, ok := ctx.Value(ctxkey.Scope{}).(*Scope)
	return s, ok && s != nil
}
