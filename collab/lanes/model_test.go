package lanes

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// The model is what lanes are, said once more as plainly as possible: slices and no clock. It is told what is done to the lanes
// and replays what they say of themselves; wherever the two disagree there is a bug in one of them.

type model struct {
	maxConcurrent, maxQueued int // maxQueued negative: no bound
	running                  []*modelRun
	queue                    []string
	phase                    phase
	accepted                 map[string]int // wakes, by key, that no activation has been started for since
	expected                 []string       // events that must come next
}

type modelRun struct {
	key     string
	owes    bool
	stopped StopReason
}

func (m *model) run(key string) *modelRun {
	for _, r := range m.running {
		if r.key == key {
			return r
		}
	}
	return nil
}

func (m *model) start(key string) {
	m.running = append(m.running, &modelRun{key: key})
	m.accepted[key] = 0
	m.expected = append(m.expected, "started "+key)
}

func (m *model) wake(key string) string {
	switch r := m.run(key); {
	case m.phase != open:
		if m.phase == draining || len(m.running) > 0 { // else the stream is closed
			m.expected = append(m.expected, "refused "+key)
		}
		return "refused"
	case r != nil || slices.Contains(m.queue, key):
		if r != nil {
			r.owes = true
		}
		m.accepted[key]++
		m.expected = append(m.expected, "coalesced "+key)
		return "coalesced"
	case len(m.running) < m.maxConcurrent && len(m.queue) == 0:
		m.accepted[key]++
		m.start(key)
		return "started"
	case m.maxQueued >= 0 && len(m.queue) >= m.maxQueued:
		m.expected = append(m.expected, "refused "+key)
		return "refused"
	}
	m.accepted[key]++
	m.queue = append(m.queue, key)
	m.expected = append(m.expected, "queued "+key)
	return "queued"
}

func (m *model) ended(key string) error {
	i := slices.IndexFunc(m.running, func(r *modelRun) bool { return r.key == key })
	if i < 0 {
		return fmt.Errorf("%s ended and did not run", key)
	}
	owes := m.running[i].owes
	m.running = slices.Delete(m.running, i, i+1)
	if owes {
		m.queue = append(m.queue, key)
	}
	if len(m.queue) > 0 && len(m.running) < m.maxConcurrent && m.phase != closed {
		next := m.queue[0]
		m.queue = m.queue[1:]
		if owes && next != key {
			m.expected = append(m.expected, "queued "+key)
		}
		m.start(next)
	} else if owes {
		m.expected = append(m.expected, "queued "+key)
	}
	m.settle()
	return nil
}

func (m *model) cancel(key string) {
	if r := m.run(key); r != nil {
		if r.owes {
			m.expected = append(m.expected, "dropped "+key)
		}
		r.owes = false
		m.accepted[key] = 0
		m.stop(r, StopCancel)
		return
	}
	if i := slices.Index(m.queue, key); i >= 0 {
		m.queue = slices.Delete(m.queue, i, i+1)
		m.accepted[key] = 0
		m.expected = append(m.expected, "dropped "+key)
	}
	m.settle()
}

func (m *model) stop(r *modelRun, reason StopReason) {
	if r.stopped == 0 {
		r.stopped = reason
		m.expected = append(m.expected, fmt.Sprintf("stopped %s %v", r.key, reason))
	}
}

func (m *model) drain() {
	if m.phase == open {
		m.phase = draining
	}
	m.settle()
}

func (m *model) close(graceful bool) {
	if m.phase == closed {
		return
	}
	m.phase = closed
	for _, r := range m.running {
		if r.owes {
			m.expected = append(m.expected, "dropped "+r.key)
		}
		r.owes = false
	}
	for _, key := range m.queue {
		m.expected = append(m.expected, "dropped "+key)
	}
	m.queue = nil
	clear(m.accepted)
	if !graceful {
		m.stopAll()
	}
}

func (m *model) stopAll() {
	for _, r := range m.running {
		m.stop(r, StopClose)
	}
}

func (m *model) settle() {
	if m.phase == draining && len(m.running)+len(m.queue) == 0 {
		m.phase = closed
	}
}

// replay checks an event against what is expected. What only time decides, an end or a timeout, the model takes from the event.
func (m *model) replay(e Event[string]) error {
	if len(m.expected) == 0 {
		switch {
		case e.Kind == EventEnded:
			return m.ended(e.Key)
		case e.Kind == EventStopped && e.Reason == StopTimeout:
			r := m.run(e.Key)
			if r == nil || r.stopped != 0 {
				return fmt.Errorf("%s timed out and does not run, or was stopped before", e.Key)
			}
			r.stopped = StopTimeout
			return nil
		case e.Kind == EventStuck:
			if r := m.run(e.Key); r == nil || r.stopped != e.Reason {
				return fmt.Errorf("%s is stuck after %v and was not stopped so", e.Key, e.Reason)
			}
			return nil
		}
	}
	got := e.Kind.String() + " " + e.Key
	if e.Kind == EventStopped {
		got += " " + e.Reason.String()
	}
	if len(m.expected) == 0 || m.expected[0] != got {
		return fmt.Errorf("the event %q came; expected were %q", got, m.expected)
	}
	m.expected = m.expected[1:]
	return nil
}

// status is what [oneLine] says of the lanes if they are right.
func (m *model) status() string {
	s := Status[string]{Running: len(m.running), Queued: len(m.queue), Draining: m.phase == draining, Closed: m.phase == closed}
	for _, r := range m.running {
		s.Lanes = append(s.Lanes, LaneStatus[string]{Key: r.key, State: Running, Pending: r.owes})
	}
	for _, key := range m.queue {
		s.Lanes = append(s.Lanes, LaneStatus[string]{Key: key, State: Queued, Pending: true})
	}
	return oneLine(s)
}

// check compares the lanes, at rest, with the model, and both with what must always hold.
func (m *model) check(s Status[string], atWork map[string]int) error {
	var wrong []error
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if len(m.expected) > 0 {
		note("these events did not come: %q", m.expected)
	}
	if got, want := oneLine(s), m.status(); got != want {
		note("the status is %q; want %q", got, want)
	}
	total := 0
	for key, n := range atWork {
		total += n
		if n > 1 {
			note("%d activations of %s at once", n, key)
		}
	}
	if total > m.maxConcurrent {
		note("%d activations at once; the limit is %d", total, m.maxConcurrent)
	}
	if s.Queued > 0 && s.Running < m.maxConcurrent && !s.Closed {
		note("%d of %d slots are taken while %d lanes wait", s.Running, m.maxConcurrent, s.Queued)
	}
	if m.maxQueued >= 0 && s.Queued > m.maxQueued {
		note("%d lanes wait; the limit is %d", s.Queued, m.maxQueued)
	}
	if total != s.Running {
		note("%d activations are at work, and %d slots taken", total, s.Running)
	}
	for key, n := range m.accepted {
		pending := slices.ContainsFunc(s.Lanes, func(l LaneStatus[string]) bool { return l.Key == key && l.Pending })
		if n > 0 && !pending {
			note("%d wakes of %s were accepted, and nothing is pending for it", n, key)
		}
	}
	return errors.Join(wrong...)
}

// The times of the histories, such that no two things fall on one moment by themselves.
const (
	historyTurn  = 1000 * time.Millisecond
	historyGrace = 700 * time.Millisecond
	historyStuck = 331 * time.Millisecond
)
