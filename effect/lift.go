package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// NoSuchElementError is the failure of an effect that was to find something and found nothing.
type NoSuchElementError struct {
	Op string // what looked for it
}

// Tag is "NoSuchElementError".
func (e *NoSuchElementError) Tag() string { return "NoSuchElementError" }

// Error says what found nothing, and the remedy.
func (e *NoSuchElementError) Error() string {
	return "effect." + e.Op + ": there is no such element; handle the absence with CatchNoSuchElement or OrElseSucceed"
}

// FromOption is the effect that has the option's value, or fails with [NoSuchElementError] (Effect's fromOption). For another
// failure, use [FromOptionOr].
func FromOption[A any](o mo.Option[A]) Effect[A] {
	return FromOptionOr(o, func() error { return &NoSuchElementError{"FromOption"} })
}

// FromOptionOr is the effect that has the option's value, or fails with the error that f makes.
func FromOptionOr[A any](o mo.Option[A], f func() error) Effect[A] {
	if a, ok := o.Get(); ok {
		return Succeed(a)
	}
	return Suspend(func() Effect[A] { return Fail[A](f()) })
}

// FromResult is the effect that has the result's value, or fails with its error (Effect's fromResult, v3's Either). An error
// that is a *errors.Cause passes its reasons on.
func FromResult[A any](r mo.Result[A]) Effect[A] {
	a, err := r.Get()
	if err == nil {
		return Succeed(a)
	}
	if c, ok := err.(*errors.Cause); ok {
		return FailCause[A](c)
	}
	return Fail[A](err)
}

// AsSome is e with its value as an option that has one.
func AsSome[A any](e Effect[A]) Effect[mo.Option[A]] { return e.Map(mo.Some) }

// CatchNoSuchElement is e's value, or none when it fails with [NoSuchElementError]. Other failures pass.
func CatchNoSuchElement[A any](e Effect[A]) Effect[mo.Option[A]] {
	return AsSome(e).CatchAs(func(*NoSuchElementError) Effect[mo.Option[A]] { return Succeed(mo.None[A]()) })
}

// TransposeOption turns an option of an effect into an effect of an option: none is none.
func TransposeOption[A any](o mo.Option[Effect[A]]) Effect[mo.Option[A]] {
	if e, ok := o.Get(); ok {
		return AsSome(e)
	}
	return Succeed(mo.None[A]())
}

// Flatten runs the effect that e has as its value.
func Flatten[A any](e Effect[Effect[A]]) Effect[A] {
	return e.FlatMap(func(inner Effect[A]) Effect[A] { return inner })
}
