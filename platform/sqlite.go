package platform

import "context"

// SQLite opens SQLite databases that other processes use too, and asks the kernel about the locks on them.
//
// An implementation is comparable (usually a pointer): acquisitions of one lock in this process share their turns when
// their platforms hold the same SQLite value.
type SQLite interface {
	// Open opens the database file at path on one connection that is never pooled, renewed or closed behind the
	// caller's back. The path is a file name and nothing else: no character in it is special. Nothing is read or locked
	// yet, so most defects of the file show only at the first statement.
	//
	// It fails with [*SQLitePathInvalid] for a path that does not name one file for all processes (empty, ":memory:",
	// one with a NUL), [*LockKindTooLate], or [*SQLiteFailure] (code 14 where the file cannot be opened).
	Open(ctx context.Context, path string, mode OpenMode) (SQLiteConn, error)

	// OpenLockFile opens the database file at path for asking about its locks; with create, it makes an empty file where
	// none is. Asking takes no lock, so it disturbs nobody. The answer is errors.ErrUnsupported where the system cannot
	// be asked, else an error of package os. A path whose last element is a symlink is refused.
	//
	// Where locks belong to the process and fall with any close of the file (macOS), a LockFile must not be opened while
	// this process holds the lock, and must be closed after the connection.
	OpenLockFile(path string, create bool) (LockFile, error)
}

// OpenMode says what Open may do with the file.
type OpenMode int

// The modes of opening a database.
const (
	// ReadWriteCreate creates a missing file. It is the zero value.
	ReadWriteCreate OpenMode = iota
	// ReadWrite requires the file.
	ReadWrite
	// ReadOnly requires the file and never writes it.
	ReadOnly
)

// A SQLiteConn is one connection to one database. It is for one goroutine at a time.
//
// Every failure of SQLite is a [*SQLiteFailure]; an interruption ends a statement early with the context's error. After
// *any* error inside a transaction the transaction may still be open, also after an interrupted BEGIN: roll back, or use
// [Immediate], which does. Arguments are nil, bool, integers, floats, strings, []byte.
type SQLiteConn interface {
	// Exec runs one statement, or several separated by semicolons up to the first that fails, and returns the number of
	// rows that the last one changed.
	Exec(ctx context.Context, sql string, args ...any) (changed int64, err error)
	// Query runs one statement and returns all its rows. Values are nil, int64, float64, string or []byte.
	Query(ctx context.Context, sql string, args ...any) ([]Row, error)
	// Prepare compiles a statement for repeated use. Closing the connection closes it too.
	Prepare(ctx context.Context, sql string) (SQLiteStmt, error)
	// Close rolls back what is open, drops all locks and closes the database. Closing twice is a no-op.
	Close() error
}

// A SQLiteStmt is a prepared statement of a [SQLiteConn], with the same rules.
type SQLiteStmt interface {
	// Exec runs the statement and returns the number of rows it changed.
	Exec(ctx context.Context, args ...any) (changed int64, err error)
	// Query runs the statement and returns all its rows.
	Query(ctx context.Context, args ...any) ([]Row, error)
	// Close frees the statement. Closing twice is a no-op.
	Close() error
}

// A Row is the values of one result row, in column order.
type Row []any

// A LockFile is a descriptor for asking the kernel about the lock that SQLite keeps on a database file.
type LockFile interface {
	// State reports the lock that some other open file holds on the database. The connections of this process count
	// too where the kernel can show them (see Proves).
	State() (LockState, error)
	// Proves reports whether State also shows the locks that this process holds, so that a lock can prove itself.
	Proves() bool
	// Current reports whether the path still names the file that was opened: false once it was unlinked or replaced.
	Current() (bool, error)
	// Close releases the descriptor. Closing twice is a no-op.
	Close() error
}

// LockState is how far a lock on a SQLite database goes.
type LockState int

// The states of a lock, as a would-be reader sees it.
const (
	// LockFree: nobody holds a lock that would keep a reader out. Others may be reading.
	LockFree LockState = iota
	// LockContended: somebody is on the way to an exclusive lock, or writes, and may yet fail.
	LockContended
	// LockExclusive: somebody holds the database for itself.
	LockExclusive
)
