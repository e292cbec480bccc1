package lanes

import "time"

// Status is what the lanes do at one moment.
type Status[K comparable] struct {
	Running  int  // lanes whose activation runs, cleans up or is reported
	Queued   int  // lanes that wait for a slot
	Closed   bool // Close was called, or a Drain is over
	Draining bool // Drain was called, and what was owed still runs

	// Lanes are all that are not idle: the running ones in the order of their start, then the queued ones in the order in
	// which they will start.
	Lanes []LaneStatus[K]
}

// LaneStatus is what one lane does.
type LaneStatus[K comparable] struct {
	Key   K     // of the lane
	State State // queued or running

	// Pending tells that a wake is not served yet. It is always so while the lane is queued; while it runs it means that one
	// more activation follows.
	Pending bool

	// Since is when the activation started, or, of a queued lane, when the first wake came that it owes.
	Since time.Time

	// Phase is where a running activation is.
	Phase Phase

	// Stopped is why a running activation was told to stop; zero if it was not.
	Stopped StopReason
}

// State is where a lane is that is not idle.
type State uint8

// The states.
const (
	Queued  State = State(queued)  // it waits for a slot
	Running State = State(running) // its activation runs, or cleans up, or OnExit hears of it
)

// String is "queued" or "running".
func (s State) String() string {
	switch s {
	case Queued:
		return "queued"
	case Running:
		return "running"
	}
	return "idle"
}

// Phase is where a running activation is.
type Phase uint8

// The phases, in order.
const (
	Starting   Phase = iota // it has a slot, and Activate was not called yet
	Activating              // the effect of Activate runs
	CleaningUp              // its scope closes, and then the fibers it left behind end
	Exiting                 // OnExit hears of it
	over                    // its slot has passed on
)

// String is a noun: "start", "activation", "clean-up" or "OnExit".
func (p Phase) String() string {
	switch p {
	case Starting:
		return "start"
	case Activating:
		return "activation"
	case CleaningUp:
		return "clean-up"
	case Exiting:
		return "OnExit"
	}
	return "end"
}

// Status is what the lanes do now. It takes time in proportion to the lanes that are not idle, and holds up wakes for so long.
func (l *Lanes[K]) Status() Status[K] {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status[K]{
		Running:  l.board.running.n,
		Queued:   l.board.queue.n,
		Closed:   l.board.phase == closed,
		Draining: l.board.phase == draining,
		Lanes:    make([]LaneStatus[K], 0, l.board.lanes.len()),
	}
	for ln := range l.board.running.all {
		a := ln.activation
		s.Lanes = append(s.Lanes, LaneStatus[K]{
			Key: ln.key, State: Running, Pending: ln.owed, Since: l.time(a.started), Phase: a.phase, Stopped: a.stop,
		})
	}
	for ln := range l.board.queue.all {
		s.Lanes = append(s.Lanes, LaneStatus[K]{Key: ln.key, State: Queued, Pending: ln.owed, Since: l.time(ln.since)})
	}
	return s
}
