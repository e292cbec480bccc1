package lanes

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// activation is one run of a lane's work. It is also the context that the work gets: that of the lanes, and in it the activation
// itself, by which a call on the lanes knows that it was made from inside.
//
// The work is often short, so what an activation needs is one allocation where that can be.
type activation[K comparable] struct {
	context.Context
	lanes   *Lanes[K]
	lane    *lane[K]
	started instant
	wait    time.Duration

	left      remainder
	resources scope.Scope       // of the work
	ending    scope.Scope       // closes when the work has ended, and then closes resources: see Finalize
	entry     scope.Entry       // in ending
	body      *errors.Cause     // how the work ended
	finalizer *errors.Cause     // what its finalizers added
	exit      ActivationExit[K] // what OnExit hears; nil until somebody wants to know

	// Guarded by the lock of the lanes.
	phase    Phase
	cancel   context.CancelCauseFunc // interrupts the work; there once it is Activating
	stop     StopReason              // the first one
	cutShort StopReason              // the stop that came while the work ran
	stopped  instant                 // when it was told to
	timeout  *time.Timer             // until the turn timeout
	stuck    *time.Timer             // until the next report that it goes on although it was told to stop
	done     chan struct{}           // closed at the end; nil while nobody waits for it
	waits    []*activation[K]        // whose end it waits for and cannot be interrupted while it does
}

// remainder is what is left to do of an activation. Each part is taken off before it is done: one that ends its goroutine is
// not done again.
type remainder uint8

const (
	allOfIt remainder = iota
	theReport
	theEnd
)

// run does what is left to do. The answer is the activation that takes the slot, or nil.
func (a *activation[K]) run() (next *activation[K]) {
	if a.left == allOfIt {
		a.left = theReport
		a.work()
	}
	if a.left == theReport {
		a.left = theEnd
		if a.lanes.config.OnExit != nil {
			a.report()
		}
	}
	return a.end()
}

// activationKey finds the activation of these lanes that a context belongs to.
type activationKey[K comparable] struct{ lanes *Lanes[K] }

func (a *activation[K]) Value(key any) any {
	if key == any(activationKey[K]{a.lanes}) {
		return a
	}
	return a.Context.Value(key)
}

// work runs the work and its finalizers. How they end is noted by Finalize.
func (a *activation[K]) work() {
	_ = a.ending.Register(a, &a.entry, a)
	_, _ = effect.Await(a, effect.WithCancel(a.workUntil))
}

func (a *activation[K]) workUntil(cancel context.CancelCauseFunc) effect.Effect[effect.Unit] {
	a.cancel = cancel // nobody looks at it before begin
	return effect.Suspend(a.begin).InScope(&a.resources).UseScope(&a.ending)
}

// begin is the work, unless the activation was stopped before.
func (a *activation[K]) begin() effect.Effect[effect.Unit] {
	limit := a.lanes.config.TurnTimeout
	if of := a.lanes.config.TurnTimeoutOf; of != nil {
		if own := of(a.lane.key); own.IsPresent() {
			limit = own
		}
	}
	a.lanes.mu.Lock()
	if d, ok := limit.Get(); ok && a.stop == 0 {
		if d > 0 {
			a.timeout = time.AfterFunc(d-time.Duration(a.lanes.now()-a.started), a.timedOut)
		} else {
			a.stopLocked(StopTimeout)
		}
	}
	if a.stop != 0 {
		a.lanes.mu.Unlock()
		return effect.Interrupt[effect.Unit]()
	}
	a.phase = Activating
	a.lanes.mu.Unlock()
	return a.lanes.config.Activate(a.lane.key)
}

// finalizerGone is what an activation's finalizers add when one of them ends its goroutine.
var finalizerGone = errors.DieCause("a finalizer called runtime.Goexit")

// Finalize runs when the work has ended. It notes how: a stop that comes from now on does not change that. Then it runs the
// finalizers of the work, and notes what they add.
func (a *activation[K]) Finalize(ctx context.Context, exit scope.Exit) error {
	a.lanes.mu.Lock()
	a.phase = CleaningUp
	a.body, a.cutShort = exit.Cause, a.stop
	a.lanes.mu.Unlock()
	a.finalizer = finalizerGone // unless they return
	added := a.resources.Close(ctx, exit)
	a.finalizer, _ = added.(*errors.Cause)
	return nil
}

// report tells OnExit how it went.
func (a *activation[K]) report() {
	l := a.lanes
	l.mu.Lock()
	a.exitingLocked()
	exit := a.exitLocked()
	l.mu.Unlock()

	failed := onExitGone // unless it returns
	defer func() {
		if failed != nil {
			l.warn("lanes: OnExit failed", "key", a.lane.key, "exit", exit.Tag(), "cause", failed)
		}
	}()
	// On a fiber of its own, though nobody cancels it: so the fibers that it forks end with it.
	_, err := effect.Await(a, effect.WithCancel(func(context.CancelCauseFunc) effect.Effect[effect.Unit] {
		return effect.Suspend(func() effect.Effect[effect.Unit] { return l.config.OnExit(exit) }).Uninterruptible()
	}))
	failed, _ = err.(*errors.Cause)
}

// exitingLocked is what is done once the work is over, whatever follows.
func (a *activation[K]) exitingLocked() {
	if a.timeout != nil {
		a.timeout.Stop()
	}
	if a.phase == Starting { // it was stopped before it began
		a.cutShort = a.stop
	}
	a.phase = Exiting
}

// onExitGone is the cause of an OnExit that ends its goroutine.
var onExitGone = errors.DieCause("OnExit called runtime.Goexit")

func (a *activation[K]) exitLocked() ActivationExit[K] {
	if a.exit == nil {
		a.exit = exitOf(a.lane.key, a.cutShort, a.body, a.finalizer, a.stop)
	}
	return a.exit
}

// end passes the slot on. The answer is the activation that takes it, unless another worker does.
func (a *activation[K]) end() (next *activation[K]) {
	l, ln := a.lanes, a.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.phase != Exiting {
		a.exitingLocked()
	}
	if a.stuck != nil {
		a.stuck.Stop()
	}
	a.phase = over
	ln.activation = nil
	successor := l.board.finish(ln)
	if len(l.subscribers) > 0 {
		l.emitLocked(Event[K]{Kind: EventEnded, Key: ln.key, Exit: a.exitLocked(), Wait: a.wait, Run: time.Duration(l.now() - a.started)})
		if ln.state == queued {
			l.emitLocked(Event[K]{Kind: EventQueued, Key: ln.key})
		}
	}
	if successor != nil {
		next = l.startLocked(successor, l.now())
	}
	if a.done != nil {
		close(a.done)
	}
	l.settleLocked()
	return next
}
