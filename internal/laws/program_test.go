package laws

import (
	"fmt"
	"strings"
)

// Program is a program with a number as its value. Which of its other fields are used is up to its Kind.
type Program struct {
	Kind Kind
	N    int
	A, B *Program
}

// Kind is what a program does.
type Kind int

// The kinds that [Model] knows. They do one thing after the other.
const (
	Value           Kind = iota // has N
	Step                        // is noticed, has N; where a run is interrupted, it is at a step
	Fail                        // fails with N
	Die                         // is the defect N
	Interrupt                   // ends as if it had interrupted itself
	Then                        // A and then B, has the sum
	Both                        // A and then B in a generator, has the sum
	Map                         // A, plus one
	Catch                       // A, or B after a failure
	CatchCause                  // A, or B after any cause
	Finally                     // A, and B as its finalizer
	Acquire                     // a resource, which A acquires and B releases
	Scoped                      // A with a scope of its own
	Uninterruptible             // A, not interrupted
	Interruptible               // A, a window
	Mask                        // A, not interrupted, and then B, with the interruptibility from outside
	sequential
)

// The kinds that do several things at once.
const (
	Sleep      Kind = sequential + iota // waits for N milliseconds
	Fork                                // A as a child that nobody waits for
	Join                                // A as a child
	ForkScoped                          // A as a fiber of the scope
	Race                                // A or B, whoever succeeds first
	All                                 // A and B at once, has the sum
	Timeout                             // A, or N after so many milliseconds
	kinds
)

var names = [...]string{"Value", "Step", "Fail", "Die", "Interrupt", "Then", "Both", "Map", "Catch", "CatchCause", "Finally",
	"Acquire", "Scoped", "Uninterruptible", "Interruptible", "Mask", "Sleep", "Fork", "Join", "ForkScoped", "Race", "All", "Timeout"}

// String is the kind's name.
func (k Kind) String() string { return names[k] }

// String is the program as an expression.
func (p *Program) String() string {
	var parts []string
	if p.A == nil || p.Kind == Timeout {
		parts = append(parts, fmt.Sprint(p.N))
	}
	for _, part := range []*Program{p.A, p.B} {
		if part != nil {
			parts = append(parts, part.String())
		}
	}
	return p.Kind.String() + "(" + strings.Join(parts, ", ") + ")"
}

// Failure is what [Fail] fails with.
type Failure int

// Error is the failure's number.
func (f Failure) Error() string { return fmt.Sprintf("failure %d", int(f)) }
