package effect

import "github.com/rivus/agentkit/errors"

// TapError runs the effect that f makes of e's failure, and then ends like e. If that effect fails, its failure replaces e's.
func (e Effect[A]) TapError[B any](f func(error) Effect[B]) Effect[A] {
	return e.tapped(func(c *errors.Cause) (next Effect[B], _ bool) {
		if err, ok := c.FindFail(); ok {
			return f(err), true
		}
		return next, false
	})
}

// TapErrorTag is [Effect.TapError] for the failures with this tag.
func (e Effect[A]) TapErrorTag[B any](tag string, f func(errors.Tagged) Effect[B]) Effect[A] {
	return e.tapped(func(c *errors.Cause) (next Effect[B], _ bool) {
		if err, ok := c.FindFail(); ok {
			if t, ok := errors.AsType[errors.Tagged](err); ok && t.Tag() == tag {
				return f(t), true
			}
		}
		return next, false
	})
}

// TapCause runs the effect that f makes of e's cause, and then ends like e.
func (e Effect[A]) TapCause[B any](f func(*errors.Cause) Effect[B]) Effect[A] {
	return e.tapped(func(c *errors.Cause) (Effect[B], bool) { return f(c), true })
}

// TapCauseIf is [Effect.TapCause] for the causes that the predicate holds for.
func (e Effect[A]) TapCauseIf[B any](predicate func(*errors.Cause) bool, f func(*errors.Cause) Effect[B]) Effect[A] {
	return e.tapped(func(c *errors.Cause) (next Effect[B], _ bool) {
		if predicate(c) {
			return f(c), true
		}
		return next, false
	})
}

// TapDefect runs the effect that f makes of e's first defect, and then ends like e.
func (e Effect[A]) TapDefect[B any](f func(defect any) Effect[B]) Effect[A] {
	return e.tapped(func(c *errors.Cause) (next Effect[B], _ bool) {
		if d, ok := c.FindDie(); ok {
			return f(d.Defect), true
		}
		return next, false
	})
}

func (e Effect[A]) tapped[B any](pick func(*errors.Cause) (Effect[B], bool)) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (next Effect[A], _ *errors.Cause) {
		if tap, ok := pick(c); ok {
			return tap.FlatMap(func(B) Effect[A] { return FailCause[A](c) }), nil
		}
		return next, c
	})
}
