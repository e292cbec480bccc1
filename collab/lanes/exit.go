package lanes

import (
	"fmt"

	"github.com/rivus/agentkit/errors"
)

// ActivationExit is how an activation ended: an [ActivationSucceeded], an [ActivationFailed] or an [ActivationInterrupted].
type ActivationExit[K comparable] interface {
	// Tag is the name of the type, as on other platforms.
	Tag() string
	// LaneKey is the key of the lane.
	LaneKey() K
	// Err is nil for a success. For the others it is the exit itself, an error that names the key.
	Err() error

	exit()
}

// ActivationSucceeded is the exit of an activation that ended by itself, without a cause.
type ActivationSucceeded[K comparable] struct {
	Key K // of the lane
}

// ActivationFailed is the exit of an activation that ended with a failure or a defect, its own or its finalizers'. One that
// interrupted itself has failed too: nobody else stopped it.
type ActivationFailed[K comparable] struct {
	Key   K             // of the lane
	Cause *errors.Cause // what the work and its finalizers ended with
}

// ActivationInterrupted is the exit of an activation that the lanes cut short, or stopped before it began.
type ActivationInterrupted[K comparable] struct {
	Key    K          // of the lane
	Reason StopReason // the first one
}

// StopReason is why the lanes stopped an activation. When several apply, the first one counts.
type StopReason uint8

// The zero StopReason is none.
const (
	StopCancel  StopReason = iota + 1 // Cancel named its key
	StopClose                         // the lanes closed, and their ShutdownGrace was over
	StopTimeout                       // it reached its turn timeout
)

// String is "cancel", "close" or "timeout"; "none" for the zero value.
func (r StopReason) String() string {
	switch r {
	case StopCancel:
		return "cancel"
	case StopClose:
		return "close"
	case StopTimeout:
		return "timeout"
	}
	return "none"
}

// remedy is what can be done about it.
func (r StopReason) remedy() string {
	switch r {
	case StopCancel:
		return "; wake the lane again if it is to run"
	case StopClose:
		return "; what it left undone is for a later run"
	case StopTimeout:
		return "; give it more time (TurnTimeout), or wake the lane again to go on"
	}
	return ""
}

// Tag is "ActivationSucceeded".
func (ActivationSucceeded[K]) Tag() string { return "ActivationSucceeded" }

// Tag is "ActivationFailed".
func (ActivationFailed[K]) Tag() string { return "ActivationFailed" }

// Tag is "ActivationInterrupted".
func (ActivationInterrupted[K]) Tag() string { return "ActivationInterrupted" }

// LaneKey is the key of the lane.
func (x ActivationSucceeded[K]) LaneKey() K { return x.Key }

// LaneKey is the key of the lane.
func (x ActivationFailed[K]) LaneKey() K { return x.Key }

// LaneKey is the key of the lane.
func (x ActivationInterrupted[K]) LaneKey() K { return x.Key }

// Err is nil.
func (ActivationSucceeded[K]) Err() error { return nil }

// Err is x.
func (x ActivationFailed[K]) Err() error { return x }

// Err is x.
func (x ActivationInterrupted[K]) Err() error { return x }

// Error names the key and the cause.
func (x ActivationFailed[K]) Error() string {
	return fmt.Sprintf("activation of lane %s: %v", quote(x.Key), x.Cause)
}

// Unwrap is the cause.
func (x ActivationFailed[K]) Unwrap() error { return x.Cause.AsError() }

// Error names the key and the reason.
func (x ActivationInterrupted[K]) Error() string {
	return fmt.Sprintf("activation of lane %s: interrupted: %s%s", quote(x.Key), x.Reason, x.Reason.remedy())
}

func (ActivationSucceeded[K]) exit()   {}
func (ActivationFailed[K]) exit()      {}
func (ActivationInterrupted[K]) exit() {}
