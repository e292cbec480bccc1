package effect

import (
	"context"
	"iter"
	"math"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Subscription takes what is published to a [PubSub] since it was made. Those who take from the same one share its values, and are
// served in the order in which they came. One that is interrupted has taken nothing.
type Subscription[A any] struct {
	hub      *PubSub[A]     // whose lock it is under
	next     int            // the number of the value to take next
	replayed []A            // and what comes before
	takers   line[*sleeper] // the first is woken when there is a value, and takes it by itself
	ended    *errors.Cause  // how takes end from now on
}

// Subscribe is a subscription until the surrounding scope closes. Without a scope it is the defect [NoScope].
func (p *PubSub[A]) Subscribe() Effect[*Subscription[A]] {
	return Effect[*Subscription[A]]{eval: func(v *env) (*Subscription[A], *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"PubSub.Subscribe"})
		}
		s := p.subscribe(v.fiber.id)
		return s, v.addFinalizer(v.scope, func(scope.Exit) Effect[Unit] {
			return CurrentID().Map(func(id errors.FiberID) (u Unit) { s.unsubscribe(id); return u })
		})
	}}
}

func (p *PubSub[A]) subscribe(by errors.FiberID) *Subscription[A] {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &Subscription[A]{hub: p, next: p.first + p.log.size}
	for i := range p.recent.size {
		s.replayed = append(s.replayed, *p.recent.at(i))
	}
	p.subscriptions[s] = struct{}{}
	if p.isOver {
		s.end(by)
	}
	return s
}

func (s *Subscription[A]) unsubscribe(by errors.FiberID) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.ended == nil {
		s.end(by)
	}
}

// end makes all takes end as interrupted.
func (s *Subscription[A]) end(by errors.FiberID) {
	s.ended = errors.InterruptCause(by)
	for n := s.unread(); n > 0; n-- {
		s.log().left--
		s.next++
	}
	s.replayed = nil
	delete(s.hub.subscriptions, s)
	s.hub.trim()
	s.wakeAll()
}

func (s *Subscription[A]) wakeAll() {
	for place := s.takers.head; place != nil; place = place.next {
		if !place.value.woken() {
			place.value.wake()
		}
	}
}

// unread is how many values of the log are still to be taken; what slid away is not.
func (s *Subscription[A]) unread() int {
	s.next = max(s.next, s.hub.first)
	return s.hub.first + s.hub.log.size - s.next
}

// log is the entry of the next value.
func (s *Subscription[A]) log() *published[A] { return s.hub.log.at(s.next - s.hub.first) }

func (s *Subscription[A]) has() bool {
	return len(s.replayed) > 0 || s.unread() > 0 || s.hub.last != nil
}

// pop takes the next value, of which there is one, and tells whether it is the one that the PubSub was ended with.
func (s *Subscription[A]) pop() (a A, last bool) {
	switch {
	case len(s.replayed) > 0:
		a = s.replayed[0]
		s.replayed = s.replayed[1:]
	case s.unread() > 0:
		entry := s.log()
		a = entry.value
		entry.left--
		s.next++
		s.hub.trim()
	default:
		return *s.hub.last, true
	}
	return a, false
}

// wake wakes who is first in line, if there is a value.
func (s *Subscription[A]) wake() {
	if first := s.takers.head; first != nil && !first.value.woken() && s.has() {
		first.value.wake()
	}
}

// Take takes the next value, for which it waits. When the subscription has ended, it ends as interrupted.
func (s *Subscription[A]) Take() Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		a, _, c, ok := s.take(v)
		if !ok {
			return a, v.pending()
		}
		v.kept = c == nil
		return a, c
	}}
}

// take is Take; not ok if ctx was done before.
func (s *Subscription[A]) take(ctx context.Context) (a A, last bool, c *errors.Cause, ok bool) {
	mu := &s.hub.mu
	mu.Lock()
	defer mu.Unlock()
	switch {
	case s.ended != nil:
		return a, false, s.ended, true
	case s.takers.head == nil && s.has():
		a, last = s.pop()
		return a, last, nil, true
	}
	who := sleeperFor(ctx)
	defer who.rest()
	place := s.takers.push(who)
	mu.Unlock()
	kept := slept(ctx, who)
	mu.Lock()
	s.takers.remove(place)
	defer s.wake() // the next one
	switch {
	case !kept:
		return a, false, nil, false
	case s.ended != nil:
		return a, false, s.ended, true
	}
	a, last = s.pop()
	return a, last, nil, true
}

// TakeUpTo takes as many values as there are, and no more than most, without waiting.
func (s *Subscription[A]) TakeUpTo(most int) Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		got, c := s.takeUpTo([]A{}, most)
		v.kept = c == nil
		return got, c
	}}
}

// takeUpTo adds to got what can be taken now.
func (s *Subscription[A]) takeUpTo(got []A, most int) ([]A, *errors.Cause) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.ended != nil {
		return nil, s.ended
	}
	for len(got) < most && s.takers.head == nil && len(s.replayed)+s.unread() > 0 {
		a, _ := s.pop()
		got = append(got, a)
	}
	return got, nil
}

// TakeAll takes all values, and waits until there is one.
func (s *Subscription[A]) TakeAll() Effect[[]A] { return s.TakeBetween(1, math.MaxInt) }

// TakeBetween takes up to most values, and waits until it has taken least.
func (s *Subscription[A]) TakeBetween(least, most int) Effect[[]A] {
	return Effect[[]A]{eval: func(v *env) ([]A, *errors.Cause) {
		got, c := s.takeUpTo([]A{}, most)
		for c == nil && len(got) < min(least, most) {
			a, _, ended, ok := s.take(v)
			switch {
			case !ok:
				s.putBack(got)
				return nil, v.pending()
			case ended != nil:
				return nil, ended
			}
			got, c = s.takeUpTo(append(got, a), most)
		}
		v.kept = c == nil
		return got, c
	}}
}

// putBack makes values the next ones to take.
func (s *Subscription[A]) putBack(values []A) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.ended == nil {
		s.replayed = append(values, s.replayed...)
		s.wake()
	}
}

// Remaining is how many values can be taken now.
func (s *Subscription[A]) Remaining() Effect[int] {
	return Effect[int]{eval: func(*env) (int, *errors.Cause) {
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		if s.ended != nil {
			return 0, s.ended
		}
		return len(s.replayed) + s.unread(), nil
	}}
}

// All takes values for plain Go, waiting for each, until the subscription ends or has had the last value of [PubSub.End]. When ctx
// is done, the last pair has the zero value and the cause of ctx. The loop may be left.
func (s *Subscription[A]) All(ctx context.Context) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		for {
			a, last, c, ok := s.take(ctx)
			if !ok {
				yield(a, context.Cause(ctx))
				return
			}
			if c != nil || !yield(a, nil) || last {
				return
			}
		}
	}
}
