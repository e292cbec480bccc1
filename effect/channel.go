package effect

import (
	"fmt"

	"github.com/rivus/agentkit/errors"
)

// MapError is e with f applied to each of its failures.
func (e Effect[A]) MapError[F ~func(error) error](f F) Effect[A] {
	return e.onCause(func(c *errors.Cause) *errors.Cause { return c.MapFails(f) })
}

// OrDie is e with its failures as defects.
func (e Effect[A]) OrDie() Effect[A] {
	return e.onCause(dying)
}

// onCause is e with f applied to its cause.
func (e Effect[A]) onCause(f func(*errors.Cause) *errors.Cause) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		a, c := e.protect(v)
		if v.skips(c) {
			return *new(A), v.skip(c)
		}
		if c != nil {
			c = f(c)
		}
		return a, c
	}}
}

// MapBoth is [Effect.MapError] and [Effect.Map] in one.
func (e Effect[A]) MapBoth[B any](onFailure func(error) error, onSuccess func(A) B) Effect[B] {
	return e.MapError(onFailure).Map(onSuccess)
}

// Sandbox is e with its whole cause as one failure, so that typed handlers see defects and interruptions too:
// e.Sandbox().CatchAs(func(c *errors.Cause) …). Where nothing but the cause is looked at, [Effect.CatchCause] is shorter.
func (e Effect[A]) Sandbox() Effect[A] {
	return e.onCause(sandboxed)
}

// Flip swaps e's failure and its value: it has the error that e fails with, and fails with e's value; as it is if that is an
// error, else inside an [UnexpectedSuccess]. Defects and interruptions pass.
func Flip[A any](e Effect[A]) Effect[error] {
	return e.MatchEffect(Succeed[error], func(a A) Effect[error] {
		if err, ok := any(a).(error); ok {
			return Fail[error](err)
		}
		return Fail[error](&UnexpectedSuccess[A]{a})
	})
}

// UnexpectedSuccess is the failure of a [Flip] whose effect succeeded.
type UnexpectedSuccess[A any] struct {
	Value A // what it succeeded with
}

// Tag is "UnexpectedSuccess".
func (e *UnexpectedSuccess[A]) Tag() string { return "UnexpectedSuccess" }

// Error says what the value was.
func (e *UnexpectedSuccess[A]) Error() string {
	return fmt.Sprintf("effect.Flip: the effect was to fail, but succeeded with %v", e.Value)
}

func dying(c *errors.Cause) *errors.Cause {
	if err, ok := typedFail(c); ok {
		return errors.DieCause(err)
	}
	return c.Elect()
}

func sandboxed(c *errors.Cause) *errors.Cause { return errors.FailCause(c) }
