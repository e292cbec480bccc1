package lanes

import (
	"context"
	"time"

	"github.com/rivus/agentkit/effect"
)

// WakeResult is what a wake that was accepted has led to.
type WakeResult uint8

// The zero WakeResult is that of a refused wake.
const (
	WakeStarted   WakeResult = iota + 1 // an activation starts
	WakeQueued                          // the lane waits for a slot
	WakeCoalesced                       // it was added to what the lane owes already, or to its running activation
)

// String is "started", "queued", "coalesced"; "refused" for the zero value.
func (r WakeResult) String() string {
	switch r {
	case WakeStarted:
		return "started"
	case WakeQueued:
		return "queued"
	case WakeCoalesced:
		return "coalesced"
	}
	return "refused"
}

// Wake asks for an activation of key that starts after now. It never waits for one, and cannot be interrupted half-way.
//
//   - An idle lane starts while a slot is free and no lane waits; else it waits at the end of the queue.
//   - A lane that waits already is left as it is.
//   - A lane that runs will run once more, however often it is woken meanwhile.
//
// It fails with [*QueueFull] when the lane would have to wait and MaxQueued lanes wait already, with [*Closed] after a Close or
// Drain, and with [*KeyInvalid].
func (l *Lanes[K]) Wake(key K) effect.Effect[WakeResult] {
	return effect.Try(func(context.Context) (WakeResult, error) { return l.WakeNow(key) })
}

// WakeNow is [Lanes.Wake] for plain Go: callbacks, signal handlers, goroutines that no effect started. It does not block, and
// a coalesced wake allocates nothing. It may be called from anywhere, from inside activations and OnExit too.
//
// It fails as Wake does, with a bare *QueueFull, *Closed or *KeyInvalid.
func (l *Lanes[K]) WakeNow(key K) (WakeResult, error) {
	if !names(key) {
		return 0, &KeyInvalid{key}
	}
	l.mu.Lock()
	ln, v := l.board.wake(key)
	if v == coalesced && len(l.subscribers) == 0 {
		l.mu.Unlock()
		return WakeCoalesced, nil
	}
	return l.wokenAndUnlock(key, ln, v)
}

// wokenAndUnlock carries out what the rules have answered to a wake.
func (l *Lanes[K]) wokenAndUnlock(key K, ln *lane[K], v verdict) (result WakeResult, err error) {
	var start *activation[K]
	switch v {
	case started:
		ln.since = l.now()
		start = l.handOverLocked(l.startLocked(ln, ln.since))
		result = WakeStarted
	case joined:
		ln.since = l.now()
		l.emitLocked(Event[K]{Kind: EventQueued, Key: key})
		result = WakeQueued
	case owes:
		ln.since = l.now()
		l.emitLocked(Event[K]{Kind: EventCoalesced, Key: key})
		result = WakeCoalesced
	case coalesced:
		l.emitLocked(Event[K]{Kind: EventCoalesced, Key: key})
		result = WakeCoalesced
	case full:
		err = &QueueFull{key, l.board.maxQueued}
		l.emitLocked(Event[K]{Kind: EventRefused, Key: key, Err: err})
	case shut:
		err = &Closed{key, l.since, l.board.phase == draining}
		l.emitLocked(Event[K]{Kind: EventRefused, Key: key, Err: err})
	}
	l.mu.Unlock()
	if start != nil {
		go l.work(start)
	}
	return result, err
}

// startLocked makes the activation of a lane that the rules have given a slot. The caller sees to it that a worker runs it.
func (l *Lanes[K]) startLocked(ln *lane[K], now instant) *activation[K] {
	a := &activation[K]{Context: l.ctx, lanes: l, lane: ln, started: now, wait: time.Duration(now - ln.since)}
	ln.activation = a
	if len(l.subscribers) > 0 {
		l.emitLocked(Event[K]{Kind: EventStarted, Key: ln.key, Wait: a.wait})
	}
	return a
}

// names tells whether a key names one lane: whether it is equal to itself, and can be compared at all, which a value in an
// interface may not be. It is asked before the lock is taken, under which a panic would leave everybody waiting.
func names[K comparable](key K) (ok bool) {
	defer func() { _ = recover() }() // of the comparison, and then ok is false
	return equal(key, key)
}

// equal keeps a comparison of a value with itself, which finds NaNs, from looking like a slip.
func equal[K comparable](a, b K) bool { return a == b }
