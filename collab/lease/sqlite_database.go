package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rivus/agentkit/platform"
)

// database is the one connection of a [SQLite] repository.
type database struct {
	path  string
	files platform.FileSystem
	turn  chan struct{} // holds one token while nobody uses what is below

	conn   platform.SQLiteConn // nil once closed
	fileID string              // of the file that was opened
	lazy   bool                // renewals need not be synced: the journal is a WAL
	stmts  statements
	rows   rows
}

// Each operation first waits for other writers inside SQLite, then starts over, this often.
const (
	busyTimeout = "50" // ms
	busyTries   = 100
	busyPause   = 5 * time.Millisecond
)

// openDatabase opens the database, creating it and its table where they are missing.
func openDatabase(ctx context.Context, p *platform.Platform, path string) (_ *database, err error) {
	if path, err = locate(p.Files, path); err != nil {
		return nil, err
	}
	db := &database{path: path, files: p.Files, turn: make(chan struct{}, 1)}
	if db.conn, err = p.SQLite.Open(ctx, path, platform.ReadWriteCreate); err != nil {
		return nil, db.failure(ctx, "", err)
	}
	defer func() {
		if err != nil {
			_ = db.conn.Close() // what failed before says more
		}
	}()
	db.turn <- struct{}{}
	for _, prepare := range []func(context.Context) error{db.inspect, db.configure, db.migrate, db.prepare, db.identify} {
		if err := db.do(ctx, "", prepare); err != nil {
			return nil, err
		}
	}
	return db, nil
}

// close waits for its turn and closes the connection.
func (db *database) close() error {
	<-db.turn
	defer db.pass()
	conn := db.conn
	db.conn = nil
	if conn == nil {
		return nil
	}
	return conn.Close()
}

func (db *database) pass() { db.turn <- struct{}{} }

var errClosed = errors.New("the repository is closed: its scope has ended")

// do runs an operation on the connection when its turn comes, again and again while other processes keep the database
// busy. The operation itself is not interrupted: it waits for no longer than the busy timeout, and an interrupted statement
// could leave a transaction open. It fails with *RevisionConflict, *RepositoryFailure, or the cause of ctx.
func (db *database) do(ctx context.Context, key string, operation func(context.Context) error) error {
	for try := 1; ; try++ {
		select {
		case <-db.turn:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		err := db.once(context.WithoutCancel(ctx), operation)
		var sqlite *platform.SQLiteFailure
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &sqlite) || !sqlite.Busy() || try == busyTries:
			return db.failure(ctx, key, err)
		}
		if err := pause(ctx, busyPause); err != nil {
			return err
		}
	}
}

// once runs an operation and passes the turn on, also when it panics.
func (db *database) once(ctx context.Context, operation func(context.Context) error) error {
	defer db.pass()
	if db.conn == nil {
		return errClosed
	}
	if err := db.checkFile(); err != nil {
		return err
	}
	return operation(ctx)
}

// checkFile refuses to go on with a database file that is no longer the one at the path: other processes would open the
// new one, and each lease could have two holders.
func (db *database) checkFile() error {
	if db.fileID == "" {
		return nil
	}
	info, found, err := db.files.Stat(db.path)
	switch {
	case err != nil:
		return err
	case !found || info.ID != db.fileID:
		return fmt.Errorf("%s is not the file that was opened: it was removed or replaced; start again on one database", db.path)
	}
	return nil
}

// identify remembers which file was opened.
func (db *database) identify(context.Context) error {
	info, found, err := db.files.Stat(db.path)
	if err != nil {
		return err
	}
	if found && info.Mode.IsRegular() {
		db.fileID = info.ID
	}
	return nil
}

// failure names what went wrong in the repository's terms.
func (db *database) failure(ctx context.Context, key string, err error) error {
	var failure *RepositoryFailure
	var conflict *RevisionConflict
	var sqlite *platform.SQLiteFailure
	switch {
	case errors.As(err, &failure), errors.As(err, &conflict), interrupted(ctx, err):
		return err
	case errors.As(err, &sqlite) && sqlite.Busy():
		return &RepositoryFailure{Key: key, Reason: Busy, Message: "other processes keep " + db.path + " locked", Cause: err}
	case errors.As(err, &sqlite) && sqlite.Primary() == platform.SQLiteReadOnly:
		return &RepositoryFailure{Key: key, Reason: IO, Message: "this process may not write " + db.path, Cause: err}
	case errors.As(err, &sqlite) && sqlite.Primary() == platform.SQLiteNotADB:
		return &RepositoryFailure{Key: key, Reason: IO, Message: db.path + " is not a SQLite database; it is left as it is", Cause: err}
	}
	return &RepositoryFailure{Key: key, Reason: IO, Message: "use " + db.path, Cause: err}
}
