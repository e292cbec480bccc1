package effect

import (
	"context"
	"io"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// What connects effects with Go code that lives longer than a call. A call that blocks needs none of it: it gets a context from
// [Try].

// ScopeContext is a context for Go code that is to stop when the surrounding scope closes, such as a connection with goroutines of
// its own (Effect's abortSignal). It has the values and services that surround the effect. The closing of the scope cancels it,
// and what interrupts the fiber does not; [context.Cause] then is the cause the scope closes with, or context.Canceled after a
// success. Without a scope it is the defect [NoScope].
func ScopeContext() Effect[context.Context] {
	return Effect[context.Context]{eval: func(v *env) (context.Context, *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"ScopeContext"})
		}
		ctx, cancel := context.WithCancelCause(v.onGoroutine().mask())
		return ctx, v.addFinalizer(v.scope, func(x scope.Exit) Effect[Unit] {
			return Call(func() {
				cancel(x.Cause.AsError())
			})
		})
	}}
}

// AcquireCloser is [AcquireRelease] of something with a method Close, such as a file (Effect's acquireDisposable). An error of Close
// is a failure of the scope's closing, after what else went wrong.
func AcquireCloser[C io.Closer](acquire Effect[C]) Effect[C] {
	return AcquireRelease(acquire, func(c C, _ scope.Exit) Effect[Unit] {
		return TryCall(func(context.Context) (err error) { return c.Close() })
	})
}

// Timed is how long e took, and its value.
func Timed[A any](e Effect[A]) Effect[Pair[time.Duration, A]] {
	return Suspend(func() Effect[Pair[time.Duration, A]] {
		start := time.Now()
		return e.Map(func(a A) Pair[time.Duration, A] { return Pair[time.Duration, A]{time.Since(start), a} })
	})
}
