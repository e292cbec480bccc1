package effect

import (
	"slices"

	"github.com/rivus/agentkit/errors"
)

// publisher is one who waits to publish.
type publisher[A any] struct {
	rest  []A
	cause *errors.Cause
	who   *sleeper // woken when all are published, or none will be any more
}

// Publish hands a to all who subscribe, for which it waits while a bounded PubSub is full. It tells whether it did: not after
// [PubSub.End] or [PubSub.Shutdown], nor when a dropping one is full. Interrupted, it has not published.
func (p *PubSub[A]) Publish(a A) Effect[bool] { return p.PublishAll([]A{a}) }

// PublishAll publishes values one after the other, as [PubSub.Publish] does, and tells whether all were published.
func (p *PubSub[A]) PublishAll(values []A) Effect[bool] {
	return Effect[bool]{eval: func(v *env) (bool, *errors.Cause) {
		p.mu.Lock()
		defer p.mu.Unlock()
		rest := p.putAll(values)
		if len(rest) == 0 || !p.isOpen() || p.overflow != suspends {
			return len(rest) == 0, nil
		}
		w := &publisher[A]{rest: slices.Clone(rest), who: sleeperFor(v)}
		defer w.who.rest()
		place := p.publishers.push(w)
		p.mu.Unlock()
		slept(v, w.who)
		p.mu.Lock()
		if w.who.woken() {
			return len(w.rest) == 0, w.cause
		}
		p.publishers.remove(place)
		return false, v.pending()
	}}
}

// PublishNow is [PubSub.Publish] for plain Go: it does not wait, and a full PubSub that is bounded refuses a.
func (p *PubSub[A]) PublishNow(a A) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.put(a)
}

func (p *PubSub[A]) isOpen() bool { return !p.isOver && p.last == nil }

func (p *PubSub[A]) putAll(values []A) (rest []A) {
	for i, a := range values {
		if p.publishers.head != nil || !p.put(a) { // nobody overtakes those who wait
			return values[i:]
		}
	}
	return nil
}

// put publishes a if there is room.
func (p *PubSub[A]) put(a A) bool {
	switch {
	case !p.isOpen():
		return false
	case len(p.subscriptions) == 0:
		p.remember(a)
		return true
	case p.log.size >= p.capacity && p.overflow != slides:
		return false
	case p.log.size >= p.capacity:
		p.log.popFront()
		p.first++
	}
	p.remember(a)
	p.log.pushBack(published[A]{a, len(p.subscriptions)})
	for s := range p.subscriptions {
		s.wake()
	}
	return true
}

func (p *PubSub[A]) remember(a A) {
	if p.replay <= 0 {
		return
	}
	if p.recent.size >= p.replay {
		p.recent.popFront()
	}
	p.recent.pushBack(a)
}

// trim forgets what all have taken, and lets those publish who wait for the room.
func (p *PubSub[A]) trim() {
	for {
		for p.log.size > 0 && p.log.at(0).left == 0 {
			p.log.popFront()
			p.first++
		}
		place := p.publishers.head
		if place == nil || !p.put(place.value.rest[0]) {
			return
		}
		w := place.value
		if w.rest = w.rest[1:]; len(w.rest) == 0 {
			p.publishers.remove(place)
			w.who.wake()
		}
	}
}

// refuse sends those away who wait to publish.
func (p *PubSub[A]) refuse(c *errors.Cause) {
	for place := p.publishers.head; place != nil; place = place.next {
		place.value.cause = c
		place.value.who.wake()
	}
	p.publishers = line[*publisher[A]]{}
}
