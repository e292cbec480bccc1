package lease

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// heart is a loop that renews leases: all of a manager's, where the repository renews many in one step, else one, so that a
// write that hangs delays no other lease. The loop is a fiber that lives as long as there is a lease to renew.
type heart struct {
	manager *Manager

	// Guarded by manager.mu.
	leases map[*Lease]struct{}
	beat   *beat // in flight; nil between beats
	idle   bool  // no lease is left: nobody joins it any more

	stop chan struct{} // closed when idle
	done chan struct{} // closed when the loop is over
}

// beat is one renewal in flight.
type beat struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// join makes l a live lease: it is renewed and watched from now on.
func (m *Manager) join(l *Lease) effect.Effect[effect.Unit] {
	return effect.Context().FlatMap(func(ctx context.Context) effect.Effect[effect.Unit] {
		l.ctx, l.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		m.mu.Lock()
		delete(m.seen, l.token.Key)
		m.held[l.token.Key] = l
		l.watchdog = time.AfterFunc(l.leftLocked(m.config.Platform.Clock.Monotonic()), l.watch)
		h, isNew := m.heartLocked()
		h.leases[l] = struct{}{}
		l.heart = h
		m.mu.Unlock()
		m.emit(Acquired{Token: l.token, Takeover: l.takeover})
		if !isNew {
			return effect.Succeed(effect.Unit{})
		}
		return effect.ForkDetach(effect.Try(h.run), effect.ForkNamed("lease heartbeat")).Map(func(f *effect.Fiber[effect.Unit]) effect.Unit {
			f.Observe(h.ended)
			return effect.Unit{}
		})
	})
}

// heartLocked is the heart for one more lease.
func (m *Manager) heartLocked() (h *heart, isNew bool) {
	if m.heart != nil && !m.heart.idle {
		return m.heart, false
	}
	h = &heart{manager: m, leases: map[*Lease]struct{}{}, stop: make(chan struct{}), done: make(chan struct{})}
	if m.renewer != nil {
		m.heart = h
	}
	return h, true
}

// removeLocked takes l out; the heart of no lease stops, and cuts a renewal that is in flight.
func (h *heart) removeLocked(l *Lease) {
	if _, member := h.leases[l]; !member {
		return
	}
	delete(h.leases, l)
	if len(h.leases) > 0 {
		return
	}
	h.idle = true
	close(h.stop)
	if h.beat != nil {
		h.beat.cancel()
	}
}

// leave waits until h writes nothing more for a lease that was removed.
func (h *heart) leave() {
	m := h.manager
	m.mu.Lock()
	wait := h.done
	if !h.idle {
		wait = nil
		if h.beat != nil {
			wait = h.beat.done
		}
	}
	m.mu.Unlock()
	if wait != nil {
		<-wait
	}
}

// run beats until no lease is left.
func (h *heart) run(ctx context.Context) (effect.Unit, error) {
	defer close(h.done)
	for {
		timer := time.NewTimer(h.pause())
		select {
		case <-timer.C:
		case <-h.stop:
			timer.Stop()
			return effect.Unit{}, nil
		case <-ctx.Done():
			timer.Stop()
			return effect.Unit{}, context.Cause(ctx)
		}
		h.beatOnce(ctx)
	}
}

// pause is the heartbeat, or less where a failed renewal would not be tried again before its lease expires.
func (h *heart) pause() time.Duration {
	m := h.manager
	now := m.config.Platform.Clock.Monotonic()
	m.mu.Lock()
	defer m.mu.Unlock()
	pause := m.config.Heartbeat
	for l := range h.leases {
		if left := l.leftLocked(now); l.failures > 0 && left <= m.config.Heartbeat {
			pause = min(pause, max(left/2, m.config.Heartbeat/16))
		}
	}
	return pause
}

// ended makes a crash of the loop a loss of every lease in it.
func (h *heart) ended(exit effect.Exit[effect.Unit]) {
	m := h.manager
	m.mu.Lock()
	orphans := make([]*Lease, 0, len(h.leases))
	for l := range h.leases {
		orphans = append(orphans, l)
	}
	m.mu.Unlock()
	cause := exit.Cause
	if cause == nil {
		cause = errors.DieCause("the heartbeat ended")
	}
	for _, l := range orphans {
		l.fall(cause, cause)
	}
}
