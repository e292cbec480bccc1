package lanes

import (
	"fmt"
	"time"
)

// QueueFull refuses a wake because as many lanes wait as [Config.MaxQueued] allows. Nothing has changed.
type QueueFull struct {
	Key       any // of the lanes' key type
	MaxQueued int // as configured
}

// Tag is "LaneQueueFull".
func (*QueueFull) Tag() string { return "LaneQueueFull" }

// Error names the key and the bound.
func (e *QueueFull) Error() string {
	return fmt.Sprintf("wake lane %s: the queue is full (MaxQueued is %d): wake it again when an activation has ended, or raise MaxQueued",
		quote(e.Key), e.MaxQueued)
}

// Closed refuses a wake because the lanes close, or drain, or are closed. They do not open again: make new ones.
type Closed struct {
	Key      any       // of the lanes' key type
	Since    time.Time // when Close or Drain was first called
	Draining bool      // what was owed at Since still runs
}

// Tag is "LanesClosed".
func (*Closed) Tag() string { return "LanesClosed" }

// Error names the key, and says since when.
func (e *Closed) Error() string {
	what := "closed"
	if e.Draining {
		what = "draining"
	}
	return fmt.Sprintf("wake lane %s: the lanes are %s since %s and take no more work: wake lanes of a new New",
		quote(e.Key), what, e.Since.Format(time.RFC3339Nano))
}

// ConfigInvalid refuses a configuration.
type ConfigInvalid struct {
	Field   string // of Config
	Message string // what the field must be, and what it is
}

// Tag is "LanesConfigInvalid".
func (*ConfigInvalid) Tag() string { return "LanesConfigInvalid" }

// Error names the field.
func (e *ConfigInvalid) Error() string {
	return fmt.Sprintf("make lanes: Config.%s %s", e.Field, e.Message)
}

// KeyInvalid refuses a key that is not equal to itself, such as a NaN: two wakes of it would be two lanes. Where the keys are of
// an interface type, it refuses values that cannot be compared too.
type KeyInvalid struct {
	Key any // of the lanes' key type
}

// Tag is "LaneKeyInvalid".
func (*KeyInvalid) Tag() string { return "LaneKeyInvalid" }

// Error names the key.
func (e *KeyInvalid) Error() string {
	return fmt.Sprintf("lane %s: the key is not equal to itself (a NaN, or a value that cannot be compared?), so it names no lane: use another key", quote(e.Key))
}

// NeverEnds refuses a wait that could never end: what would be waited for waits for the caller. Nothing has changed.
type NeverEnds struct {
	Operation string // "Cancel", "Close" or "Drain"
	Key       any    // the lane in whose activation the call was made
	Phase     Phase  // where in the activation
}

// Tag is "LanesNeverEnds".
func (*NeverEnds) Tag() string { return "LanesNeverEnds" }

// Error names the call and the place.
func (e *NeverEnds) Error() string {
	next := "make the call on a fiber that the lane does not wait for, such as one of the scope that made the lanes"
	if e.Operation != "Drain" && e.Phase == Activating {
		next = "make the call where the activation can be interrupted"
	}
	return fmt.Sprintf("%s in the %s of lane %s would wait for its own end: %s", e.Operation, e.Phase, quote(e.Key), next)
}

// DrainCut ends a Drain that a Close overtook: not all that was owed has run.
type DrainCut struct {
	Dropped     int // lanes whose wakes were dropped
	Interrupted int // lanes that ran when the Close came, and may have been interrupted
}

// Tag is "LanesDrainCut".
func (*DrainCut) Tag() string { return "LanesDrainCut" }

// Error says what was lost.
func (e *DrainCut) Error() string {
	return fmt.Sprintf("drain lanes: Close came first: it dropped the wakes of %d lanes and met %d running: give Drain more time before Close",
		e.Dropped, e.Interrupted)
}

func quote(key any) string {
	if s, ok := key.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%v", key)
}
