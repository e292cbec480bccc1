package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// Race runs both effects at once and has the first success; failures count only when both fail. The loser is interrupted and
// awaited; what comes of it is ignored (Effect's race).
func Race[A any](left, right Effect[A]) Effect[A] { return RaceAll(left, right) }

// RaceFirst runs both effects at once and ends as the first one to end, well or not. The loser is interrupted and awaited.
func RaceFirst[A any](left, right Effect[A]) Effect[A] { return RaceAllFirst(left, right) }

// RaceAll is [Race] among any number of effects. Of none it never ends.
func RaceAll[A any](effects ...Effect[A]) Effect[A] { return raceAll(effects, false) }

// RaceAllFirst is [RaceFirst] among any number of effects. Of none it never ends.
func RaceAllFirst[A any](effects ...Effect[A]) Effect[A] { return raceAll(effects, true) }

func raceAll[A any](effects []Effect[A], first bool) Effect[A] {
	if len(effects) == 0 {
		return Never[A]()
	}
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		r := &race[A]{v: v, first: first, sides: make([]side, len(effects))}
		for i := range r.sides {
			r.sides[i].open(v)
		}
		var others sync.WaitGroup
		for i := 1; i < len(effects); i++ { // the first one runs here
			others.Go(func() { r.run(&effects[i], &r.sides[i]) })
		}
		r.run(&effects[0], &r.sides[0])
		others.Wait()
		return r.outcome()
	}}
}

type race[A any] struct {
	v     *env
	first bool // completion wins, not only success
	sides []side

	mu   sync.Mutex
	won  bool
	exit Exit[A]
	lost *errors.Cause
}

// side is a fiber on a goroutine that it shares or is given. It can be interrupted wherever it runs; what interrupts the
// region around it interrupts it too.
type side struct {
	fiber fiber
	env   env
}

func (s *side) open(v *env) {
	s.fiber.id = newID()
	s.fiber.derive(v)
	s.env = env{fiber: &s.fiber, done: s.fiber.standard, open: s.fiber.standard, values: v.values, scope: v.scope,
		services: v.services, nested: v.nested, room: v.room}
}

func (r *race[A]) run(e *Effect[A], s *side) {
	ended := Exit[A]{Cause: goexit}
	defer func() {
		s.fiber.settle()
		r.end(ended, s)
	}()
	if s != &r.sides[0] {
		s.env.room = fullRoom
	}
	ended.Value, ended.Cause = e.life(&s.env)
}

func (r *race[A]) end(x Exit[A], s *side) {
	r.mu.Lock()
	wins := !r.won && (r.first || x.Cause == nil)
	if wins {
		r.won, r.exit = true, x
	} else {
		r.lost = r.lost.Concat(x.Cause)
	}
	r.mu.Unlock()
	if wins {
		for i := range r.sides {
			if other := &r.sides[i]; other != s {
				other.fiber.interrupt(errors.Interrupt{By: r.v.fiber.id})
			}
		}
	}
}

func (r *race[A]) outcome() (A, *errors.Cause) {
	switch {
	case r.v.uncatchable():
		return *new(A), r.v.pending()
	case r.won:
		return r.exit.Value, r.exit.Cause
	}
	return *new(A), r.lost.Elect()
}
