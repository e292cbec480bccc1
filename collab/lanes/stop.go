package lanes

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
)

// Cancel drops the wakes that key owes and interrupts its running activation, and returns once that has ended, finalizers and
// OnExit included, and its slot has passed on. For an idle lane it returns at once. Wakes that come later are served as usual,
// also those that come while the cancelled activation still cleans up.
//
// Interrupting Cancel ends the waiting only. Called from inside the activation of key, it interrupts the caller there and
// then. Where that cannot be, and where the activation of key waits for the caller in its turn, it fails with [*NeverEnds].
func (l *Lanes[K]) Cancel(key K) effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error {
		return l.cancel(ctx, key)
	})
}

func (l *Lanes[K]) cancel(ctx context.Context, key K) error {
	if !names(key) {
		return nil // no wake of it was ever accepted
	}
	l.mu.Lock()
	target := l.activationLocked(key)
	caller := l.callerLocked(ctx)
	fixed := caller != nil && caller.cannotStopWaitingLocked(ctx)
	if fixed && target != nil && target.waitsForLocked(caller) {
		defer l.mu.Unlock()
		return &NeverEnds{"Cancel", caller.lane.key, caller.phase}
	}
	_, dropped := l.board.cancel(key)
	if dropped {
		l.emitLocked(Event[K]{Kind: EventDropped, Key: key, Reason: StopCancel})
	}
	if target == nil {
		l.settleLocked() // the last lane of a Drain may be the one that was dropped
		l.mu.Unlock()
		return nil
	}
	target.stopLocked(StopCancel)
	done := target.doneLocked()
	if fixed {
		caller.waits = append(caller.waits, target)
		defer caller.stopWaiting(target)
	}
	l.mu.Unlock()
	return await(ctx, done)
}

// Close refuses later wakes with [*Closed], drops what waits and what running lanes owe, interrupts the running activations
// (once [Config.ShutdownGrace] is over), and returns when they have ended, finalizers and OnExit included. Calling it again
// waits for the same end. The scope that made the lanes does it when it closes.
//
// Interrupting Close ends the waiting only. Called from inside an activation, it interrupts the caller there and then, without
// a grace; where that cannot be, it fails with [*NeverEnds].
func (l *Lanes[K]) Close() effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error { return l.close(ctx) })
}

func (l *Lanes[K]) close(ctx context.Context) error {
	l.mu.Lock()
	caller := l.callerLocked(ctx)
	if caller != nil && caller.cannotStopWaitingLocked(ctx) {
		defer l.mu.Unlock()
		return &NeverEnds{"Close", caller.lane.key, caller.phase}
	}
	if l.board.phase != closed {
		l.closeLocked()
	}
	if caller != nil {
		caller.stopLocked(StopClose)
	}
	l.mu.Unlock()
	return await(ctx, l.over)
}

func (l *Lanes[K]) closeLocked() {
	drained := l.board.phase == draining
	if !drained {
		l.since = time.Now()
	}
	cut := &DrainCut{Interrupted: l.board.running.n}
	var lost []K
	l.board.close(func(ln *lane[K]) {
		cut.Dropped++
		if len(l.subscribers) > 0 {
			lost = append(lost, ln.key)
		}
	})
	for _, key := range lost {
		l.emitLocked(Event[K]{Kind: EventDropped, Key: key, Reason: StopClose})
	}
	if drained {
		l.cut = cut
	}
	l.settleLocked()
	if l.config.ShutdownGrace > 0 && l.board.running.n > 0 {
		l.closing = time.AfterFunc(l.config.ShutdownGrace, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.stopAllLocked()
		})
		return
	}
	l.stopAllLocked()
}

func (l *Lanes[K]) stopAllLocked() {
	for ln := range l.board.running.all {
		ln.activation.stopLocked(StopClose)
	}
}

func (a *activation[K]) timedOut() {
	a.lanes.mu.Lock()
	defer a.lanes.mu.Unlock()
	a.stopLocked(StopTimeout)
}

// stopLocked tells the activation to stop, unless it was told before or is over. Work that has ended is not interrupted.
func (a *activation[K]) stopLocked(reason StopReason) {
	if a.stop != 0 || a.phase == over {
		return
	}
	a.stop, a.stopped = reason, a.lanes.now()
	a.lanes.emitLocked(Event[K]{Kind: EventStopped, Key: a.lane.key, Reason: reason})
	a.stuck = time.AfterFunc(a.lanes.config.stuckAfter(), a.reportStuck)
	if a.phase == Activating { // before, begin sees it
		a.cancel(ActivationInterrupted[K]{a.lane.key, reason})
	}
}
