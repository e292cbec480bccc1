package lease

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rivus/agentkit/platform"
)

// What is refused before anything is made or changed: a path that is not the one name of a database, and a database that belongs
// to something else.

// locate returns the path to open: the file's own name in a folder whose name has no symbolic links left. So all who open a
// database keep its fences at the same place, and the working directory may change afterwards.
func locate(files platform.FileSystem, path string) (string, error) {
	folder, name := filepath.Split(path)
	if name == "" || path == ":memory:" || strings.IndexByte(path, 0) >= 0 {
		return path, nil // what is wrong with it is the platform's to say
	}
	if folder == "" {
		folder = "."
	}
	resolved, err := files.ResolveDir(folder)
	if err != nil {
		return "", &RepositoryFailure{Reason: IO, Message: "the folder of the lease database " + path + " must exist", Cause: err}
	}
	full := filepath.Join(resolved, name)
	info, found, err := files.Stat(full)
	switch {
	case err != nil:
		return "", &RepositoryFailure{Reason: IO, Message: "look at the lease database " + path, Cause: err}
	case found && !info.Mode.IsRegular():
		return "", &RepositoryFailure{Reason: IO, Message: fmt.Sprintf(
			"%s (%s) is no regular file, and a lease database is one that is reached without a symbolic link at the end", path, info.Mode)}
	}
	return full, nil
}

// inspect refuses a database of another version, or of something else, and leaves it as it is: not even its journal changes.
func (db *database) inspect(ctx context.Context) error {
	if _, err := db.conn.Exec(ctx, "PRAGMA busy_timeout = "+busyTimeout); err != nil {
		return err
	}
	version, err := db.version(ctx)
	if err != nil {
		return err
	}
	found, err := db.conn.Query(ctx, "SELECT count(*), count(CASE WHEN name = 'lease_record' THEN 1 END) FROM sqlite_schema")
	if err != nil {
		return err
	}
	empty, tableIsThere := found[0][0] == int64(0), found[0][1] != int64(0)
	switch {
	case version == 0 && empty:
		return nil
	case version == 0 && !tableIsThere:
		return db.unsupported("has tables, and not that of leases: it belongs to something else", nil)
	}
	return db.checkTable(ctx)
}

// version is the schema's, if it is one that this library knows.
func (db *database) version(ctx context.Context) (int64, error) {
	rows, err := db.conn.Query(ctx, "PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	version, known := rows[0][0].(int64)
	if !known || version != 0 && version != schemaVersion {
		return 0, db.unsupported(fmt.Sprintf("has schema version %v, this library knows version %d", rows[0][0], schemaVersion), nil)
	}
	return version, nil
}

// noSuchTable is SQLite's result code for that, and for a column that is not there.
const noSuchTable = 1

// checkTable refuses a table that is not the one of this version.
func (db *database) checkTable(ctx context.Context) error {
	_, err := db.conn.Query(ctx, "SELECT "+columns+" FROM lease_record LIMIT 0")
	var sqlite *platform.SQLiteFailure
	if errors.As(err, &sqlite) && sqlite.Primary() == noSuchTable {
		return db.unsupported(fmt.Sprintf("says schema version %d but has not its table", schemaVersion), err)
	}
	if err != nil {
		return err
	}
	kind, err := db.conn.Query(ctx, "SELECT type, strict, wr FROM pragma_table_list WHERE schema = 'main' AND name = 'lease_record'")
	if err != nil {
		return err
	}
	if len(kind) != 1 || kind[0][0] != "table" || kind[0][1] != int64(1) || kind[0][2] != int64(0) {
		return db.unsupported(fmt.Sprintf("says schema version %d but its table is of another kind", schemaVersion), nil)
	}
	return nil
}

func (db *database) unsupported(what string, cause error) error {
	return &RepositoryFailure{Reason: UnsupportedSchema, Message: db.path + " " + what + "; it is left as it is", Cause: cause}
}
