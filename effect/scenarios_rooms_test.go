package effect_test

import (
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/samber/mo"
)

// succeeded is a recording of another order of events that ends with void.
func succeeded(lines ...string) effecttest.Recording { return recording("Success", nil, lines...) }

// timeoutOption is e's value, or none after d.
func timeoutOption[A any](e Effect[A], d time.Duration) Effect[mo.Option[A]] {
	return e.Map(mo.Some[A]).TimeoutOrElse(d, func() Effect[mo.Option[A]] { return Succeed(mo.None[A]()) })
}
