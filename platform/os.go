package platform

// The operating system's ports. They hold no state of their own but the process's identity and the choice of SQLite's
// lock kind, both of which belong to the process.
var (
	osFiles     FileSystem = osFileSystem{}
	osProcesses Processes  = &osProcessTable{}
	osClock     Clock      = newSystemClock()
	osSQLite    SQLite     = &modernc{}
)
