package lanes

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
)

// Drain refuses later wakes with [*Closed], those from inside activations too, lets everything run that waits or is owed, then
// closes the lanes and returns. When several drain, all return at that moment.
//
// The caller's context bounds it: interrupting Drain, by a Timeout for instance, ends the waiting only, and the lanes go on
// draining until they are through or a [Lanes.Close] cuts them short. It fails with [*DrainCut] when a Close does, and with
// [*NeverEnds] from inside an activation or OnExit, which it would wait for.
func (l *Lanes[K]) Drain() effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error { return l.drain(ctx) })
}

func (l *Lanes[K]) drain(ctx context.Context) error {
	l.mu.Lock()
	if caller := l.callerLocked(ctx); caller != nil {
		defer l.mu.Unlock()
		return &NeverEnds{"Drain", caller.lane.key, caller.phase}
	}
	closedBefore := l.board.phase == closed
	if l.board.phase == open {
		l.since = time.Now()
		l.board.drain()
		l.settleLocked()
	}
	l.mu.Unlock()
	if err := await(ctx, l.over); err != nil {
		return err
	}
	if l.cut != nil && !closedBefore { // written before over was closed, and never again
		return l.cut
	}
	return nil
}
