package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Match turns both outcomes into a value: a failure by onFailure, a success by onSuccess. Defects and interruptions pass.
func (e Effect[A]) Match[B any](onFailure func(error) B, onSuccess func(A) B) Effect[B] {
	return e.MatchEffect(
		func(err error) Effect[B] { return Succeed(onFailure(err)) },
		func(a A) Effect[B] { return Succeed(onSuccess(a)) })
}

// MatchEffect goes on with one of two effects. Defects and interruptions pass.
func (e Effect[A]) MatchEffect[B any](onFailure func(error) Effect[B], onSuccess func(A) Effect[B]) Effect[B] {
	return fold(e, onSuccess, func(c *errors.Cause) (next Effect[B], _ *errors.Cause) {
		if err, ok := typedFail(c); ok {
			return onFailure(err), nil
		}
		return next, c.Elect()
	})
}

// MatchCause turns both outcomes into a value, whatever the cause.
func (e Effect[A]) MatchCause[B any](onFailure func(*errors.Cause) B, onSuccess func(A) B) Effect[B] {
	return e.MatchCauseEffect(
		func(c *errors.Cause) Effect[B] { return Succeed(onFailure(c)) },
		func(a A) Effect[B] { return Succeed(onSuccess(a)) })
}

// MatchCauseEffect goes on with one of two effects, whatever the cause.
func (e Effect[A]) MatchCauseEffect[B any](onFailure func(*errors.Cause) Effect[B], onSuccess func(A) Effect[B]) Effect[B] {
	return fold(e, onSuccess, func(c *errors.Cause) (Effect[B], *errors.Cause) { return onFailure(c), nil })
}

// ExitOf is e's exit as a value: it always succeeds, unless the fiber around it is interrupted.
func ExitOf[A any](e Effect[A]) Effect[Exit[A]] {
	return e.MatchCause(func(c *errors.Cause) Exit[A] { return Exit[A]{Cause: c} }, ExitSucceed)
}

// ResultOf is e's value or failure as a value. Defects and interruptions pass.
func ResultOf[A any](e Effect[A]) Effect[mo.Result[A]] {
	return e.Match(mo.Err[A], mo.Ok)
}

// OptionOf is e's value, or none when it fails. Defects and interruptions pass.
func OptionOf[A any](e Effect[A]) Effect[mo.Option[A]] {
	return e.Match(func(error) mo.Option[A] { return mo.None[A]() }, mo.Some)
}

// Ignore is e without its value or failure. Defects and interruptions pass.
func (e Effect[A]) Ignore() Effect[Unit] { return e.ignored(ignoreFail) }

// IgnoreCause is e without its outcome, whatever it is.
func (e Effect[A]) IgnoreCause() Effect[Unit] {
	return e.ignored(func(*errors.Cause) *errors.Cause { return nil })
}

func ignoreFail(c *errors.Cause) *errors.Cause {
	if _, ok := typedFail(c); ok {
		return nil
	}
	return c.Elect()
}

// ignored is e without its value, and with f applied to its cause.
func (e Effect[A]) ignored(f func(*errors.Cause) *errors.Cause) Effect[Unit] {
	seen := e.onCause(f)
	return Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
		e := seen
		_, c = e.deeper(v)
		return u, c
	}}
}
