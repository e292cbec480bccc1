// Package history records what processes do with leases, and checks that it could have happened if the leases keep their
// promises. Only tests use it.
//
// The log is one file to which every process appends a line at a time, so its order is an order in which things happened: what
// ended before something else began stands before it.
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
	PID   int
	Kind  Kind
	Key   string
	Token int64 // 0 for Try
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
	PID   int
	Key   string
	Token int64
}
