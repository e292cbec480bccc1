// Package platform names what locks and leases need from the operating system, and provides it.
//
// A [Platform] bundles four ports: files ([FileSystem]), process identity ([Processes]), clocks ([Clock]) and SQLite
// ([SQLite]). They are small plain-Go interfaces, so that a test can put a fake in the place of any of them
// (package platformtest has some ready) and a program can put another SQLite driver there, or none: without SQLite,
// locks and leases fall back to files.
//
// [OS] is the operating system's own implementation:
//
//	p := platform.OS()
//	self, err := p.Processes.Self()
//
// # What each system can do
//
//	                       linux        darwin                     windows
//	process identity       /proc        sysctl kern.proc.pid       refused: *IdentityUnavailable
//	files                  yes          yes                        yes
//	SQLite                 yes          yes                        yes
//	SQLite lock kind       OFD locks    POSIX locks                LockFileEx
//	asking for a lock      yes          of other processes         no: errors.ErrUnsupported
//
// # Importing changes nothing
//
// Importing the package makes no process-wide setting. The one that exists, the kind of lock SQLite takes on Linux, is
// made just before the first database is opened; [PrepareSQLite] makes it earlier. Where some other code of the process
// locked a database before that, opening fails with [*LockKindTooLate] rather than go on with locks that any close of
// the file would drop.
//
// Sleeping and timers are not a port: code uses package time, which testing/synctest makes virtual.
package platform
