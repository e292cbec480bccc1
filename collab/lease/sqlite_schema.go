package lease

import (
	"context"

	"github.com/rivus/agentkit/platform"
)

// createTable is the schema of version 1, blank for blank as other implementations write it.
const createTable = `CREATE TABLE IF NOT EXISTS lease_record (
        key TEXT PRIMARY KEY,
        generation INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        holder TEXT,
        holder_id TEXT,
        renewed_at INTEGER NOT NULL
      ) STRICT`

// configure sets the journal, which belongs to the file, and how far writes are synced, which belongs to the connection.
func (db *database) configure(ctx context.Context) error {
	// A file system that cannot do WAL leaves the journal as it was, and everything works all the same.
	mode, err := db.conn.Query(ctx, "PRAGMA journal_mode = WAL")
	if err != nil {
		return err
	}
	db.lazy = len(mode) == 1 && mode[0][0] == "wal"
	_, err = db.conn.Exec(ctx, "PRAGMA synchronous = FULL")
	return err
}

// migrate creates the table in a database without a version, and refuses versions it does not know.
func (db *database) migrate(ctx context.Context) error {
	return platform.Immediate(ctx, db.conn, func(ctx context.Context) error {
		version, err := db.version(ctx) // once more: now nobody else can change it
		if err != nil || version == schemaVersion {
			return err
		}
		if _, err := db.conn.Exec(ctx, createTable); err != nil {
			return err
		}
		_, err = db.conn.Exec(ctx, "PRAGMA user_version = 1")
		return err
	})
}

// statements are the prepared statements of a database.
type statements struct {
	load, revision, insert, update platform.SQLiteStmt

	renewOne, renewMany, revisionsNear, renewNear, findRows, schemaVersion platform.SQLiteStmt

	syncLazily, syncFully platform.SQLiteStmt
}

// columns of the table, in the order in which rows are read.
const columns = "key, generation, revision, holder, holder_id, renewed_at"

// prepare compiles the statements.
func (db *database) prepare(ctx context.Context) error {
	// SQLite opens a file that may not be written without a word, and locks nothing then. This writes no row, and fails there.
	if _, err := db.conn.Exec(ctx, "UPDATE lease_record SET revision = revision WHERE false"); err != nil {
		return err
	}
	for _, s := range []struct {
		to  *platform.SQLiteStmt
		sql string
	}{
		{&db.stmts.load, "SELECT " + columns + " FROM lease_record WHERE key = ?"},
		{&db.stmts.revision, "SELECT revision FROM lease_record WHERE key = ?"},
		{&db.stmts.insert, "INSERT INTO lease_record (" + columns + ") VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"},
		{&db.stmts.update, "UPDATE lease_record SET generation = ?, revision = ?, holder = ?, holder_id = ?, renewed_at = ? WHERE key = ? AND revision = ?"},
		{&db.stmts.renewOne, "UPDATE lease_record SET revision = revision + 1, renewed_at = ? WHERE key = ? AND revision = ?"},
		{&db.stmts.renewMany, renewMany},
		{&db.stmts.revisionsNear, revisionsNear},
		{&db.stmts.renewNear, renewNear},
		{&db.stmts.findRows, findRows},
		{&db.stmts.schemaVersion, "PRAGMA schema_version"},
		{&db.stmts.syncLazily, "PRAGMA synchronous = NORMAL"},
		{&db.stmts.syncFully, "PRAGMA synchronous = FULL"},
	} {
		stmt, err := db.conn.Prepare(ctx, s.sql)
		if err != nil {
			return err
		}
		*s.to = stmt
	}
	return nil
}
