package processlock

import (
	"context"
	"sync"
)

// The turns of this process at its locks. They are process-wide because the locks are: to the kernel, and to SQLite, all
// goroutines of a process are one. An acquisition has its turn from before its first attempt until it gave up or
// released, so that it never competes with its own process.
var turns = turnTable{queues: map[turnKey]*turnQueue{}}

// turnKey names a lock inside this process.
type turnKey struct {
	// owner is the SQLite or file system object through which the lock is taken.
	owner any
	path  string
}

type turnTable struct {
	mu     sync.Mutex // never held across a wait
	queues map[turnKey]*turnQueue
	// asking is held, shared, by every question to the kernel from when it saw that the turn was free until it closed the
	// file: where locks belong to the process, that close would drop a lock taken in between. It is held for the length
	// of some system calls.
	asking sync.RWMutex
}

// A turnQueue exists while somebody has the turn.
type turnQueue struct {
	waiting []chan struct{} // in order; closing one hands the turn over
}

// tryTake takes the turn if nobody has it.
func (t *turnTable) tryTake(key turnKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.queues[key] != nil {
		return false
	}
	t.queues[key] = &turnQueue{}
	return true
}

// take waits for the turn. When ctx ends first it leaves the queue, the others' order unchanged.
func (t *turnTable) take(ctx context.Context, key turnKey) error {
	t.mu.Lock()
	queue := t.queues[key]
	if queue == nil {
		t.queues[key] = &turnQueue{}
		t.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	queue.waiting = append(queue.waiting, turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	for i, w := range queue.waiting {
		if w == turn {
			queue.waiting = append(queue.waiting[:i], queue.waiting[i+1:]...)
			t.mu.Unlock()
			return interruption(ctx)
		}
	}
	t.mu.Unlock()
	// The turn came at the same moment; pass it on.
	t.pass(key)
	return interruption(ctx)
}

// pass ends the turn and hands it to the one who has waited longest.
func (t *turnTable) pass(key turnKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := t.queues[key]
	if len(queue.waiting) == 0 {
		delete(t.queues, key)
		return
	}
	next := queue.waiting[0]
	queue.waiting[0] = nil
	queue.waiting = queue.waiting[1:]
	close(next)
}

// taken reports whether an acquisition of this process has the turn.
func (t *turnTable) taken(key turnKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.queues[key] != nil
}

// ask runs question unless an acquisition of this process has the turn, which is an answer by itself. The key is asked
// for only if there is any turn at all.
func (t *turnTable) ask(key func() (turnKey, error), question func() (bool, error)) (bool, error) {
	t.asking.RLock()
	defer t.asking.RUnlock()
	if !t.idle() {
		k, err := key()
		if err != nil {
			return false, err
		}
		if t.taken(k) {
			return true, nil
		}
	}
	return question()
}

// outlast waits for the questions that began before this process's turn at their lock.
func (t *turnTable) outlast() {
	t.asking.Lock()
	defer t.asking.Unlock()
}

// idle reports whether no acquisition of this process has any turn.
func (t *turnTable) idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues) == 0
}
