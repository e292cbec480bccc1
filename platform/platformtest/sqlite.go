package platformtest

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/rivus/agentkit/platform"
)

// SQLite is a platform.SQLite over another one, with injected faults, a log of what was executed, and an eye for locks
// that can be closed.
type SQLite struct {
	under  platform.SQLite
	faults *faults
	state  *sqliteState
}

// sqliteState is what the views share.
type sqliteState struct {
	mu         sync.Mutex
	blind      bool
	statements []string
}

// NewSQLite returns a SQLite that behaves as under does until a fault is injected.
func NewSQLite(under platform.SQLite) *SQLite {
	return &SQLite{under: under, faults: &faults{}, state: &sqliteState{}}
}

// view is another value over the same databases, faults and log.
func (s *SQLite) view() *SQLite { return &SQLite{under: s.under, faults: s.faults, state: s.state} }

// Inject adds a fault; remove takes it away again. The operations are "Open", "OpenLockFile", "State", "Current" and
// "Close" (by path), and "Exec", "Query" and "Prepare" (by SQL text, for prepared statements too).
func (s *SQLite) Inject(fault Fault) (remove func()) { return s.faults.inject(fault) }

// Blind makes OpenLockFile answer errors.ErrUnsupported, as on a system that cannot be asked about locks.
func (s *SQLite) Blind() {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	s.state.blind = true
}

// Statements returns the SQL texts executed so far, in order.
func (s *SQLite) Statements() []string {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return append([]string(nil), s.state.statements...)
}

// Failure returns what SQLite reports with this result code, for use as a fault's Err.
func Failure(code int) error {
	return &platform.SQLiteFailure{Op: "injected", Code: code, Err: errors.New("injected failure")}
}

// Open is platform.SQLite's.
func (s *SQLite) Open(ctx context.Context, path string, mode platform.OpenMode) (platform.SQLiteConn, error) {
	c, err := run(s.faults, "Open", path, func() (platform.SQLiteConn, error) { return s.under.Open(ctx, path, mode) })
	if err != nil {
		if c != nil {
			return nil, errors.Join(err, c.Close())
		}
		return nil, err
	}
	return &conn{sqlite: s, path: path, under: c}, nil
}

// OpenLockFile is platform.SQLite's.
func (s *SQLite) OpenLockFile(path string, create bool) (platform.LockFile, error) {
	s.state.mu.Lock()
	blind := s.state.blind
	s.state.mu.Unlock()
	if blind {
		return nil, &fs.PathError{Op: "query lock", Path: path, Err: errors.ErrUnsupported}
	}
	f, err := run(s.faults, "OpenLockFile", path, func() (platform.LockFile, error) { return s.under.OpenLockFile(path, create) })
	if err != nil {
		return nil, err
	}
	return &lockFile{LockFile: f, sqlite: s, path: path}, nil
}

// execute logs a statement and runs it under the faults.
func execute[A any](s *SQLite, op, sql string, do func() (A, error)) (A, error) {
	s.state.mu.Lock()
	s.state.statements = append(s.state.statements, sql)
	s.state.mu.Unlock()
	return run(s.faults, op, sql, do)
}

// conn is a connection with faults.
type conn struct {
	sqlite *SQLite
	path   string
	under  platform.SQLiteConn
}

func (c *conn) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	return execute(c.sqlite, "Exec", sql, func() (int64, error) { return c.under.Exec(ctx, sql, args...) })
}

func (c *conn) Query(ctx context.Context, sql string, args ...any) ([]platform.Row, error) {
	return execute(c.sqlite, "Query", sql, func() ([]platform.Row, error) { return c.under.Query(ctx, sql, args...) })
}

func (c *conn) Prepare(ctx context.Context, sql string) (platform.SQLiteStmt, error) {
	st, err := run(c.sqlite.faults, "Prepare", sql, func() (platform.SQLiteStmt, error) { return c.under.Prepare(ctx, sql) })
	if err != nil {
		return nil, err
	}
	return &stmt{sqlite: c.sqlite, sql: sql, SQLiteStmt: st}, nil
}

// Close always closes; a fault only adds its error.
func (c *conn) Close() error {
	closed := c.under.Close()
	_, err := run(c.sqlite.faults, "Close", c.path, func() (struct{}, error) { return struct{}{}, nil })
	return errors.Join(err, closed)
}

// stmt is a prepared statement with faults.
type stmt struct {
	sqlite *SQLite
	sql    string
	platform.SQLiteStmt
}

func (s *stmt) Exec(ctx context.Context, args ...any) (int64, error) {
	return execute(s.sqlite, "Exec", s.sql, func() (int64, error) { return s.SQLiteStmt.Exec(ctx, args...) })
}

func (s *stmt) Query(ctx context.Context, args ...any) ([]platform.Row, error) {
	return execute(s.sqlite, "Query", s.sql, func() ([]platform.Row, error) { return s.SQLiteStmt.Query(ctx, args...) })
}

// lockFile is a lock file with faults.
type lockFile struct {
	platform.LockFile
	sqlite *SQLite
	path   string
}

func (f *lockFile) State() (platform.LockState, error) {
	return run(f.sqlite.faults, "State", f.path, f.LockFile.State)
}

func (f *lockFile) Current() (bool, error) {
	return run(f.sqlite.faults, "Current", f.path, f.LockFile.Current)
}
