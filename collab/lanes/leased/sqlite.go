package leased

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/scope"
)

// SQLite is a [Wakes] in a SQLite database, which any number of processes on one machine share. Open it with [OpenSQLite].
type SQLite struct {
	path   string
	files  platform.FileSystem
	fileID string                   // of the file that was opened
	turn   chan platform.SQLiteConn // holds the connection while nobody uses it; nil in it once closed
}

// OpenSQLite opens the database at path, creating it where none is, and closes it with the scope around it. Give it a file of
// its own: the database of the leases is another one. The directory must exist, on a local disk. p is the platform; nil means
// platform.OS().
//
// A note survives a power cut: it is synced to the disk before Wake returns.
//
// It fails with [*StoreFailure], also where path is no regular file (a symbolic link is none) or a database of something else; its
// cause is errors.ErrUnsupported where the platform has no SQLite.
func OpenSQLite(path string, p *platform.Platform) effect.Effect[*SQLite] {
	open := effect.Try(func(ctx context.Context) (*SQLite, error) {
		if p == nil {
			p = platform.OS()
		}
		s := &SQLite{path: path, turn: make(chan platform.SQLiteConn, 1)}
		if p.SQLite == nil {
			return nil, s.failure("open", "", fmt.Errorf("the platform has no SQLite: %w", errors.ErrUnsupported))
		}
		full, err := locate(p, path)
		if err != nil {
			return nil, s.failure("open", "", err)
		}
		s.path, s.files = full, p.Files
		conn, err := p.SQLite.Open(ctx, full, platform.ReadWriteCreate)
		if err != nil {
			return nil, s.failure("open", "", err)
		}
		s.turn <- conn
		if err := s.do(ctx, "open", "", func(ctx context.Context, conn platform.SQLiteConn) error {
			if err := inspect(ctx, conn); err != nil {
				return err
			}
			if _, err := conn.Exec(ctx, schema); err != nil {
				return err
			}
			return s.identify()
		}); err != nil {
			_ = conn.Close() // what failed before says more
			return nil, err
		}
		return s, nil
	})
	return effect.AcquireRelease(open, func(s *SQLite, _ scope.Exit) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error { return s.close() })
	})
}

// schema keeps the row of a note when a newer one replaces it, so that rows are in the order in which keys began to wait.
const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS lane_wake (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL) STRICT`

// Note implements [Wakes].
func (s *SQLite) Note(ctx context.Context, key string) error {
	return s.do(ctx, "note", key, func(ctx context.Context, conn platform.SQLiteConn) error {
		_, err := conn.Exec(ctx, `INSERT INTO lane_wake (key, ticket) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET ticket = excluded.ticket`,
			key, rand.Text())
		return err
	})
}

// Find implements [Wakes].
func (s *SQLite) Find(ctx context.Context, key string) (ticket string, found bool, err error) {
	err = s.do(ctx, "find", key, func(ctx context.Context, conn platform.SQLiteConn) error {
		rows, err := conn.Query(ctx, `SELECT ticket FROM lane_wake WHERE key = ?`, key)
		if err == nil && len(rows) == 1 {
			ticket, found = rows[0][0].(string)
		}
		return err
	})
	return ticket, found, err
}

// Settle implements [Wakes].
func (s *SQLite) Settle(ctx context.Context, key, ticket string) error {
	return s.do(ctx, "settle", key, func(ctx context.Context, conn platform.SQLiteConn) error {
		_, err := conn.Exec(ctx, `DELETE FROM lane_wake WHERE key = ? AND ticket = ?`, key, ticket)
		return err
	})
}

// Keys implements [Wakes].
func (s *SQLite) Keys(ctx context.Context) (keys []string, err error) {
	err = s.do(ctx, "list", "", func(ctx context.Context, conn platform.SQLiteConn) error {
		rows, err := conn.Query(ctx, `SELECT key FROM lane_wake ORDER BY place`)
		for _, row := range rows {
			if key, ok := row[0].(string); ok {
				keys = append(keys, key)
			}
		}
		return err
	})
	return keys, err
}

// Each operation waits for other writers inside SQLite, then starts over, so often.
const (
	busyTries = 100
	busyPause = 5 * time.Millisecond
)

// do runs one statement when its turn comes. The statement itself is not interrupted: it takes no longer than the busy
// timeout, and nobody could say whether an interrupted one was carried out.
func (s *SQLite) do(ctx context.Context, operation, key string, statement func(context.Context, platform.SQLiteConn) error) error {
	for try := 1; ; try++ {
		err := s.once(ctx, statement)
		var sqlite *platform.SQLiteFailure
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
			return err
		case !errors.As(err, &sqlite) || !sqlite.Busy() || try == busyTries:
			return s.failure(operation, key, err)
		}
		select {
		case <-time.After(busyPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *SQLite) once(ctx context.Context, statement func(context.Context, platform.SQLiteConn) error) error {
	select {
	case conn := <-s.turn:
		defer func() { s.turn <- conn }()
		if conn == nil {
			return errClosed
		}
		if err := s.check(); err != nil {
			return err
		}
		return statement(context.WithoutCancel(ctx), conn)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var errClosed = errors.New("the store is closed: its scope has ended")

func (s *SQLite) close() error {
	conn := <-s.turn
	defer func() { s.turn <- nil }()
	if conn == nil {
		return nil
	}
	return conn.Close()
}

func (s *SQLite) failure(operation, key string, err error) error {
	return &StoreFailure{Operation: operation, Key: key, Path: s.path, Cause: err}
}
