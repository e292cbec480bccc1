package platform

// A Platform is the set of ports through which locks and leases reach the operating system. All fields but SQLite are
// required. The values in it are shared, not copied: two platforms with the same SQLite value (without SQLite, the same
// Files value) see the same locks of this process.
type Platform struct {
	// Files are the files that all processes share.
	Files FileSystem
	// Processes tells who this process and others are.
	Processes Processes
	// Clock tells the time.
	Clock Clock
	// SQLite selects the SQLite mechanisms of locks and leases by its presence. Nil: there is none, and locks are files.
	SQLite SQLite
}

// OS returns the operating system's platform. Each call returns a fresh struct over the same ports, so a caller may
// replace a field (SQLite by nil, say) without touching anybody else's.
func OS() *Platform {
	return &Platform{Files: osFiles, Processes: osProcesses, Clock: osClock, SQLite: osSQLite}
}
