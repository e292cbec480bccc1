package errors

import "slices"

// Combine is the union of two causes, first occurrences kept (Effect's Cause.combine). The empty cause is its unit.
func (c *Cause) Combine(o *Cause) *Cause {
	if o.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return o
	}
	out := slices.Clip(c.reasons)
	for _, r := range o.reasons {
		if !slices.ContainsFunc(out, func(have Reason) bool { return same(have, r) }) {
			out = append(out, r)
		}
	}
	return &Cause{out}
}

// Concat is the reasons of c and then those of o, repetitions included: what happened at several places at once, such as
// the finalizers of one scope.
func (c *Cause) Concat(o *Cause) *Cause {
	if o.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return o
	}
	return &Cause{append(slices.Clip(c.reasons), o.reasons...)}
}

// Elect is what a cause becomes where it meets recovery or another cause: once a defect is present, every failure beside it
// becomes a defect too, so that no typed handler hides the bug.
func (c *Cause) Elect() *Cause {
	if !c.HasDies() || !c.HasFails() {
		return c
	}
	out := slices.Clone(c.reasons)
	for i, r := range out {
		if f, ok := r.(Fail); ok {
			out[i] = Die{Defect: f.Err}
		}
	}
	return &Cause{out}
}

// MapFails is the cause with f applied to each failure in place (Effect's Cause.map). It elects nothing.
func (c *Cause) MapFails(f func(error) error) *Cause {
	if !c.HasFails() {
		return c
	}
	out := slices.Clone(c.reasons)
	for i, r := range out {
		if r, ok := r.(Fail); ok {
			out[i] = Fail{Err: f(r.Err)}
		}
	}
	return &Cause{out}
}

// Filter is the cause with the reasons that keep holds for; nil when none is left.
func (c *Cause) Filter(keep func(Reason) bool) *Cause {
	var out []Reason
	for _, r := range c.Reasons() {
		if keep(r) {
			out = append(out, r)
		}
	}
	if len(out) == len(c.Reasons()) {
		return c
	}
	if out == nil {
		return nil
	}
	return &Cause{out}
}

// WithoutFails is the cause without its expected failures; nil when nothing is left.
func (c *Cause) WithoutFails() *Cause {
	return c.Filter(func(r Reason) bool { _, fail := r.(Fail); return !fail })
}

// WithoutInterrupts is the cause without its interruptions; nil when nothing is left.
func (c *Cause) WithoutInterrupts() *Cause {
	return c.Filter(func(r Reason) bool { _, interrupt := r.(Interrupt); return !interrupt })
}
