// Package platformtest provides platforms for tests: clocks that can be suspended and stepped, a process table in memory,
// and files and databases with injected faults.
//
//	fake := platformtest.New()
//	fake.Files.Inject(platformtest.Fault{Op: "WriteAtomic", Err: syscall.ENOSPC})
//	lock, err := processlock.Take(ctx, path, processlock.Options{Platform: fake.Platform()})
//
// Files and SQLite wrap the operating system's, so that everything but the injected fault is real; give them a directory
// of the test's own. Time is package time, which testing/synctest makes virtual, with offsets on top.
//
// All types may be used from several goroutines.
package platformtest

import "github.com/rivus/agentkit/platform"

// A Fake is a platform whose ports a test can steer.
type Fake struct {
	// Files are real files, with faults on request.
	Files *Files
	// Processes is a process table in memory.
	Processes *Processes
	// Clock is in step with package time.
	Clock *Clock
	// SQLite may be set to nil, and then the platform has none.
	SQLite *SQLite
}

// New returns a platform of the operating system's files and SQLite, a clock in step with package time, and a process
// table with one process in it: this one, pid 1000 on "host".
func New() *Fake {
	os := platform.OS()
	return &Fake{
		Files:     NewFiles(os.Files),
		Processes: NewProcesses("host", 1000),
		Clock:     NewClock(),
		SQLite:    NewSQLite(os.SQLite),
	}
}

// Platform returns the platform over the fakes as they are now.
func (f *Fake) Platform() *platform.Platform {
	p := &platform.Platform{Files: f.Files, Processes: f.Processes, Clock: f.Clock}
	if f.SQLite != nil {
		p.SQLite = f.SQLite
	}
	return p
}

// As returns the platform of another process of the same machine: it sees the files, clocks and process table of f, and
// identifies itself as pid, which must have been started. Its Files and SQLite values are wrappers of their own, so that
// it shares no turns with f's process, as another process does not; faults injected into f's hold for it too.
func (f *Fake) As(pid int) *platform.Platform {
	p := &platform.Platform{Files: f.Files.view(), Processes: f.Processes.As(pid), Clock: f.Clock}
	if f.SQLite != nil {
		p.SQLite = f.SQLite.view()
	}
	return p
}
