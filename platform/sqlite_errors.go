package platform

import (
	"fmt"
)

// The result codes of SQLite that callers tell apart, as [SQLiteFailure.Primary] returns them.
const (
	SQLiteBusy     = 5
	SQLiteLocked   = 6
	SQLiteReadOnly = 8
	SQLiteIOErr    = 10
	SQLiteCorrupt  = 11
	SQLiteFull     = 13
	SQLiteCantOpen = 14
	SQLiteNotADB   = 26
)

// SQLiteReadOnlyDBMoved is the extended code of a write to a database whose file was removed or replaced.
const SQLiteReadOnlyDBMoved = SQLiteReadOnly | 4<<8

// SQLiteFailure is an error that SQLite reported.
type SQLiteFailure struct {
	// Op is what was tried: "open", "begin", or the statement.
	Op string
	// Path is the database file.
	Path string
	// Code is SQLite's extended result code.
	Code int
	// Err is the driver's error.
	Err error
}

// Tag returns "SQLiteFailure".
func (e *SQLiteFailure) Tag() string { return "SQLiteFailure" }

// Error names the operation, the file and the reason, and says what can be done where the code tells.
func (e *SQLiteFailure) Error() string {
	text := fmt.Sprintf("sqlite: %s: %s: %v", e.Path, e.Op, e.Err)
	if next := e.remedy(); next != "" {
		text += "; " + next
	}
	return text
}

// remedy is what can be done about a failure with this code.
func (e *SQLiteFailure) remedy() string {
	switch e.Primary() {
	case SQLiteBusy, SQLiteLocked:
		return "try again when the other connection is done"
	case SQLiteReadOnly:
		return "this process must be able to write the file and its folder"
	case SQLiteIOErr:
		return "check the disk, and that it is a local one"
	case SQLiteCorrupt:
		return "restore it from a backup"
	case SQLiteFull:
		return "make room on the disk"
	case SQLiteCantOpen:
		return "see that the folder exists and that this process may write there"
	case SQLiteNotADB:
		return "the file is something else: name another one"
	}
	return ""
}

// Unwrap returns the driver's error.
func (e *SQLiteFailure) Unwrap() error { return e.Err }

// Primary returns the result code without its extension: its low 8 bits.
func (e *SQLiteFailure) Primary() int { return e.Code & 0xff }

// Busy reports whether the failure means that another connection holds a lock, so that trying again may help.
func (e *SQLiteFailure) Busy() bool {
	return e.Primary() == SQLiteBusy || e.Primary() == SQLiteLocked || e.Err != nil && e.Err.Error() == "database is locked"
}

// SQLitePathInvalid refuses a path that does not name one database file for all processes.
type SQLitePathInvalid struct {
	// Path is what was given.
	Path string
	// Reason completes "the path ...".
	Reason string
}

// Tag returns "SQLitePathInvalid".
func (e *SQLitePathInvalid) Tag() string { return "SQLitePathInvalid" }

// Error says what is wrong with the path.
func (e *SQLitePathInvalid) Error() string {
	return fmt.Sprintf("sqlite: the path %q %s; name a file in an existing local directory", e.Path, e.Reason)
}

// LockKindTooLate refuses to open a database because some other code of this process locked one before this package
// could choose the kind of lock. The kind that is then in force belongs to the process: any close of the file, by any
// code, would drop the lock without a sign.
type LockKindTooLate struct{}

// Tag returns "SQLiteLockKindTooLate".
func (e *LockKindTooLate) Tag() string { return "SQLiteLockKindTooLate" }

// Error says what to do.
func (e *LockKindTooLate) Error() string {
	return "sqlite: another database was opened in this process before the kind of lock could be chosen, " +
		"so locks could be lost unseen: call platform.PrepareSQLite at the start of main, " +
		"or start the process with MODERNC_SQLITE_OFD_LOCK=1"
}
