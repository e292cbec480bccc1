package lease

import (
	"context"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// A Lease is a lease that was acquired. Its methods may be used by any fiber.
type Lease struct {
	manager  *Manager
	token    Token
	holderID string
	owner    errors.FiberID
	takeover *Takeover

	ctx    context.Context
	cancel context.CancelCauseFunc

	// What follows is guarded by manager.mu.
	record    Record        // as this holder wrote it last
	confirmed time.Duration // when the last confirmed renewal began
	failures  int           // renewals that failed since; then the stored record may be one ahead of ours
	loss      *errors.Cause // why it is lost; nil while it is not
	releasing bool
	heart     *heart // nil once nobody renews it
	watchdog  *time.Timer

	lost     chan struct{} // closed when loss is set
	released chan struct{} // closed when the release is over
	outcome  error         // of the release
}

func newLease(m *Manager, record Record, began time.Duration, owner errors.FiberID, takeover *Takeover) *Lease {
	return &Lease{
		manager: m, token: record.Token(), holderID: record.HolderID, owner: owner, takeover: takeover,
		record: record, confirmed: began, lost: make(chan struct{}), released: make(chan struct{}),
	}
}

// Key is the key of the lease.
func (l *Lease) Key() string { return l.token.Key }

// Token is the fencing token of this acquisition: hand it to whatever the lease protects.
func (l *Lease) Token() Token { return l.token }

// Takeover is how the lease was taken from a holder that had not released it, if it was.
func (l *Lease) Takeover() mo.Option[Takeover] {
	if l.takeover == nil {
		return mo.None[Takeover]()
	}
	return mo.Some(*l.takeover)
}

// Context is done when the lease is lost, with the [*Lost] as its [context.Cause], and when the lease is released. It
// carries the values and services of the effect that acquired the lease, but not its interruption: the scope's closing
// releases the lease, and so ends the context.
func (l *Lease) Context() context.Context { return l.ctx }

// Lost never succeeds. It fails with [*Lost] once the lease is lost, and waits for ever after a release. Race it against
// work, or use [Lease.WhileHeld].
func (l *Lease) Lost() effect.Effect[effect.Unit] { return untilLost[effect.Unit](l) }

func untilLost[A any](l *Lease) effect.Effect[A] {
	return effect.Try(func(ctx context.Context) (none A, _ error) {
		select {
		case <-l.lost:
			return none, l.loss
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	})
}

// lose declares the lease lost, once. It neither blocks nor waits.
func (l *Lease) lose(reason LossReason, by *Record) {
	lost := &Lost{Key: l.token.Key, Generation: l.token.Generation, Reason: reason}
	if by != nil {
		lost.By = by.Holder
	}
	if l.fall(errors.FailCause(lost), lost) {
		l.manager.emit(lost)
	}
}

// fall ends the holding with a cause, unless it is over already.
func (l *Lease) fall(cause *errors.Cause, err error) bool {
	m := l.manager
	m.mu.Lock()
	if l.loss != nil || l.releasing {
		m.mu.Unlock()
		return false
	}
	l.loss = cause
	l.cancel(err) // first: who hears of the loss finds the context over
	close(l.lost)
	l.retireLocked()
	m.mu.Unlock()
	return true
}

// retireLocked stops what keeps the lease alive.
func (l *Lease) retireLocked() {
	m := l.manager
	if m.held[l.token.Key] == l {
		delete(m.held, l.token.Key)
	}
	l.watchdog.Stop()
	if l.heart != nil {
		l.heart.removeLocked(l)
	}
}

// expireIfDue declares the loss when no renewal was confirmed in time.
func (l *Lease) expireIfDue() {
	m := l.manager
	now := m.config.Platform.Clock.Monotonic()
	m.mu.Lock()
	due := holderExpired(l.confirmed, now, renewDeadline(m.config.TTL))
	m.mu.Unlock()
	if due {
		l.lose(Expired, nil)
	}
}

// watch is the watchdog. It does not depend on the store: it goes by the clock alone.
func (l *Lease) watch() {
	m := l.manager
	l.expireIfDue()
	m.mu.Lock()
	defer m.mu.Unlock()
	if l.loss == nil && !l.releasing {
		l.watchdog.Reset(l.leftLocked(m.config.Platform.Clock.Monotonic()))
	}
}

// leftLocked is how long the lease may still go unrenewed.
func (l *Lease) leftLocked(now time.Duration) time.Duration {
	return renewDeadline(l.manager.config.TTL) - (now - l.confirmed) // in this order there is room for the longest TTL
}
