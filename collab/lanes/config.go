package lanes

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
)

// Config describes lanes.
type Config[K comparable] struct {
	// MaxConcurrent is how many activations run at once, over all keys. Required: at least 1.
	MaxConcurrent int

	// MaxQueued is how many lanes may wait for a slot. Zero lets none wait. Defaults to no bound, which is one place a key.
	MaxQueued mo.Option[int]

	// Activate is the work for one key. It runs in a scope and on a fiber of its own, with the services and values of the
	// effect that made the lanes. Required.
	Activate func(key K) effect.Effect[effect.Unit]

	// OnExit hears how each activation ended, exactly once, after its finalizers and before its slot passes on. It cannot be
	// interrupted, and whoever stops the lane waits for it. What it fails with is logged as a warning and changes nothing.
	// Defaults to nothing.
	OnExit func(exit ActivationExit[K]) effect.Effect[effect.Unit]

	// TurnTimeout is how long an activation may run, from its start, before it is interrupted. It must be positive.
	// Defaults to no limit.
	TurnTimeout mo.Option[time.Duration]

	// TurnTimeoutOf is the turn timeout of one key, asked at the start of each of its activations; TurnTimeout where it gives
	// none. A limit that is not positive stops the activation before it begins. A panic in it is a defect of the activation.
	// Defaults to TurnTimeout for every key.
	TurnTimeoutOf func(key K) mo.Option[time.Duration]

	// ShutdownGrace is how long Close lets running activations end by themselves before it interrupts them. It must not be
	// negative. Defaults to 0: they are interrupted at once.
	ShutdownGrace time.Duration

	// StuckAfter is how long an activation that was told to stop may go on before it is reported as stuck, as a warning in the
	// log and as an event; again when it has taken twice as long, and so on. It must not be negative.
	// Defaults to 10 s.
	StuckAfter time.Duration

	// Logger takes the warnings. Defaults to slog.Default().
	Logger *slog.Logger
}

const defaultStuckAfter = 10 * time.Second

// maxSafe bounds counts as the TypeScript package does: by the largest integer that a JavaScript number holds exactly.
const maxSafe = 1<<53 - 1

func (c Config[K]) validate() error {
	switch n := int64(c.MaxConcurrent); {
	case n < 1:
		return &ConfigInvalid{"MaxConcurrent", fmt.Sprintf("must be at least 1, and is %d", n)}
	case n > maxSafe:
		return &ConfigInvalid{"MaxConcurrent", fmt.Sprintf("must be at most 2^53-1, and is %d", n)}
	}
	if n, ok := c.MaxQueued.Get(); ok {
		switch n := int64(n); {
		case n < 0:
			return &ConfigInvalid{"MaxQueued", fmt.Sprintf("must not be negative, and is %d: leave it out for no bound", n)}
		case n > maxSafe:
			return &ConfigInvalid{"MaxQueued", fmt.Sprintf("must be at most 2^53-1, and is %d: leave it out for no bound", n)}
		}
	}
	if d, ok := c.TurnTimeout.Get(); ok && d <= 0 {
		return &ConfigInvalid{"TurnTimeout", fmt.Sprintf("must be positive, and is %v: leave it out for no limit", d)}
	}
	if c.Activate == nil {
		return &ConfigInvalid{"Activate", "is required, and is nil"}
	}
	if c.ShutdownGrace < 0 {
		return &ConfigInvalid{"ShutdownGrace", fmt.Sprintf("must not be negative, and is %v", c.ShutdownGrace)}
	}
	if c.StuckAfter < 0 {
		return &ConfigInvalid{"StuckAfter", fmt.Sprintf("must not be negative, and is %v: 0 means %v", c.StuckAfter, defaultStuckAfter)}
	}
	return nil
}

func (c Config[K]) stuckAfter() time.Duration {
	if c.StuckAfter == 0 {
		return defaultStuckAfter
	}
	return c.StuckAfter
}
