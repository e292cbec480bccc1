package effect

import (
	"context"
	"sync/atomic"

	"github.com/rivus/agentkit/errors"
)

// sleeper is a goroutine that waits until somebody who knows of it wakes it.
//
// To wait for one channel costs half of waiting for two, and a channel that is used again less than one made for each wait. So a
// fiber has a sleeper of its own, and what interrupts the fiber rings the same bell as those who wake it.
type sleeper struct {
	bell       chan struct{} // holds one ring. One that came too late costs the next sleep a look
	use        atomic.Uint32 // see the constants
	prev, next *sleeper      // in the list of what it waits for

	slept <-chan struct{}      // what could end its last sleep, when that was not its fiber alone
	hook  atomic.Pointer[hook] // has the bell rung once it is closed
}

// hook has a bell rung when a context is done.
type hook struct {
	done   <-chan struct{} // of the context; contexts need not be comparable
	remove func() bool
}

const (
	sleeperNew    uint32 = iota // without a bell
	sleeperTaken                // its bell is in the making
	sleeperReady                // somebody sleeps, or is about to: the bell can be rung
	sleeperWoken                // and need not sleep any more
	sleeperRested               // nobody sleeps
)

// sleeper is one to wait with, until rest: that of the fiber, unless another goroutine waits in the fiber's name.
func (v *env) sleeper() *sleeper {
	s := &v.fiber.own
	switch {
	case s.use.CompareAndSwap(sleeperRested, sleeperReady):
		return s
	case !s.use.CompareAndSwap(sleeperNew, sleeperTaken):
		s = &sleeper{}
	}
	s.bell = make(chan struct{}, 1)
	s.use.Store(sleeperReady)
	return s
}

// rest gives s back. Nobody may know of it any more.
func (s *sleeper) rest() { s.use.Store(sleeperRested) }

// wake wakes s. Whoever calls it holds the lock of the list that s is in, under which woken says for certain whether it was.
func (s *sleeper) wake() {
	s.use.Store(sleeperWoken)
	s.ring()
}

func (s *sleeper) woken() bool { return s.use.Load() == sleeperWoken }

// ring has s look whether it is to go on.
func (s *sleeper) ring() {
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

// stir rings for one who sleeps now.
func (s *sleeper) stir() {
	if s.use.Load() == sleeperReady {
		s.ring()
	}
}

// sleep blocks until s is woken or the region is interrupted. When both have happened the interruption wins.
func (v *env) sleep(s *sleeper) *errors.Cause {
	if w := v.fiber.watched.Load(); w != nil {
		w.begin()
		defer w.end()
	}
	for !s.woken() && !v.stopped() {
		if stop := v.silent(s); stop != nil {
			select {
			case <-s.bell:
			case <-stop:
			}
		} else {
			<-s.bell
		}
	}
	if v.stopped() {
		return v.pending()
	}
	return nil
}

// silent is what interrupts the region without ringing the bell of s; nil when there is no such thing.
func (v *env) silent(s *sleeper) <-chan struct{} {
	f := v.fiber
	if v.done == nil || v.done == f.asContext() && f.around == nil && s == &f.own {
		return nil
	}
	stop := v.done.Done()
	switch h := s.hook.Load(); {
	case s != &f.own:
	case h != nil && h.done == stop:
		return nil
	case s.slept != stop:
		s.slept = stop // a hook costs more than one sleep without it
	default:
		s.unhook()
		s.hook.Store(&hook{stop, context.AfterFunc(v.done, s.stir)})
		if !f.ended() {
			return nil
		}
		s.unhook()
	}
	return stop
}

// sleeperFor is one for who waits with ctx: an effect or plain Go.
func sleeperFor(ctx context.Context) *sleeper {
	if v, ok := ctx.(*env); ok {
		return v.sleeper()
	}
	return &sleeper{bell: make(chan struct{}, 1)}
}

// slept blocks until s is woken or ctx is done, and tells whether it was the former. When both have happened it was not.
func slept(ctx context.Context, s *sleeper) bool {
	if v, ok := ctx.(*env); ok {
		return v.sleep(s) == nil
	}
	select {
	case <-s.bell:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// unhook removes the hook of s. Who still sleeps looks for itself then.
func (s *sleeper) unhook() {
	if s.hook.Load() == nil {
		return
	}
	if h := s.hook.Swap(nil); h != nil {
		h.remove()
		s.stir()
	}
}
