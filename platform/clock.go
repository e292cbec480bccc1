package platform

import "time"

// Clock reads the time. It does not sleep: code that waits uses package time.
type Clock interface {
	// Now returns the wall-clock time. It may jump; it is for people and for records, never for measuring.
	Now() time.Time
	// Monotonic returns the time since an arbitrary origin of this process. It never goes back and, on Linux and macOS,
	// stands still while the machine is suspended. Only differences mean anything.
	Monotonic() time.Duration
	// Boot is Monotonic plus the time the machine has spent suspended. Where Boot has moved further than Monotonic
	// between two readings, the machine slept in between.
	Boot() time.Duration
}
