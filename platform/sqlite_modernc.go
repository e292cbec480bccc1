package platform

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"

	"modernc.org/sqlite"
)

// modernc is SQLite over modernc.org/sqlite. It speaks to the driver itself, not through database/sql: a pool closes and
// renews connections as it likes, and with a connection go its locks.
type modernc struct{ _ byte }

// chooseLockKind makes SQLite in this process use open-file-description locks, which no close of the file by other code
// drops. Where the system has none (only Linux does) SQLite's own kind is right.
var chooseLockKind = sync.OnceValue(func() error {
	_, err := sqlite.OFDLocking(true)
	if errors.Is(err, sqlite.ErrOFDLockingTooLate) {
		return &LockKindTooLate{}
	}
	return nil
})

// PrepareSQLite chooses the kind of lock that SQLite takes in this process, which opening the first database through
// this package does as well. Call it at the start of main if other code of the program opens databases with
// modernc.org/sqlite before. It fails with [*LockKindTooLate] when some database was locked already with the kind that
// the process can lose unseen.
func PrepareSQLite() error { return chooseLockKind() }

func (m *modernc) Open(ctx context.Context, path string, mode OpenMode) (SQLiteConn, error) {
	if err := checkDatabasePath(path); err != nil {
		return nil, err
	}
	if err := chooseLockKind(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	connector, err := sqlite.NewConnector(databaseURI(path, mode))
	if err != nil {
		return nil, sqliteFailure(path, "open", err)
	}
	c, err := connector.Connect(ctx)
	if err != nil {
		return nil, sqliteFailure(path, "open", err)
	}
	full, ok := c.(moderncDriverConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("sqlite: the driver's connection %T cannot be interrupted", c), c.Close())
	}
	return &moderncConn{path: path, conn: full}, nil
}

// moderncDriverConn is what a connection of the driver can do.
type moderncDriverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// moderncConn is a connection of its own, with the statements prepared on it.
type moderncConn struct {
	path string
	conn moderncDriverConn // nil once closed
	// stmts are the open statements. An open one would keep the database, and its locks, after Close.
	stmts map[*moderncStmt]struct{}
}

var errConnClosed = errors.New("the connection is closed")

func (c *moderncConn) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	if c.conn == nil {
		return 0, sqliteFailure(c.path, sql, errConnClosed)
	}
	values, err := named(args)
	if err != nil {
		return 0, sqliteFailure(c.path, sql, err)
	}
	result, err := c.conn.ExecContext(ctx, sql, values)
	if err != nil {
		return 0, c.failure(ctx, sql, err)
	}
	return result.RowsAffected()
}

func (c *moderncConn) Query(ctx context.Context, sql string, args ...any) ([]Row, error) {
	if c.conn == nil {
		return nil, sqliteFailure(c.path, sql, errConnClosed)
	}
	values, err := named(args)
	if err != nil {
		return nil, sqliteFailure(c.path, sql, err)
	}
	rows, err := c.conn.QueryContext(ctx, sql, values)
	if err != nil {
		return nil, c.failure(ctx, sql, err)
	}
	all, err := readAll(rows)
	if err != nil {
		return nil, c.failure(ctx, sql, err)
	}
	return all, nil
}

func (c *moderncConn) Prepare(ctx context.Context, sql string) (SQLiteStmt, error) {
	if c.conn == nil {
		return nil, sqliteFailure(c.path, sql, errConnClosed)
	}
	s, err := c.conn.PrepareContext(ctx, sql)
	if err != nil {
		return nil, c.failure(ctx, sql, err)
	}
	full, ok := s.(moderncDriverStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("sqlite: the driver's statement %T cannot be interrupted", s), s.Close())
	}
	stmt := &moderncStmt{conn: c, sql: sql, stmt: full}
	if c.stmts == nil {
		c.stmts = map[*moderncStmt]struct{}{}
	}
	c.stmts[stmt] = struct{}{}
	return stmt, nil
}

func (c *moderncConn) Close() error {
	if c.conn == nil {
		return nil
	}
	for stmt := range c.stmts {
		// What matters is that the connection closes; a statement reports its last failure here once more.
		_ = stmt.Close()
	}
	err := c.conn.Close()
	c.conn = nil
	if err != nil {
		return sqliteFailure(c.path, "close", err)
	}
	return nil
}

// failure is the context's error after an interruption, else SQLite's.
func (c *moderncConn) failure(ctx context.Context, op string, err error) error {
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return err
	}
	return sqliteFailure(c.path, op, err)
}

// sqliteFailure dresses an error of the driver.
func sqliteFailure(path, op string, err error) error {
	failure := &SQLiteFailure{Op: op, Path: path, Err: err}
	var coded *sqlite.Error
	if errors.As(err, &coded) {
		failure.Code = coded.Code()
	}
	return failure
}

// named turns arguments into the driver's form.
func named(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return values, nil
}

// readAll drains and closes rows.
func readAll(rows driver.Rows) (all []Row, err error) {
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	for {
		row := make([]driver.Value, len(rows.Columns()))
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		values := make(Row, len(row))
		for i, v := range row {
			values[i] = v
		}
		all = append(all, values)
	}
}
