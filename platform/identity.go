package platform

import (
	"errors"
	"fmt"
)

// A ProcessIdentity tells one process from every other that ever ran, also from a later one with the same pid.
//
// The first four members are the ones every implementation of the on-disk formats writes. The namespaces say in which
// context PID and StartTime mean anything: both numbers of one process read differently from inside another pid or time
// namespace. They are zero where they are not known.
type ProcessIdentity struct {
	// Host is the operating system's host name (on Linux the kernel's node name).
	Host string
	// BootID names the boot of the machine.
	BootID string
	// PID is the process id inside its pid namespace.
	PID int
	// StartTime is when the process started. The unit differs between systems (Linux: clock ticks since boot, macOS:
	// milliseconds since the epoch, in whole seconds); it is only ever compared for equality.
	StartTime int64
	// PIDNamespace is the inode number of the pid namespace in which PID is counted; 0 when unknown.
	PIDNamespace uint64
	// TimeNamespace is the inode number of the time namespace in which StartTime is measured; 0 when unknown.
	TimeNamespace uint64
}

// Same reports whether p and o are one process: the same host, boot, pid and start time. Namespaces are context, not
// identity, and take no part.
func (p ProcessIdentity) Same(o ProcessIdentity) bool {
	return p.Host == o.Host && p.BootID == o.BootID && p.PID == o.PID && p.StartTime == o.StartTime
}

// String names the process for a person: "pid 42 on host".
func (p ProcessIdentity) String() string { return fmt.Sprintf("pid %d on %s", p.PID, p.Host) }

// Processes identifies processes.
type Processes interface {
	// Host returns the host name. It is cheap: it reads nothing about any process. It fails with [*IdentityUnavailable].
	Host() (string, error)
	// PID returns this process's id. It is cheap.
	PID() int
	// Self returns the identity of this process. It is read at most once per operating-system process; a failure
	// ([*IdentityUnavailable]) is not remembered.
	Self() (ProcessIdentity, error)
	// Identify returns the identity of the process with the given id, read afresh on each call. When there is no such
	// process (a zombie counts as none, and so does a pid below 1) alive is false and err nil: that is proof of death.
	// Anything that is not proof, such as access denied or too many open files, is an [*IdentityUnavailable].
	Identify(pid int) (id ProcessIdentity, alive bool, err error)
}

// IdentityUnavailable is the failure to learn the identity of a process: the process may be alive or dead.
type IdentityUnavailable struct {
	// PID is the process asked about.
	PID int
	// Err is why; errors.ErrUnsupported on a system that cannot identify processes.
	Err error
}

// Tag returns "ProcessIdentityUnavailable".
func (e *IdentityUnavailable) Tag() string { return "ProcessIdentityUnavailable" }

// Error names the process and the reason, and says what can be done.
func (e *IdentityUnavailable) Error() string {
	next := "let this process read the process table"
	if errors.Is(e.Err, errors.ErrUnsupported) {
		next = "use what needs no identity on this system, such as process locks with SQLite"
	}
	return fmt.Sprintf("identify process %d: %v; whether it is alive is not known: %s", e.PID, e.Err, next)
}

// Unwrap returns the reason.
func (e *IdentityUnavailable) Unwrap() error { return e.Err }
