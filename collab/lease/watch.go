package lease

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
)

// The pauses between looks at a lease that somebody waits for: short at first, for a lease that is held briefly.
const (
	firstLook = 2 * time.Millisecond
	mostLook  = 32 * time.Millisecond
)

// watch is the pause between two attempts at a held lease. It is over after Retry, or as soon as a look at the record shows
// that an attempt would succeed: released, gone, silent for a TTL, or its holder dead. A look reads the record and the holder's
// pid, and writes nothing.
func (m *Manager) watch(key string) effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error {
		until := time.Now().Add(m.config.Retry.OrEmpty()) // it has been resolved
		for look := firstLook; ; look = min(2*look, mostLook) {
			left := time.Until(until)
			if left <= 0 {
				return nil
			}
			if err := pause(ctx, min(look, left)); err != nil {
				return err
			}
			if m.free(ctx, key) {
				return nil
			}
		}
	})
}

// free reports whether an attempt is worth making. A store or identity that cannot be read says nothing, and is left to the
// next attempt to report.
func (m *Manager) free(ctx context.Context, key string) bool {
	stored, err := m.loadValid(ctx, key)
	if err != nil {
		return false
	}
	_, held := m.mayTake(stored)
	return held == nil
}
