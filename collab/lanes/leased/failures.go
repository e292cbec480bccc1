package leased

import (
	"fmt"

	"github.com/rivus/agentkit/errors"
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

// Error says what could not be done, and what that means for the wakes.
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
	return fmt.Sprintf("%s: %v%s", what, e.Cause, e.remedy())
}

// remedy is what can be done about it, unless the cause ends with that.
func (e *StoreFailure) remedy() string {
	switch e.Operation {
	case "open":
		if _, tagged := errors.TagOf(e.Cause); tagged {
			return ""
		}
		return "; name a database of its own in an existing local folder"
	case "note":
		return "; wake the lane again once the store works: it is not known whether this wake was noted"
	}
	return "; the wakes that are noted are kept, and looked for again when the store works"
}

// Unwrap is the cause.
func (e *StoreFailure) Unwrap() error { return e.Cause }
