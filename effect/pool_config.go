package effect

import (
	"math"
	"time"
)

// PoolConfig says what a [Pool] holds.
type PoolConfig[A any] struct {
	// Acquire makes an item; it has a scope of its own. Required.
	Acquire Effect[A]
	// Min is how many items are kept at least.
	Min int
	// Max is how many there are at most. Defaults to Min, at least one: a pool of a fixed size.
	Max int
	// Concurrency is how many borrowers may have an item at once. Defaults to 1.
	Concurrency int
	// TargetUtilization is how much of the items is in use, from 0.1 to 1, before there are more. Defaults to 1: all of it.
	TargetUtilization float64
	// TTL is how long items are kept; see TTLFrom. Defaults to [NeverExpires].
	TTL time.Duration
	// TTLFrom says what TTL counts from. Defaults to [PoolTTLFromUse].
	TTLFrom PoolTTL
}

// PoolTTL says what the time to live of a pool's items counts from.
type PoolTTL uint8

const (
	// PoolTTLFromUse releases items that are more than are needed and have been idle for the time to live. The pool looks for
	// them at multiples of it, counted from its making, and only while there are any.
	PoolTTLFromUse PoolTTL = iota
	// PoolTTLFromCreation replaces every item that is older than the time to live.
	PoolTTLFromCreation
)

// complete is the configuration with its defaults.
func (c PoolConfig[A]) complete() (PoolConfig[A], error) {
	if c.Max == 0 {
		c.Max = max(c.Min, 1)
	}
	if c.Concurrency == 0 {
		c.Concurrency = 1
	}
	if c.TargetUtilization == 0 {
		c.TargetUtilization = 1
	}
	if c.TTL == NeverExpires {
		c.TTL = 0 // nothing to watch
	}
	invalid := func(field, reason string) (PoolConfig[A], error) { return c, &InvalidConfig{"Pool", field, reason} }
	switch {
	case c.Min < 0:
		return invalid("Min", "is negative")
	case c.Max < c.Min:
		return invalid("Max", "is less than Min")
	case c.Max < 1:
		return invalid("Max", "is less than 1")
	case c.Concurrency < 1:
		return invalid("Concurrency", "is less than 1")
	case !(c.TargetUtilization >= 0.1 && c.TargetUtilization <= 1):
		return invalid("TargetUtilization", "is not between 0.1 and 1")
	case c.TTL < 0:
		return invalid("TTL", "is negative")
	case c.TTLFrom > PoolTTLFromCreation:
		return invalid("TTLFrom", "is none of the constants")
	}
	return c, nil
}

// size is how many items there should be for so many borrowers.
func (c *PoolConfig[A]) size(usage int) int {
	if c.Min == c.Max {
		return c.Min
	}
	needed := math.Ceil(float64(usage) / c.TargetUtilization / float64(c.Concurrency))
	return min(max(c.Min, int(needed)), c.Max)
}
