package platform

import "golang.org/x/sys/unix"

// On macOS the question is asked for the process, to which its own locks are invisible.
const (
	queryLock     = unix.F_GETLK
	queryShowsOwn = false
)
