package lanes

import "time"

// reportStuck says that the activation goes on although it was told to stop, and looks again when it has taken twice as long.
// There is nothing else to be done: Go cannot end a goroutine that does not heed its context, and a second activation beside
// it would break the promise that there is one at most.
func (a *activation[K]) reportStuck() {
	l := a.lanes
	l.mu.Lock()
	if a.phase == over {
		l.mu.Unlock()
		return
	}
	reason, phase, ago := a.stop, a.phase, time.Duration(l.now()-a.stopped)
	l.emitLocked(Event[K]{Kind: EventStuck, Key: a.lane.key, Reason: reason, Phase: phase, Run: ago})
	a.stuck.Reset(ago)
	l.mu.Unlock()
	l.warn("lanes: an activation does not stop; its lane and slot stay taken until it ends",
		"key", a.lane.key, "phase", phase.String(), "reason", reason.String(), "stopped_ago", ago)
}
