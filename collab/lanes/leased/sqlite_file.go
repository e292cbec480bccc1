package leased

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rivus/agentkit/platform"
)

// A note must be in the file that the other processes have open. So what is not the one name of a database is refused before
// anything is made, a database of something else before anything of it is changed, and one that was removed or replaced when
// that is noticed.

// locate is the path to open: a regular file's own name, or that of none yet, in a folder without links in its name.
func locate(p *platform.Platform, path string) (string, error) {
	folder, name := filepath.Split(path)
	if name == "" || path == ":memory:" {
		return path, nil // what is wrong with it is SQLite's to say
	}
	if folder == "" {
		folder = "."
	}
	resolved, err := p.Files.ResolveDir(folder)
	if err != nil {
		return "", err
	}
	full := filepath.Join(resolved, name)
	info, found, err := p.Files.Stat(full)
	if err == nil && found && !info.Mode.IsRegular() {
		err = fmt.Errorf("it is no regular file (%s)", info.Mode)
	}
	return full, err
}

// inspect refuses a database with tables of something else.
func inspect(ctx context.Context, conn platform.SQLiteConn) error {
	if _, err := conn.Exec(ctx, "PRAGMA busy_timeout = 50"); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, "SELECT count(*), count(CASE WHEN name = 'lane_wake' THEN 1 END) FROM sqlite_schema")
	if err == nil && rows[0][0] != int64(0) && rows[0][1] == int64(0) {
		return errors.New("the database belongs to something else; it is left as it is")
	}
	return err
}

// identify remembers which file was opened.
func (s *SQLite) identify() error {
	info, _, err := s.files.Stat(s.path)
	s.fileID = info.ID
	return err
}

// check fails when the file at the path is no longer the one that was opened.
func (s *SQLite) check() error {
	info, found, err := s.files.Stat(s.path)
	if err == nil && s.fileID != "" && (!found || info.ID != s.fileID) {
		err = errors.New("it is not the file that was opened: it was removed or replaced; start again on one database")
	}
	return err
}
