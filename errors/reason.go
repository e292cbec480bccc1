package errors

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"
)

// FiberID names a fiber within its process. Zero is no fiber; InternalFiber is the library's own machinery, such as a FiberMap
// that replaces one of its fibers.
type FiberID int64

// InternalFiber is the interruptor of fibers that a collection of fibers stops by itself.
const InternalFiber FiberID = -1

// String is "#7", or "none" and "internal" for the two that are no fibers.
func (id FiberID) String() string {
	switch id {
	case 0:
		return "none"
	case InternalFiber:
		return "internal"
	}
	return "#" + strconv.FormatInt(int64(id), 10)
}

// Reason is one of [Fail], [Die] and [Interrupt].
type Reason interface {
	error
	reason()
}

// Fail is an expected failure. It unwraps to Err.
type Fail struct{ Err error }

// Die is a defect: a panic, or a broken promise of the program. It does not unwrap, so that [errors.As] never takes a bug for
// an expected failure.
type Die struct {
	Defect any    // what was passed to panic
	Stack  []byte // where; nil when the defect was no panic
	Fiber  string // on which fiber, and what that is a part or a child of: `#9, part of #7 "worker"`; empty outside of effects
}

// Interrupt is a request to stop: by a fiber, or, when By is zero, by a [context.Context] from outside.
type Interrupt struct {
	By   FiberID
	Kind error // context.Canceled or context.DeadlineExceeded; nil means Canceled
	Err  error // the outside context's [context.Cause]; nil when a fiber interrupted
}

func (Fail) reason()      {}
func (Die) reason()       {}
func (Interrupt) reason() {}

// Error is the failure's own message.
func (r Fail) Error() string {
	if r.Err == nil {
		return "failure without an error"
	}
	return r.Err.Error()
}

// Unwrap is the failure.
func (r Fail) Unwrap() error { return r.Err }

// Error is "defect: " and the defect.
func (r Die) Error() string { return fmt.Sprintf("defect: %v", r.Defect) }

// Error says who interrupted.
func (r Interrupt) Error() string {
	switch {
	case r.Err != nil:
		return "interrupted: " + r.Err.Error()
	case r.By != 0:
		return "interrupted by fiber " + r.By.String()
	}
	return "interrupted"
}

// Unwrap is the outside context's cause.
func (r Interrupt) Unwrap() error { return r.Err }

// Is lets an interruption satisfy errors.Is with context.Canceled, or with context.DeadlineExceeded when a deadline caused it,
// whatever the cause of the context says.
func (r Interrupt) Is(target error) bool {
	return target == r.Kind || r.Kind == nil && target == context.Canceled
}

// Recovered is the cause of a value that recover returned, with the stack of the caller. A panic that only carries a cause
// out of a function (it has a method Cause() *Cause) is that cause.
func Recovered(r any) *Cause {
	if u, ok := r.(interface{ Cause() *Cause }); ok {
		return u.Cause()
	}
	return NewCause(Die{Defect: r, Stack: debug.Stack()})
}

// same tells whether two reasons say the same thing. Stacks do not count.
func same(a, b Reason) bool {
	switch a := a.(type) {
	case Fail:
		b, ok := b.(Fail)
		return ok && Same(a.Err, b.Err)
	case Die:
		b, ok := b.(Die)
		return ok && Same(a.Defect, b.Defect)
	case Interrupt:
		b, ok := b.(Interrupt)
		return ok && a.By == b.By && (a.By != 0 || Same(a.Err, b.Err))
	}
	return false
}

// Same is == for values that have it, and false for the others instead of a panic.
func Same(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}
