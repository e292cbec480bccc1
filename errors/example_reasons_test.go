package errors_test

import (
	"context"
	"fmt"
	"io"

	"github.com/rivus/agentkit/errors"
)

func ExampleReason() {
	cause := errors.NewCause(
		errors.Fail{Err: io.EOF},
		errors.Die{Defect: "nil map"},
		errors.Interrupt{By: 7})
	for _, reason := range cause.Reasons() {
		switch r := reason.(type) {
		case errors.Fail:
			fmt.Println("failed:", r.Err)
		case errors.Die:
			fmt.Println("a bug:", r.Defect)
		case errors.Interrupt:
			fmt.Println("stopped by", r.By)
		}
	}
	var first errors.Reason = cause.Reasons()[0]
	fmt.Println(errors.Is(first, io.EOF))
	// Output:
	// failed: EOF
	// a bug: nil map
	// stopped by #7
	// true
}

// A bug is not mistaken for the failure it resembles.
func ExampleDie() {
	fmt.Println(errors.Is(errors.FailCause(io.EOF), io.EOF))
	fmt.Println(errors.Is(errors.DieCause(io.EOF), io.EOF))
	// Output:
	// true
	// false
}

func ExampleRecovered() {
	safely := func(f func()) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = errors.Recovered(r).AsError()
			}
		}()
		f()
		return nil
	}
	err := safely(func() { panic("nil map") })
	bug, _ := err.(*errors.Cause).FindDie()
	fmt.Println(err, len(bug.Stack) > 0)
	fmt.Println(safely(func() {}))
	// Output:
	// defect: nil map true
	// <nil>
}

func ExampleInterruptCause() {
	cause := errors.InterruptCause(7)
	fmt.Println(cause, cause.HasInterruptsOnly(), cause.Interruptors())
	fmt.Println(errors.Is(cause, context.Canceled))
	// Output:
	// interrupted by fiber #7 true [#7]
	// true
}

func ExampleFiberID() {
	fmt.Println(errors.FiberID(7), errors.FiberID(0), errors.InternalFiber)
	// Output: #7 none internal
}

func ExampleSame() {
	fmt.Println(errors.Same(io.EOF, io.EOF))
	fmt.Println(errors.Same([]int{1}, []int{1})) // == would panic
	// Output:
	// true
	// false
}

// The functions of the standard library are here too: one import serves.
func ExampleJoin() {
	both := errors.Join(io.EOF, &Held{Path: "daemon.lock"})
	var held *Held
	fmt.Println(errors.As(both, &held), held.Path, errors.Is(both, io.EOF))
	fmt.Println(errors.Unwrap(fmt.Errorf("read: %w", io.EOF)))
	// Output:
	// true daemon.lock true
	// EOF
}

func ExampleCause_Elect() {
	body := errors.FailCause(io.EOF)
	fmt.Println(body.Combine(errors.DieCause("nil map")).Elect()) // no handler of EOF hides the bug
	// Output: defect: EOF; defect: nil map
}

func ExampleCause_AsError() {
	var none *errors.Cause
	fmt.Println(none.AsError() == nil, none.IsEmpty())
	// Output: true true
}

func ExampleCause_Filter() {
	cause := errors.NewCause(errors.Interrupt{By: 7}, errors.Fail{Err: io.EOF}, errors.Die{Defect: "nil map"})
	fmt.Println(cause.Fails(), cause.Defects(), cause.HasInterrupts())
	fmt.Println(cause.WithoutInterrupts())
	fmt.Println(cause.Filter(func(r errors.Reason) bool { _, isBug := r.(errors.Die); return isBug }))
	// Output:
	// [EOF] [nil map] true
	// EOF; defect: nil map
	// defect: nil map
}

func ExampleCause_MapFails() {
	cause := errors.NewCause(errors.Fail{Err: io.EOF}, errors.Die{Defect: "nil map"})
	fmt.Println(cause.MapFails(func(err error) error { return fmt.Errorf("read: %w", err) }))
	// Output: read: EOF; defect: nil map
}

func ExampleCause_Pretty() {
	cause := errors.NewCause(errors.Interrupt{By: 7}, errors.Fail{Err: io.EOF}, errors.Die{Defect: "nil map"})
	fmt.Println(cause.Pretty()) // that others were interrupted is no news where something went wrong
	// Output:
	// EOF
	// defect: nil map
}
