package platformtest

import (
	"slices"
	"sync"
)

// A Fault makes operations of [Files] or [SQLite] fail, wait or be noticed.
type Fault struct {
	// Op is the name of the port's method ("WriteAtomic", "Exec", ...). Empty: every one.
	Op string
	// Match chooses among the calls by their path or, for statements, their SQL text. Nil: every one.
	Match func(target string) bool
	// Skip lets that many matching calls pass before the fault takes effect.
	Skip int
	// Times ends the fault after it took effect so often. 0: never.
	Times int
	// Before, if set, runs before the operation, on the caller's goroutine; it may block.
	Before func(target string)
	// Err is what the operation fails with. Nil: it does not fail.
	Err error
	// Applied lets the operation happen before it fails, as when only the answer gets lost.
	Applied bool
}

// faults is a set of faults, shared by the views of a port.
type faults struct {
	mu   sync.Mutex
	list []*Fault
}

// inject adds a copy of f and returns what removes it.
func (s *faults) inject(f Fault) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &f
	s.list = append(s.list, p)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.list = slices.DeleteFunc(s.list, func(q *Fault) bool { return q == p })
	}
}

// due returns the faults that this call meets, counting them down.
func (s *faults) due(op, target string) (met []Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(f *Fault) bool {
		switch {
		case f.Op != "" && f.Op != op, f.Match != nil && !f.Match(target):
			return false
		case f.Skip > 0:
			f.Skip--
			return false
		}
		met = append(met, *f)
		if f.Times > 0 {
			f.Times--
			return f.Times == 0
		}
		return false
	})
	return met
}

// run does the operation under the faults it meets. The first that fails decides.
func run[A any](s *faults, op, target string, do func() (A, error)) (A, error) {
	met := s.due(op, target)
	for _, f := range met {
		if f.Before != nil {
			f.Before(target)
		}
	}
	for _, f := range met {
		if f.Err == nil {
			continue
		}
		var none A
		if f.Applied {
			if a, err := do(); err != nil {
				return a, err
			}
		}
		return none, f.Err
	}
	return do()
}
