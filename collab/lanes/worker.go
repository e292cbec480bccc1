package lanes

import "runtime/debug"

// An activation is a fiber, and a fiber needs a goroutine to be on, but not one of its own: workers are goroutines that run
// activations one after the other. That spares each activation the start of a goroutine and, what costs more, the growth of its
// stack. There is a worker for every slot that is taken, and a few more that wait for work.

// spareWorkers is how many workers may wait for work. They end with the lanes.
const spareWorkers = 4

// worker waits for the activation that it runs next; the channel takes one, and is closed when there will be none.
type worker[K comparable] chan *activation[K]

// handOverLocked gives an activation to a worker that waits. When none does the answer is the activation, which the caller
// hands to [Lanes.work] on a new goroutine.
func (l *Lanes[K]) handOverLocked(a *activation[K]) (left *activation[K]) {
	n := len(l.spare) - 1
	if n < 0 {
		return a
	}
	l.spare[n] <- a // has room: the worker waits
	l.spare = l.spare[:n]
	return nil
}

// work is a worker's goroutine: it runs a, then what takes its slot, then what it is given.
func (l *Lanes[K]) work(a *activation[K]) {
	defer func() {
		if r := recover(); r != nil { // effects recover from panics of the program's: this one is of the lanes
			l.warn("lanes: a bug in the lanes; a lane and its slot are lost", "defect", r, "stack", string(debug.Stack()))
		} else if a != nil { // runtime.Goexit: what remains of the activation goes on elsewhere
			go l.work(a)
		}
	}()
	var w worker[K]
	for {
		for a != nil {
			a = a.run()
		}
		if w == nil {
			w = make(worker[K], 1)
		}
		if !l.isSpare(w) {
			return
		}
		if a = <-w; a == nil {
			return
		}
	}
}

// isSpare makes w wait for work, unless enough do.
func (l *Lanes[K]) isSpare(w worker[K]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isOverLocked() || len(l.spare) >= spareWorkers {
		return false
	}
	l.spare = append(l.spare, w)
	return true
}

func (l *Lanes[K]) dismissSparesLocked() {
	for _, w := range l.spare {
		close(w)
	}
	l.spare = nil
}
