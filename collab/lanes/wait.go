package lanes

import (
	"context"
	"slices"
)

// Which waits could never end. An activation ends only when its work, its finalizers and OnExit have; when one of them waits
// for that very end, and cannot be interrupted while it waits, nobody gets any further.

// callerLocked is the activation from inside which a call with ctx was made, if it is not over: its work, a fiber of it, its
// finalizers, its OnExit. Nil if there is none.
func (l *Lanes[K]) callerLocked(ctx context.Context) *activation[K] {
	a, _ := ctx.Value(activationKey[K]{l}).(*activation[K])
	if a == nil || a.phase == over {
		return nil
	}
	return a
}

// activationLocked is what runs on key's lane, or nil.
func (l *Lanes[K]) activationLocked(key K) *activation[K] {
	ln := l.board.lanes.get(key)
	if ln == nil {
		return nil
	}
	return ln.activation
}

// cannotStopWaitingLocked tells whether a stop of a would leave a wait of a with ctx as it is: because the wait is in a region
// that cannot be interrupted, or because the work is over already.
func (a *activation[K]) cannotStopWaitingLocked(ctx context.Context) bool {
	return a.phase > Activating || ctx.Done() == nil
}

// waitsForLocked tells whether the end of a waits for the end of b.
func (a *activation[K]) waitsForLocked(b *activation[K]) bool {
	return a == b || slices.ContainsFunc(a.waits, func(w *activation[K]) bool { return w.waitsForLocked(b) })
}

func (a *activation[K]) stopWaiting(target *activation[K]) {
	a.lanes.mu.Lock()
	defer a.lanes.mu.Unlock()
	i := slices.Index(a.waits, target)
	a.waits = slices.Delete(a.waits, i, i+1)
}

// doneLocked is closed when the activation is over.
func (a *activation[K]) doneLocked() <-chan struct{} {
	if a.done == nil {
		a.done = make(chan struct{})
	}
	return a.done
}

// await blocks until done is closed, or ctx is done: then it returns why.
func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
