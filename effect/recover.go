package effect

import (
	"github.com/rivus/agentkit/errors"
)

// fold runs e and looks at how it ended: ok makes the effect that follows a success; pick the one that follows a cause, or it
// lets a cause pass. Where an interruption from outside is pending both are skipped.
func fold[A, B any](e Effect[A], ok func(A) Effect[B], pick func(*errors.Cause) (Effect[B], *errors.Cause)) Effect[B] {
	return Effect[B]{step: func(v *env) (zero B, _ *errors.Cause, _ step[B]) {
		e := e
		a, c := e.protect(v)
		if v.skips(c) {
			return zero, v.skip(c), nil
		}
		if c == nil {
			next := ok(a)
			v.kept = v.kept && next.known() // see halted
			return next.tail(v)
		}
		next, c := pick(c)
		if c != nil {
			return zero, c, nil
		}
		return next.tail(v)
	}}
}

// recoverFail is fold for handlers of the first expected failure. A cause with a defect is refused: its failures become
// defects.
func recoverFail[A any](e Effect[A], handle func(error) (Effect[A], bool)) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (next Effect[A], _ *errors.Cause) {
		if err, ok := typedFail(c); ok {
			if next, ok := handle(err); ok {
				return next, nil
			}
		}
		return next, c.Elect()
	})
}

// typedFail is the failure that typed recovery sees: the first one, unless there is a defect.
func typedFail(c *errors.Cause) (error, bool) {
	if c.HasDies() {
		return nil, false
	}
	return c.FindFail()
}

// Catch handles every expected failure of e. It sees neither defects nor interruptions, and the first failure if there are
// several. What h makes replaces e's outcome (Effect's catch, v3's catchAll).
func (e Effect[A]) Catch[H ~func(error) Effect[A]](h H) Effect[A] {
	return recoverFail(e, func(err error) (Effect[A], bool) { return h(err), true })
}

// CatchAs handles the failures that are an E, as errors.As finds it: eff.CatchAs(func(held *lease.Held) …) infers E from the
// handler. Others pass.
func (e Effect[A]) CatchAs[E error](h func(E) Effect[A]) Effect[A] {
	return recoverFail(e, func(err error) (next Effect[A], _ bool) {
		if t, ok := errors.AsType[E](err); ok {
			return h(t), true
		}
		return next, false
	})
}

// CatchTag handles the failures with this tag. Others pass. Prefer [Effect.CatchAs] where the type is at hand.
func (e Effect[A]) CatchTag[H ~func(errors.Tagged) Effect[A]](tag string, h H) Effect[A] {
	return e.CatchTags(map[string]H{tag: h})
}

// CatchTags handles the failures whose tag is in the table. Others pass.
func (e Effect[A]) CatchTags[H ~func(errors.Tagged) Effect[A]](table map[string]H) Effect[A] {
	return recoverFail(e, func(err error) (next Effect[A], _ bool) {
		if t, ok := errors.AsType[errors.Tagged](err); ok {
			if h := table[t.Tag()]; h != nil {
				return h(t), true
			}
		}
		return next, false
	})
}

// CatchIf handles the failures that the predicate holds for. Others pass.
func (e Effect[A]) CatchIf[H ~func(error) Effect[A]](predicate func(error) bool, h H) Effect[A] {
	return recoverFail(e, func(err error) (next Effect[A], _ bool) {
		if predicate(err) {
			return h(err), true
		}
		return next, false
	})
}

// CatchFilter handles the failures that pick makes something of, and hands it on to h. Others pass (Effect's catchFilter, v3's
// catchSome).
func (e Effect[A]) CatchFilter[B any](pick func(error) (B, bool), h func(B) Effect[A]) Effect[A] {
	return recoverFail(e, func(err error) (next Effect[A], _ bool) {
		if b, ok := pick(err); ok {
			return h(b), true
		}
		return next, false
	})
}

// CatchCause handles every cause: failures, defects, and interruptions that are an outcome of e rather than of the fiber
// around it.
func (e Effect[A]) CatchCause[H ~func(*errors.Cause) Effect[A]](h H) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (Effect[A], *errors.Cause) { return h(c), nil })
}

// CatchCauseIf handles the causes that the predicate holds for. Others pass.
func (e Effect[A]) CatchCauseIf[H ~func(*errors.Cause) Effect[A]](predicate func(*errors.Cause) bool, h H) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (next Effect[A], _ *errors.Cause) {
		if predicate(c) {
			return h(c), nil
		}
		return next, c
	})
}

// CatchCauseFilter handles the causes that pick makes something of, and hands it on to h. Others pass.
func (e Effect[A]) CatchCauseFilter[B any](pick func(*errors.Cause) (B, bool), h func(B) Effect[A]) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (next Effect[A], _ *errors.Cause) {
		if b, ok := pick(c); ok {
			return h(b), nil
		}
		return next, c
	})
}

// CatchDefect handles the first defect. Use it at the edges of a program, to report bugs rather than to go on after them.
func (e Effect[A]) CatchDefect[H ~func(defect any) Effect[A]](h H) Effect[A] {
	return fold(e, Succeed[A], func(c *errors.Cause) (next Effect[A], _ *errors.Cause) {
		if d, ok := c.FindDie(); ok {
			return h(d.Defect), nil
		}
		return next, c
	})
}

// OrElse runs the effect that f makes when e fails.
func (e Effect[A]) OrElse[F ~func() Effect[A]](f F) Effect[A] {
	return e.Catch(func(error) Effect[A] { return f() })
}

// OrElseSucceed has the value that f makes of the failure when e fails.
func (e Effect[A]) OrElseSucceed[F ~func(error) A](f F) Effect[A] {
	return e.Catch(func(err error) Effect[A] { return Succeed(f(err)) })
}

// FirstSuccessOf runs the effects in order until one succeeds. It ends with the last failure if none does, and at once with a
// defect. Of no effects it is a defect.
func FirstSuccessOf[A any](effects ...Effect[A]) Effect[A] {
	if len(effects) == 0 {
		return Die[A](errors.New("effect.FirstSuccessOf: no effects"))
	}
	first := effects[len(effects)-1]
	for i := len(effects) - 2; i >= 0; i-- {
		rest := first
		first = effects[i].OrElse(func() Effect[A] { return rest })
	}
	return first
}
