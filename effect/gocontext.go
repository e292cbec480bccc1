package effect

import (
	"context"
	"time"
)

// goContext is a region as the context of Go code, which may hand it to other goroutines. It is a type of its own so that the
// kernel can tell it from an *env that it passed itself, and that belongs to the goroutine it is on.
type goContext env

// Deadline is that of the region.
func (c *goContext) Deadline() (time.Time, bool) { return (*env)(c).Deadline() }

// Done is that of the region.
func (c *goContext) Done() <-chan struct{} { return (*env)(c).Done() }

// Err is that of the region.
func (c *goContext) Err() error { return (*env)(c).Err() }

// Value is that of the region.
func (c *goContext) Value(key any) any { return (*env)(c).Value(key) }

var (
	_ context.Context = (*env)(nil)
	_ context.Context = (*goContext)(nil)
)
