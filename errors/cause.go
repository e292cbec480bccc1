package errors

import "slices"

// Cause is why a computation did not succeed: its reasons, in order. It is immutable. A nil *Cause is the empty one, and every
// method takes it; return a cause as an error only when there is one, for a nil *Cause in an error is not nil ([Cause.AsError]
// does that).
type Cause struct{ reasons []Reason }

// NewCause is the cause with these reasons.
func NewCause(reasons ...Reason) *Cause { return &Cause{slices.Clone(reasons)} }

// one is the cause with the reason r, in one allocation.
func one(r Reason) *Cause {
	c := &struct {
		Cause
		list [1]Reason
	}{list: [1]Reason{r}}
	c.reasons = c.list[:]
	return &c.Cause
}

// FailCause is the cause with the one reason [Fail].
func FailCause(err error) *Cause { return one(Fail{Err: err}) }

// DieCause is the cause with the one reason [Die], without a stack.
func DieCause(defect any) *Cause { return one(Die{Defect: defect}) }

// InterruptCause is the cause with the one reason [Interrupt].
func InterruptCause(by FiberID) *Cause { return one(Interrupt{By: by}) }

// Reasons are the reasons in order. The slice is the cause's own: do not change it.
func (c *Cause) Reasons() []Reason {
	if c == nil {
		return nil
	}
	return slices.Clip(c.reasons)
}

// AsError is c, or nil when c is nil: for functions that return an error.
func (c *Cause) AsError() error {
	if c == nil {
		return nil
	}
	return c
}

// Unwrap lets errors.Is and errors.As see the reasons.
func (c *Cause) Unwrap() []error {
	out := make([]error, len(c.Reasons()))
	for i, r := range c.Reasons() {
		out[i] = r
	}
	return out
}

// IsEmpty tells whether there is no reason.
func (c *Cause) IsEmpty() bool { return len(c.Reasons()) == 0 }

// HasFails tells whether an expected failure is among the reasons.
func (c *Cause) HasFails() bool { return has[Fail](c) }

// HasDies tells whether a defect is among the reasons.
func (c *Cause) HasDies() bool { return has[Die](c) }

// HasInterrupts tells whether an interruption is among the reasons.
func (c *Cause) HasInterrupts() bool { return has[Interrupt](c) }

// HasInterruptsOnly tells whether there are reasons and all of them are interruptions.
func (c *Cause) HasInterruptsOnly() bool {
	return !c.IsEmpty() && !c.HasFails() && !c.HasDies()
}

// FindFail is the first expected failure.
func (c *Cause) FindFail() (error, bool) {
	r, ok := find[Fail](c)
	return r.Err, ok
}

// FindDie is the first defect, with its stack.
func (c *Cause) FindDie() (Die, bool) { return find[Die](c) }

// FindInterrupt is the first interruption.
func (c *Cause) FindInterrupt() (Interrupt, bool) { return find[Interrupt](c) }

// Fails are the expected failures in order.
func (c *Cause) Fails() (out []error) {
	for _, r := range c.Reasons() {
		if f, ok := r.(Fail); ok {
			out = append(out, f.Err)
		}
	}
	return out
}

// Defects are the defects in order.
func (c *Cause) Defects() (out []any) {
	for _, r := range c.Reasons() {
		if d, ok := r.(Die); ok {
			out = append(out, d.Defect)
		}
	}
	return out
}

// Interruptors are the fibers that interrupted, each once. An interruption from outside has none.
func (c *Cause) Interruptors() (out []FiberID) {
	for _, r := range c.Reasons() {
		if i, ok := r.(Interrupt); ok && i.By != 0 && !slices.Contains(out, i.By) {
			out = append(out, i.By)
		}
	}
	return out
}

// Equal tells whether two causes have the same reasons in the same order. Failures and defects are compared with ==, where
// they have it; stacks do not count.
func (c *Cause) Equal(o *Cause) bool {
	return slices.EqualFunc(c.Reasons(), o.Reasons(), same)
}

// ErrInterrupted is the Squash of a cause that has interruptions only.
var ErrInterrupted = New("All fibers interrupted without error")

// ErrEmptyCause is the Squash of the empty cause.
var ErrEmptyCause = New("Empty cause")

// Squash is the one error that says most: the first failure, else the first defect (as a [Die]), else [ErrInterrupted], else
// [ErrEmptyCause].
func (c *Cause) Squash() error {
	if err, ok := c.FindFail(); ok {
		return err
	}
	if d, ok := c.FindDie(); ok {
		return d
	}
	if c.HasInterrupts() {
		return ErrInterrupted
	}
	return ErrEmptyCause
}

func find[R Reason](c *Cause) (R, bool) {
	for _, r := range c.Reasons() {
		if r, ok := r.(R); ok {
			return r, true
		}
	}
	return *new(R), false
}

func has[R Reason](c *Cause) bool {
	_, ok := find[R](c)
	return ok
}
