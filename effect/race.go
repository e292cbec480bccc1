package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// RaceOption changes a race.
type RaceOption struct{ onWinner func(index int) }

// OnWinner has f called once a side has won, with its place among the effects, before the others are interrupted. f must not
// block; a panic in it is a defect of the race.
func OnWinner(f func(index int)) RaceOption { return RaceOption{f} }

// Race runs both effects at once and has the first success; failures count only when both fail, and are then listed in the order
// in which they came. The loser is interrupted and awaited; what comes of it is ignored (Effect's race).
//
// Both sides can be interrupted, also where Race cannot be. What interrupts Race interrupts both.
func Race[A any](left, right Effect[A], options ...RaceOption) Effect[A] {
	return raceAll([]Effect[A]{left, right}, false, options)
}

// RaceFirst runs both effects at once and ends as the first one to end, well or not. The loser is interrupted and awaited; what
// comes of it is ignored.
func RaceFirst[A any](left, right Effect[A], options ...RaceOption) Effect[A] {
	return raceAll([]Effect[A]{left, right}, true, options)
}

// RaceAll is [Race] among any number of effects. Of none it never ends. (To know which one won, give each a value that says.)
func RaceAll[A any](effects ...Effect[A]) Effect[A] { return raceAll(effects, false, nil) }

// RaceAllFirst is [RaceFirst] among any number of effects. Of none it never ends.
func RaceAllFirst[A any](effects ...Effect[A]) Effect[A] { return raceAll(effects, true, nil) }

func raceAll[A any](effects []Effect[A], first bool, options []RaceOption) Effect[A] {
	if len(effects) == 0 {
		return Never[A]()
	}
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		r := &race[A]{v: v, first: first, sides: make([]side, len(effects))}
		for _, o := range options {
			r.onWinner = o.onWinner
		}
		for i := range r.sides {
			r.sides[i].open(v)
			v.watch(&r.sides[i].fiber, "side of a race")
		}
		var others sync.WaitGroup
		defer func() {
			if !r.over { // runtime.Goexit ended the side that runs here, and with it the race
				r.stop(nil)
				others.Wait()
			}
		}()
		for i := 1; i < len(effects); i++ {
			others.Go(func() {
				r.sides[i].env.room = fullRoom
				r.sides[i].env.label()
				r.run(&effects[i], i)
			})
		}
		r.run(&effects[0], 0)
		others.Wait()
		r.over = true
		return r.outcome()
	}}
}

type race[A any] struct {
	v        *env
	first    bool // completion wins, not only success
	onWinner func(index int)
	sides    []side
	over     bool // of the goroutine that the race is on

	mu   sync.Mutex
	won  bool
	exit Exit[A]
	lost *errors.Cause
}

func (r *race[A]) run(e *Effect[A], i int) {
	ended := Exit[A]{Cause: goexit} // unless life returns
	defer func() {
		r.sides[i].fiber.unwatch()
		r.sides[i].fiber.settle()
		r.end(ended, i)
	}()
	ended.Value, ended.Cause = e.life(&r.sides[i].env)
}

func (r *race[A]) end(x Exit[A], i int) {
	r.mu.Lock()
	wins := !r.won && (r.first || x.Cause == nil)
	if wins {
		r.won, r.exit = true, x
	} else {
		r.lost = r.lost.Concat(x.Cause)
	}
	r.mu.Unlock()
	if wins {
		defer r.stop(&r.sides[i])
		r.tell(i)
	}
}

// tell calls onWinner.
func (r *race[A]) tell(winner int) {
	if r.onWinner == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.exit = Exit[A]{Cause: r.v.recovered(p)}
		}
	}()
	r.onWinner(winner)
}

// stop interrupts all sides but the winner.
func (r *race[A]) stop(winner *side) {
	for i := range r.sides {
		if s := &r.sides[i]; s != winner {
			s.fiber.interrupt(errors.Interrupt{By: r.v.fiber.id})
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
