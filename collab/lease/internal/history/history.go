package history

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is what happened.
type Kind string

// Kinds of events.
const (
	// Try: the process is about to acquire the key.
	Try Kind = "try"
	// Acquired: it did, with the token.
	Acquired Kind = "acquired"
	// Begin, Step and End are written by the fenced work of a token.
	Begin Kind = "begin"
	Step  Kind = "step"
	End   Kind = "end"
	// Lost and Released end a holding.
	Lost     Kind = "lost"
	Released Kind = "released"
)

// An Event is one line of the log.
type Event struct {
	// PID is the process that wrote the line.
	PID int
	// Kind is what happened.
	Kind Kind
	// Key is the lease's.
	Key string
	// Token is the generation; 0 for Try.
	Token int64
}

// String is the event's line.
func (e Event) String() string { return fmt.Sprintf("%d %s %s %d", e.PID, e.Kind, e.Key, e.Token) }

// Parse reads a log. Its last line may be cut off.
func Parse(log string) (events []Event, err error) {
	lines := strings.Split(log, "\n")
	for i, line := range lines[:len(lines)-1] {
		var e Event
		fields := strings.Fields(line)
		if len(fields) == 4 {
			e.Kind, e.Key = Kind(fields[1]), fields[2]
			e.PID, err = strconv.Atoi(fields[0])
			if err == nil {
				e.Token, err = strconv.ParseInt(fields[3], 10, 64)
			}
		} else {
			err = fmt.Errorf("%d fields", len(fields))
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the log is %q: %w", i+1, line, err)
		}
		events = append(events, e)
	}
	return events, nil
}

// A Write is one accepted write to the resource that checks tokens, in the order in which they were accepted.
type Write struct {
	// PID is the process that wrote.
	PID int
	// Key is the lease's.
	Key string
	// Token is the generation it bore.
	Token int64
}
