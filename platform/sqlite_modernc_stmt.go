package platform

import (
	"context"
	"database/sql/driver"
	"errors"
)

// moderncDriverStmt is what a statement of the driver can do.
type moderncDriverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// moderncStmt is a prepared statement.
type moderncStmt struct {
	conn *moderncConn
	sql  string
	stmt moderncDriverStmt // nil once closed
}

var errStmtClosed = errors.New("the statement is closed")

func (s *moderncStmt) Exec(ctx context.Context, args ...any) (int64, error) {
	if s.stmt == nil {
		return 0, sqliteFailure(s.conn.path, s.sql, errStmtClosed)
	}
	values, err := named(args)
	if err != nil {
		return 0, sqliteFailure(s.conn.path, s.sql, err)
	}
	result, err := s.stmt.ExecContext(ctx, values)
	if err != nil {
		return 0, s.conn.failure(ctx, s.sql, err)
	}
	return result.RowsAffected()
}

func (s *moderncStmt) Query(ctx context.Context, args ...any) ([]Row, error) {
	if s.stmt == nil {
		return nil, sqliteFailure(s.conn.path, s.sql, errStmtClosed)
	}
	values, err := named(args)
	if err != nil {
		return nil, sqliteFailure(s.conn.path, s.sql, err)
	}
	rows, err := s.stmt.QueryContext(ctx, values)
	if err != nil {
		return nil, s.conn.failure(ctx, s.sql, err)
	}
	all, err := readAll(rows)
	if err != nil {
		return nil, s.conn.failure(ctx, s.sql, err)
	}
	return all, nil
}

func (s *moderncStmt) Close() error {
	if s.stmt == nil {
		return nil
	}
	err := s.stmt.Close()
	s.stmt = nil
	delete(s.conn.stmts, s)
	if err != nil {
		return sqliteFailure(s.conn.path, "close statement", err)
	}
	return nil
}
