package leased

import (
	"fmt"

	"github.com/rivus/agentkit/platform"
)

// HeldElsewhere is how an activation ends whose lease another holder has. It did not run; OnExit does not hear of it, and the
// wake it was for is not lost.
type HeldElsewhere struct {
	Key    string                   // of the lane
	Holder platform.ProcessIdentity // who has the lease
}

// Tag is "LaneHeldElsewhere".
func (*HeldElsewhere) Tag() string { return "LaneHeldElsewhere" }

// Error names the holder.
func (e *HeldElsewhere) Error() string {
	return fmt.Sprintf("lane %q is left to %v, which holds its lease; its wake stays noted until an activation has served it", e.Key, e.Holder)
}

// Served is how an activation ends that found all wakes of its key served, by another process. It did not run, and OnExit does not
// hear of it.
type Served struct {
	Key string // of the lane
}

// Tag is "LaneServed".
func (*Served) Tag() string { return "LaneServed" }

// Error names the key.
func (e *Served) Error() string {
	return fmt.Sprintf("lane %q has nothing to do: another process has served its wakes", e.Key)
}

// StoreFailure tells that the notes of wakes could not be read or written.
type StoreFailure struct {
	Operation string // "open", "note", "find", "settle" or "list"
	Key       string // empty where it is about all
	Path      string // of the store, if it has one
	Cause     error  // what the store, or the platform, said
}

// Tag is "LaneStoreFailure".
func (*StoreFailure) Tag() string { return "LaneStoreFailure" }

// Error says what could not be done.
func (e *StoreFailure) Error() string {
	what := e.Operation
	if e.Key != "" {
		what += fmt.Sprintf(" the wake of lane %q", e.Key)
	} else {
		what += " the wakes"
	}
	if e.Path != "" {
		what += " in " + e.Path
	}
	return fmt.Sprintf("%s: %v", what, e.Cause)
}

// Unwrap is the cause.
func (e *StoreFailure) Unwrap() error { return e.Cause }
