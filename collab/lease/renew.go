package lease

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/samber/mo"
)

// renewal is one lease's part in a beat.
type renewal struct {
	lease *Lease
	next  Record
}

// beatOnce renews the leases of h once.
func (h *heart) beatOnce(ctx context.Context) {
	m := h.manager
	ctx, renewals, over := h.open(ctx)
	defer over()
	renewals = writable(renewals)
	if len(renewals) == 0 {
		return
	}
	began := m.config.Platform.Clock.Monotonic()
	conflicts, err := m.renew(ctx, renewals)
	if err != nil {
		for _, r := range renewals {
			r.lease.renewFailed(err)
		}
		return
	}
	missed := make(map[int]bool, len(conflicts))
	for _, i := range conflicts {
		missed[i] = true
	}
	m.mu.Lock()
	for i, r := range renewals {
		if !missed[i] {
			r.lease.confirmLocked(r.next, began)
		}
	}
	m.mu.Unlock()
	for _, i := range conflicts {
		m.resolve(ctx, renewals[i].lease)
	}
}

// open begins a beat. Its context ends when it can no longer do any lease good.
func (h *heart) open(ctx context.Context) (context.Context, []renewal, func()) {
	m := h.manager
	now, wall := m.config.Platform.Clock.Monotonic(), m.wallClock()
	m.mu.Lock()
	defer m.mu.Unlock()
	renewals := make([]renewal, 0, len(h.leases))
	longest := time.Duration(0)
	for l := range h.leases {
		renewals = append(renewals, renewal{l, renewed(l.record, wall)})
		longest = max(longest, l.leftLocked(now))
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	b := &beat{cancel: cancel, done: make(chan struct{})}
	h.beat = b
	return ctx, renewals, func() {
		cancel()
		m.mu.Lock()
		h.beat = nil
		m.mu.Unlock()
		close(b.done)
	}
}

// writable leaves out the records that no store may write. They would make the others' renewal fail with theirs.
func writable(renewals []renewal) []renewal {
	return slices.DeleteFunc(renewals, func(r renewal) bool {
		err := checkCounters(r.next)
		if err != nil {
			r.lease.renewFailed(err)
		}
		return err != nil
	})
}

// renew writes the records over the revisions before them. A panic of the store is one more way for it to fail.
func (m *Manager) renew(ctx context.Context, renewals []renewal) (conflicts []int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the store panicked: %v", r)
		}
	}()
	if m.renewer != nil {
		records := make([]Record, len(renewals))
		for i, r := range renewals {
			records[i] = r.next
		}
		return m.renewer.Renew(ctx, records)
	}
	for i, r := range renewals {
		err := m.repository.Save(ctx, r.next, mo.Some(r.next.Revision-1))
		if _, conflict := err.(*RevisionConflict); conflict {
			conflicts = append(conflicts, i)
		} else if err != nil {
			return nil, err
		}
	}
	return conflicts, nil
}

// confirmLocked records a renewal. It counts from when its attempt began: somebody may have read the write that early.
func (l *Lease) confirmLocked(record Record, began time.Duration) {
	l.record, l.confirmed, l.failures = record, began, 0
}

// renewFailed records that nothing is known about a renewal; the watchdog decides how long that may go on.
func (l *Lease) renewFailed(err error) {
	m := l.manager
	m.mu.Lock()
	over := l.loss != nil || l.releasing
	if !over {
		l.failures++
	}
	failures := l.failures
	m.mu.Unlock()
	if !over {
		m.emit(RenewFailed{Token: l.token, Failures: failures, Err: asRepositoryFailure(l.token.Key, err)})
	}
}

// resolve finds out why the record of l was not at the revision that l wrote last: because an earlier renewal was applied although
// the store reported an error, or because somebody else has the lease.
func (m *Manager) resolve(ctx context.Context, l *Lease) {
	for range maxTurns {
		stored, err := m.loadSafely(ctx, l.token.Key)
		if err != nil {
			m.mu.Lock()
			doubtful := l.failures > 0
			m.mu.Unlock()
			if doubtful { // the other revision may be our own
				l.renewFailed(err)
			} else {
				l.lose(TakenOver, nil)
			}
			return
		}
		record, found := stored.Get()
		if !found || !record.heldBy(l.token.Generation, l.holderID) {
			l.lose(lossReason(stored), &record)
			return
		}
		began := m.config.Platform.Clock.Monotonic()
		next := renewed(record, m.wallClock())
		conflicts, err := m.renew(ctx, []renewal{{l, next}})
		switch {
		case err != nil:
			l.renewFailed(err)
			return
		case len(conflicts) == 0:
			m.mu.Lock()
			l.confirmLocked(next, began)
			m.mu.Unlock()
			return
		}
	}
	l.renewFailed(&RepositoryFailure{Key: l.token.Key, Reason: Busy, Message: "other writers move the record all the time"})
}

func (m *Manager) loadSafely(ctx context.Context, key string) (_ mo.Option[Record], err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the store panicked: %v", r)
		}
	}()
	return m.load(ctx, key)
}
