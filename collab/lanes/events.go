package lanes

import (
	"slices"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// EventKind is what happened to a lane.
type EventKind uint8

// The kinds of events.
const (
	EventQueued    EventKind = iota + 1 // the lane waits for a slot
	EventStarted                        // its activation has a slot; Wait is how long the first wake it serves had waited
	EventCoalesced                      // a wake was added to what the lane owes already, or to its running activation
	EventRefused                        // a wake was refused with Err
	EventDropped                        // what the lane owed was dropped, by Reason
	EventStopped                        // its running activation was told to stop, by Reason
	EventStuck                          // it goes on although it was told to stop, Run ago, by Reason; it is in Phase
	EventEnded                          // its activation and OnExit are over, as Exit says, and Run after its start
)

var kinds = [...]string{"", "queued", "started", "coalesced", "refused", "dropped", "stopped", "stuck", "ended"}

// String is the word after "Event", in lower case.
func (k EventKind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return ""
}

// Event is one thing that happened to a lane.
type Event[K comparable] struct {
	// Kind is what happened. It says which of the other fields are set; they are zero elsewhere.
	Kind EventKind
	// Key is the key of the lane.
	Key K
	// At is when it happened.
	At time.Time
	// Wait is how long the first wake that the activation serves had waited when it started.
	Wait time.Duration
	// Run is how long the activation took; of one that is stuck, how long ago it was told to stop.
	Run time.Duration
	// Exit is how the activation ended.
	Exit ActivationExit[K]
	// Reason is why it was stopped, or why a wake was dropped.
	Reason StopReason
	// Phase is where an activation is that is stuck.
	Phase Phase
	// Err is why a wake was refused.
	Err error

	// Running and Queued are how many lanes run and wait, after the event.
	Running, Queued int

	// Missed is how many events were lost before this one because the subscriber was behind.
	Missed uint64
}

// Subscribe is a stream of what happens to the lanes from now on, in the order in which it happens, for as long as the scope
// around it is open. The channel is closed when that scope closes, or when the lanes have closed and their last activation has
// ended.
//
// The lanes never wait for a subscriber: up to buffer events (at least one) wait for it, and further ones are lost, which the
// next one it gets says in Missed.
//
// It dies when there is no scope around it.
func (l *Lanes[K]) Subscribe(buffer int) effect.Effect[<-chan Event[K]] {
	return effect.AcquireRelease(
		effect.Sync(func() *subscriber[K] { return l.subscribe(buffer) }),
		func(s *subscriber[K], _ scope.Exit) effect.Effect[effect.Unit] {
			return effect.Call(func() { l.unsubscribe(s) })
		},
	).Map(func(s *subscriber[K]) <-chan Event[K] { return s.events })
}

type subscriber[K comparable] struct {
	events chan Event[K]
	missed uint64
}

func (l *Lanes[K]) subscribe(buffer int) *subscriber[K] {
	s := &subscriber[K]{events: make(chan Event[K], max(buffer, 1))}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isOverLocked() {
		close(s.events)
		return s
	}
	l.subscribers = append(l.subscribers, s)
	return s
}

func (l *Lanes[K]) unsubscribe(s *subscriber[K]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.subscribers, s)
	if i < 0 {
		return // the lanes ended first
	}
	l.subscribers = slices.Delete(l.subscribers, i, i+1)
	close(s.events)
}

func (l *Lanes[K]) unsubscribeAllLocked() {
	for _, s := range l.subscribers {
		close(s.events)
	}
	l.subscribers = nil
}

// emitLocked hands e to the subscribers without waiting for them. Whoever calls it checks first that there are any, where
// making the event has a cost.
func (l *Lanes[K]) emitLocked(e Event[K]) {
	if len(l.subscribers) == 0 {
		return
	}
	e.At = time.Now()
	e.Running, e.Queued = l.board.running.n, l.board.queue.n
	for _, s := range l.subscribers {
		e.Missed = s.missed
		select {
		case s.events <- e:
			s.missed = 0
		default:
			s.missed++
		}
	}
}
