package main

import "time"

// story is what happened, as far as it matters.
type story struct {
	killed takenOver // by SIGKILL, while it computed
	frozen takenOver // by SIGSTOP, between computing and writing
	dead   bool      // the kernel confirmed the SIGKILL

	refusals []refusal // of the frozen worker's write
	rows     map[string][]row
	took     time.Duration
}

// takenOver is a worker that lost its lease of a file to another.
type takenOver struct {
	worker, pid int
	file        string
	token       int64
	at          time.Time // when it was killed, or frozen
	renewed     time.Time // when it had renewed its lease last
	by          int       // who took the lease over; 0 for nobody yet
	byToken     int64
	taken       time.Time
	reason      string
	rewritten   bool // the successor has written its result
}

func (t takenOver) done() bool { return t.by != 0 }

// refusal is a write that came too late.
type refusal struct {
	by  string // lease or table
	why string
}

func (s *story) refusedBy(by string) bool {
	for _, r := range s.refusals {
		if r.by == by {
			return true
		}
	}
	return false
}
