package effect

import (
	"runtime/debug"

	"github.com/rivus/agentkit/errors"
)

// goexit is the cause of an effect whose goroutine was ended by runtime.Goexit, as t.FailNow does.
var goexit = errors.DieCause("runtime.Goexit ended the goroutine of this effect")

// recovered is [errors.Recovered] of a value that recover returned in region v, with the fiber.
func (v *env) recovered(r any) *errors.Cause {
	if u, unwinding := r.(interface{ Cause() *errors.Cause }); unwinding {
		return u.Cause()
	}
	return errors.NewCause(errors.Die{Defect: r, Stack: debug.Stack(), Fiber: v.fiber.path()})
}

// protect runs e and turns a panic into a defect, and a generator's unwinding into its cause. It stands where somebody can tell
// the difference: at the root, at a fork, and where a combinator looks at how e ended.
func (e *Effect[A]) protect(v *env) (a A, c *errors.Cause) {
	if e.known() {
		return e.value, nil
	}
	room := v.room
	defer func() {
		if r := recover(); r != nil {
			c = v.recovered(r)
		}
		v.room = room
	}()
	if v.room -= frame[A](); v.room < 0 {
		return hop(v, *e)
	}
	return e.exec(v)
}

// guard runs e and then after, also when e panics or ends its goroutine.
func (e *Effect[A]) guard(v *env, after func(A, *errors.Cause) *errors.Cause) (a A, c *errors.Cause) {
	returned, room := false, v.room
	defer func() {
		v.room = room
		if returned {
			return
		}
		if r := recover(); r != nil {
			c = v.recovered(r)
		} else {
			c = goexit
		}
		c = after(a, c)
	}()
	if v.room -= frame[A](); v.room >= 0 {
		a, c = e.exec(v)
	} else {
		a, c = hop(v, *e)
	}
	returned = true
	v.room = room
	if c = after(a, c); c != nil {
		a = *new(A)
	}
	return a, c
}

// call makes an effect with f and runs it, both protected.
func call[A any](v *env, f func() Effect[A]) (A, *errors.Cause) {
	e := Suspend(f)
	return e.protect(v)
}
