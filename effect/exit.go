package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

// Exit is how a run ended: with Value, or, when Cause is not nil, without.
type Exit[A any] struct {
	Value A
	Cause *errors.Cause
}

// ExitSucceed is the exit with the value a.
func ExitSucceed[A any](a A) Exit[A] { return Exit[A]{Value: a} }

// ExitFail is the exit with the expected failure err.
func ExitFail[A any](err error) Exit[A] { return Exit[A]{Cause: errors.FailCause(err)} }

// ExitDie is the exit with a defect.
func ExitDie[A any](defect any) Exit[A] { return Exit[A]{Cause: errors.DieCause(defect)} }

// ExitFailCause is the exit with the cause c. A nil c is the empty cause.
func ExitFailCause[A any](c *errors.Cause) Exit[A] {
	if c == nil {
		c = errors.NewCause()
	}
	return Exit[A]{Cause: c}
}

// ExitInterrupt is the exit with an interruption by the fiber by.
func ExitInterrupt[A any](by errors.FiberID) Exit[A] {
	return Exit[A]{Cause: errors.InterruptCause(by)}
}

// IsSuccess tells whether there is a value.
func (x Exit[A]) IsSuccess() bool { return x.Cause == nil }

// IsFailure tells whether there is a cause.
func (x Exit[A]) IsFailure() bool { return x.Cause != nil }

// Get is the exit as Go's pair. The error is a *errors.Cause.
func (x Exit[A]) Get() (A, error) { return x.Value, x.Cause.AsError() }

// Effect is the effect that ends like this.
func (x Exit[A]) Effect() Effect[A] {
	if x.Cause != nil {
		return FailCause[A](x.Cause)
	}
	return Succeed(x.Value)
}

// Map is the exit with f applied to its value.
func (x Exit[A]) Map[B any](f func(A) B) Exit[B] {
	if x.Cause != nil {
		return Exit[B]{Cause: x.Cause}
	}
	return Exit[B]{Value: f(x.Value)}
}

// MapError is the exit with f applied to each of its failures.
func (x Exit[A]) MapError(f func(error) error) Exit[A] {
	x.Cause = x.Cause.MapFails(f)
	return x
}

// MapBoth is [Exit.Map] and [Exit.MapError] in one.
func (x Exit[A]) MapBoth[B any](onFailure func(error) error, onSuccess func(A) B) Exit[B] {
	return x.MapError(onFailure).Map(onSuccess)
}

// AsUnit is the exit without its value.
func (x Exit[A]) AsUnit() Exit[Unit] { return Exit[Unit]{Cause: x.Cause} }

// Match is the result of one of the two functions.
func (x Exit[A]) Match[B any](onFailure func(*errors.Cause) B, onSuccess func(A) B) B {
	if x.Cause != nil {
		return onFailure(x.Cause)
	}
	return onSuccess(x.Value)
}

// FindFail is the first expected failure.
func (x Exit[A]) FindFail() (error, bool) { return x.Cause.FindFail() }

// Equal tells whether two exits are the same: by == for comparable values (others are never equal), and by [errors.Cause.Equal].
func (x Exit[A]) Equal(o Exit[A]) bool {
	if x.Cause != nil || o.Cause != nil {
		return x.Cause != nil && o.Cause != nil && x.Cause.Equal(o.Cause)
	}
	return errors.Same(x.Value, o.Value)
}

// ExitAll is an exit without a value: a success if all are, else all their reasons one after the other (Effect's
// Exit.asVoidAll).
func ExitAll[A any](exits ...Exit[A]) Exit[Unit] {
	var c *errors.Cause
	for _, x := range exits {
		c = c.Concat(x.Cause)
	}
	return Exit[Unit]{Cause: c}
}

// exitForScope is an exit as scopes pass it on.
func exitForScope[A any](a A, c *errors.Cause) scope.Exit {
	if c != nil {
		return scope.Exit{Cause: c}
	}
	return scope.Exit{Value: a} // boxes: an allocation for most A
}

// ExitResult is the exit as a result. The error is a *errors.Cause.
func ExitResult[A any](x Exit[A]) mo.Result[A] { return mo.TupleToResult(x.Get()) }

// ExitOption is the exit's value, or none without one.
func ExitOption[A any](x Exit[A]) mo.Option[A] { return mo.TupleToOption(x.Value, x.IsSuccess()) }
