package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/url"
	"path/filepath"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"

	_ "modernc.org/sqlite"
)

// table is where results are written. It protects itself: it keeps the highest token it has seen of each file and refuses a
// smaller one. Every accepted write is a row.
type table struct {
	db        *sql.DB
	unchecked bool
}

const schema = `CREATE TABLE IF NOT EXISTS accepted (file TEXT NOT NULL, token INTEGER NOT NULL, worker INTEGER NOT NULL, result TEXT NOT NULL)`

func openTable(c config) effect.Effect[*table] {
	open := effect.Try(func(ctx context.Context) (*table, error) {
		// A file name is no URI: escaped, it is. BEGIN IMMEDIATE makes a transaction wait for its turn instead of failing.
		name := (&url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.Join(c.store, "results.db"))}).String()
		db, err := sql.Open("sqlite", name+"?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
		if err != nil {
			return nil, err
		}
		if _, err := db.ExecContext(ctx, schema); err != nil {
			_ = db.Close()
			return nil, err
		}
		return &table{db, c.without == "token"}, nil
	})
	return effect.AcquireRelease(open, func(t *table, _ scope.Exit) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error { return t.db.Close() })
	})
}

// write adds a result, or fails with lease.FenceRejected.
func (t *table) write(token lease.Token, worker int, r result) effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) (err error) {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		tx, err := t.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() // does nothing after Commit
		if !t.unchecked {
			if err := lease.AdmitToken(ctx, tx, token); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO accepted VALUES (?, ?, ?, ?)`, token.Key, token.Generation, worker, text); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// row is an accepted write.
type row struct {
	token  int64
	worker int
	result result
}

// rows is the accepted writes of each file.
func (t *table) rows(ctx context.Context) (map[string][]row, error) {
	found, err := t.db.QueryContext(ctx, `SELECT file, token, worker, result FROM accepted ORDER BY rowid`)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := map[string][]row{}
	for found.Next() {
		var file string
		var text []byte
		var r row
		if err := found.Scan(&file, &r.token, &r.worker, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &r.result); err != nil {
			return nil, err
		}
		all[file] = append(all[file], r)
	}
	return all, found.Err()
}

// done tells whether the file has a result.
func (t *table) done(ctx context.Context, file string) (done bool, err error) {
	err = t.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM accepted WHERE file = ?)`, file).Scan(&done)
	return done, err
}
