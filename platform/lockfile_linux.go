package platform

import "golang.org/x/sys/unix"

// On Linux the question is asked for the open file description, so that it shows the locks of every other one, this
// process's connections and its POSIX locks among them.
const (
	queryLock     = unix.F_OFD_GETLK
	queryShowsOwn = true
)
