package effect_test

import (
	"slices"
)

// pubSubModel is what a PubSub does, one step after the other. Each subscription has a list of its own.
type pubSubModel struct {
	pubSubProgram
	recent     []int // what is replayed
	subs       []*modelSubscription
	publishers []*modelPublisher // who wait, first come first
	last       *int
}

type modelSubscription struct {
	replayed, unread []int
	takers           []*modelFiber
	over             bool
}

type modelPublisher struct {
	*modelFiber
	rest []int
}

func (m *pubSubModel) subscribe() {
	m.subs = append(m.subs, &modelSubscription{replayed: slices.Clone(m.recent)})
}

func (m *pubSubModel) leave(s *modelSubscription) {
	s.over, s.replayed, s.unread = true, nil, nil
	for _, f := range s.takers {
		f.ended = "interrupted"
	}
	s.takers = nil
	m.settle()
}

// size is how many values take room: as many as the slowest has not taken.
func (m *pubSubModel) size() (n int) {
	for _, s := range m.subs {
		n = max(n, len(s.unread))
	}
	return n
}

// put publishes a value, or tells that there is no room.
func (m *pubSubModel) put(value int) bool {
	listeners := slices.DeleteFunc(slices.Clone(m.subs), func(s *modelSubscription) bool { return s.over })
	full := len(listeners) > 0 && m.kind != "unbounded" && m.size() >= m.capacity
	if full && m.kind != "sliding" {
		return false
	}
	for _, s := range listeners {
		if full && len(s.unread) >= m.capacity {
			s.unread = s.unread[1:]
		}
		s.unread = append(s.unread, value)
	}
	m.recent = append(m.recent, value)
	m.recent = m.recent[max(0, len(m.recent)-m.replay):]
	return true
}

func (m *pubSubModel) publish(f *modelFiber, values []int) {
	for i, value := range values {
		if m.last != nil || len(m.publishers) > 0 || !m.put(value) {
			if m.last == nil && m.kind == "bounded" {
				m.publishers = append(m.publishers, &modelPublisher{f, values[i:]})
			} else {
				f.ended = "Success(false)"
			}
			m.settle()
			return
		}
	}
	f.ended = "Success(true)"
	m.settle()
}

// take takes a value, which is there.
func (m *pubSubModel) take(s *modelSubscription) (value int) {
	switch {
	case len(s.replayed) > 0:
		value, s.replayed = s.replayed[0], s.replayed[1:]
	case len(s.unread) > 0:
		value, s.unread = s.unread[0], s.unread[1:]
	default:
		return *m.last
	}
	return value
}

// batch takes what is there, up to so many, and what publishers who wait add meanwhile.
func (m *pubSubModel) batch(s *modelSubscription, most int) []int {
	got := []int{}
	for len(got) < most && len(s.takers) == 0 && len(s.replayed)+len(s.unread) > 0 {
		got = append(got, m.take(s))
		m.settle()
	}
	return got
}

func (m *pubSubModel) end(last int) {
	if m.last != nil {
		return
	}
	m.last = &last
	for _, w := range m.publishers {
		w.ended = "Success(false)"
	}
	m.publishers = nil
	m.settle()
}

func (m *pubSubModel) interrupt(f *modelFiber) {
	if f.ended != "" {
		return
	}
	f.ended = "interrupted"
	m.publishers = slices.DeleteFunc(m.publishers, func(w *modelPublisher) bool { return w.modelFiber == f })
	for _, s := range m.subs {
		s.takers = slices.DeleteFunc(s.takers, func(o *modelFiber) bool { return o == f })
	}
}

// settle serves those who wait until none can be.
func (m *pubSubModel) settle() {
	for again := true; again; {
		again = false
		for _, s := range m.subs {
			for len(s.takers) > 0 && (len(s.replayed)+len(s.unread) > 0 || m.last != nil) {
				s.takers[0].ended = success(m.take(s))
				s.takers = s.takers[1:]
				again = true
			}
		}
		for len(m.publishers) > 0 && m.put(m.publishers[0].rest[0]) {
			w := m.publishers[0]
			if w.rest = w.rest[1:]; len(w.rest) == 0 {
				w.ended = "Success(true)"
				m.publishers = m.publishers[1:]
			}
			again = true
		}
	}
}
