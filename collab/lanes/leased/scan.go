package leased

import (
	"context"

	"github.com/rivus/agentkit/effect"
)

// scan wakes, now and every ScanEvery, the lanes of keys that have a note and are idle here. It ends with its fiber.
func (l *Lanes) scan() effect.Effect[effect.Unit] {
	look := effect.TryCall(func(ctx context.Context) error {
		keys, err := l.config.Wakes.Keys(ctx)
		if err != nil {
			if ctx.Err() == nil {
				l.warn("leased lanes: the scan for wakes failed; the next one follows", "cause", err)
			}
			return nil
		}
		busy := map[string]bool{}
		for _, lane := range l.local.Status().Lanes {
			busy[lane.Key] = true
		}
		for _, key := range keys {
			if busy[key] {
				continue // its activation looks for notes when it ends
			}
			if _, err := l.local.WakeNow(key); err != nil {
				break // the queue is full, or the lanes are closed
			}
		}
		return nil
	})
	var again func(effect.Unit) effect.Effect[effect.Unit]
	again = func(effect.Unit) effect.Effect[effect.Unit] {
		return look.AndThen(effect.Sleep(l.config.ScanEvery)).FlatMap(again)
	}
	return again(effect.Unit{})
}
