package lanes

import "fmt"

// The rules of the lanes as a pure state machine: which lane starts, which one waits, what a wake is worth. It knows no clock,
// no goroutine and no effect; its caller serialises the calls, carries out what they answer, and reports when an activation
// has ended.

// state is where a lane is. An idle lane has no entry on the board.
type state uint8

const (
	queued state = iota + 1
	running
)

// phase is what the board does with wakes.
type phase uint8

const (
	open     phase = iota
	draining       // wakes are refused, what is owed still runs
	closed         // wakes are refused, nothing starts
)

// verdict is the answer to a wake.
type verdict uint8

const (
	started   verdict = iota + 1 // the lane has a slot: run it
	joined                       // the lane waits at the end of the queue
	owes                         // the running lane owes an activation, which it did not before
	coalesced                    // the lane owed an activation already: nothing has changed
	full                         // refused: too many lanes wait
	shut                         // refused: draining or closed
)

// lane is the state of one key that is not idle.
type lane[K comparable] struct {
	key        K
	prev, next *lane[K]
	since      instant        // when the first wake arrived that is not served yet; the caller's business
	activation *activation[K] // what runs, or nil; the caller's business
	state      state
	owed       bool // a wake is not served yet: always while queued; while running it means one more activation
}

// board is the state of all lanes.
type board[K comparable] struct {
	maxConcurrent int
	maxQueued     int // negative: no bound
	phase         phase
	lanes         index[K]
	running       list[K] // in the order of their start
	queue         list[K] // the one that has waited longest first
}

func newBoard[K comparable](maxConcurrent, maxQueued int) board[K] {
	return board[K]{maxConcurrent: maxConcurrent, maxQueued: maxQueued}
}

// wake is a request that key's lane run once more, after now. The lane is nil when the wake is refused.
func (b *board[K]) wake(key K) (*lane[K], verdict) {
	if b.phase != open {
		return nil, shut
	}
	if l := b.lanes.get(key); l != nil {
		if l.owed {
			return l, coalesced
		}
		l.owed = true
		return l, owes
	}
	// A newcomer never overtakes a lane that waits.
	waits := b.running.n >= b.maxConcurrent || b.queue.n > 0
	if waits && b.maxQueued >= 0 && b.queue.n >= b.maxQueued {
		return nil, full
	}
	l := &lane[K]{key: key, state: queued, owed: true}
	b.lanes.put(l)
	b.queue.push(l)
	if waits {
		return l, joined
	}
	b.start(l)
	return l, started
}

// finish ends the activation of l, and starts the lane that has waited longest: the answer, or nil. A lane that owes an
// activation waits behind those that queued meanwhile, so it may be the next one only if no other waits.
func (b *board[K]) finish(l *lane[K]) (next *lane[K]) {
	if l.state != running {
		panic(fmt.Sprintf("lanes: finish of a lane that does not run: %v", l.key))
	}
	b.running.remove(l)
	if l.owed {
		l.state = queued
		b.queue.push(l)
	} else {
		b.forget(l)
	}
	if b.phase != closed && b.queue.n > 0 && b.running.n < b.maxConcurrent {
		next = b.queue.head
		b.start(next)
	}
	b.settle()
	return next
}

// start gives a slot to a lane that waits. It serves every wake that came before.
func (b *board[K]) start(l *lane[K]) {
	if l.state != queued {
		panic(fmt.Sprintf("lanes: start of a lane that is not queued: %v", l.key))
	}
	b.queue.remove(l)
	l.state, l.owed = running, false
	b.running.push(l)
}

// cancel drops what key owes. The answer is its lane if it runs, or nil; dropped tells whether a wake was owed.
func (b *board[K]) cancel(key K) (l *lane[K], dropped bool) {
	l = b.lanes.get(key)
	if l == nil {
		return nil, false
	}
	if l.state == queued {
		b.queue.remove(l)
		b.forget(l)
		b.settle()
		return nil, true
	}
	dropped, l.owed = l.owed, false
	return l, dropped
}

// drain refuses wakes from now on, and closes the board once nothing runs or waits.
func (b *board[K]) drain() {
	if b.phase == open {
		b.phase = draining
	}
	b.settle()
}

// close refuses wakes from now on, drops what is owed and starts nothing. drop, if not nil, is called with each lane whose
// wakes are dropped.
func (b *board[K]) close(drop func(*lane[K])) {
	b.phase = closed
	for l := range b.running.all {
		if l.owed && drop != nil {
			drop(l)
		}
		l.owed = false
	}
	for l := b.queue.head; l != nil; l = b.queue.head {
		if drop != nil {
			drop(l)
		}
		b.queue.remove(l)
		b.forget(l)
	}
}

// idle tells whether nothing runs or waits.
func (b *board[K]) idle() bool { return b.running.n == 0 && b.queue.n == 0 }

func (b *board[K]) settle() {
	if b.phase == draining && b.idle() {
		b.phase = closed
	}
}

func (b *board[K]) forget(l *lane[K]) {
	l.state = 0
	b.lanes.drop(l)
}
