package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
)

// Unit is the value of effects that have none to give.
type Unit = struct{}

// Effect describes work that ends with an A or with a cause. It is an immutable value: it can be kept, run many times, and run
// by several goroutines at once. The zero Effect succeeds with the zero A.
type Effect[A any] struct {
	value A                             // when eval and step are nil
	eval  func(*env) (A, *errors.Cause) // runs to its end: a direct call
	step  step[A]                       // may hand back what remains to be run
}

// The functions that combinators put into eval and step begin with e := e where they need e: its address would be taken, and
// captured as a variable it is an allocation more than as a value.

// step runs and gives a value, a cause, or, when the third result is not nil, the tail to run next. A tail costs no stack.
type step[A any] func(*env) (A, *errors.Cause, step[A])

// known tells whether e is a value that is there already.
func (e *Effect[A]) known() bool { return e.eval == nil && e.step == nil }

// exec runs e to its end in region v.
func (e *Effect[A]) exec(v *env) (A, *errors.Cause) {
	if e.eval != nil {
		return e.eval(v)
	}
	if e.step == nil {
		return e.value, nil
	}
	a, c, next := e.step(v)
	for next != nil {
		a, c, next = next(v)
	}
	return a, c
}

// tail hands e back to the loop in exec.
func (e *Effect[A]) tail(v *env) (A, *errors.Cause, step[A]) {
	if e.eval != nil {
		a, c := e.eval(v)
		return a, c, nil
	}
	return e.value, nil, e.step
}

// Succeed is the effect that has a.
func Succeed[A any](a A) Effect[A] { return Effect[A]{value: a} }

// Fail is the effect that fails with err, an expected failure.
func Fail[A any](err error) Effect[A] { return FailCause[A](errors.FailCause(err)) }

// Die is the effect that ends with a defect: a bug that no typed handler sees.
func Die[A any](defect any) Effect[A] { return FailCause[A](errors.DieCause(defect)) }

// Interrupt is the effect that ends as if its fiber had interrupted itself. It is only an outcome: unlike an interruption from
// outside it can be caught, and it works in regions that cannot be interrupted.
func Interrupt[A any]() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) { return a, errors.InterruptCause(v.fiber.id) }}
}

// FailCause is the effect that ends with c. A nil c is the empty cause.
func FailCause[A any](c *errors.Cause) Effect[A] {
	if c == nil {
		c = errors.NewCause()
	}
	return Effect[A]{eval: func(*env) (a A, _ *errors.Cause) { return a, c }}
}

// Sync is the effect that calls f, which must not block. A panic is a defect.
func Sync[A any](f func() A) Effect[A] {
	return Effect[A]{eval: func(*env) (A, *errors.Cause) { return f(), nil }}
}

// Call is [Sync] for a function without a result.
func Call(f func()) Effect[Unit] {
	return Effect[Unit]{eval: func(*env) (u Unit, _ *errors.Cause) {
		f()
		return u, nil
	}}
}

// Try is the effect that calls f. An error that f returns is an expected failure; a panic is a defect.
//
// f may block. It is interrupted through ctx, and the fiber goes on when f returns, not before. An error that is the fiber's own
// interruption, as ctx reports it, is an interruption. An error that is a *errors.Cause passes its reasons on; one that
// wraps a cause is a failure that keeps its message.
//
// The value is lost when an interruption is pending as f returns: acquire what must be released with [AcquireRelease].
func Try[A any](f func(ctx context.Context) (A, error)) Effect[A] {
	return Effect[A]{eval: func(v *env) (zero A, _ *errors.Cause) {
		a, err := f((*goContext)(v))
		if err != nil {
			return zero, v.causeOf(err)
		}
		return a, nil
	}}
}

// TryCall is [Try] for a function whose only result is its error.
func TryCall(f func(ctx context.Context) error) Effect[Unit] {
	return Try(func(ctx context.Context) (u Unit, err error) { return u, f(ctx) })
}

// Suspend is the effect that f makes, anew in each run.
func Suspend[A any](f func() Effect[A]) Effect[A] {
	return Effect[A]{step: func(v *env) (A, *errors.Cause, step[A]) {
		e := f()
		return e.tail(v)
	}}
}
