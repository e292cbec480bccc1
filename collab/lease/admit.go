package lease

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/samber/mo"
)

// AdmitToken is the check that makes a fencing token worth something, for data in a SQLite database: within tx, the caller's own
// transaction, it notes the highest token that has been seen for the key, and refuses a smaller one with [*FenceRejected]. The
// caller then rolls back. What tx writes besides is thereby written by the newest holder only, however late an older one
// wakes up, and wherever it runs.
//
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	defer tx.Rollback()
//	if err := lease.AdmitToken(ctx, tx, token); err != nil {
//		return err
//	}
//	... // writes
//	return tx.Commit()
//
// The tokens are in the table lease_token of that database, which is made when it is missing. A token that is equal to the
// highest one is admitted: one holder may write many times. Errors of the database are returned as they are, wrapped.
func AdmitToken(ctx context.Context, tx *sql.Tx, token Token) error {
	if err := ValidateKey(token.Key); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx,
		`CREATE TABLE IF NOT EXISTS lease_token (key TEXT NOT NULL PRIMARY KEY, generation INTEGER NOT NULL) STRICT`)
	if err != nil {
		return fmt.Errorf("make the table of tokens: %w", err)
	}
	// One statement, so that the comparison and the write cannot be torn apart, also where the transaction began without a lock.
	var admitted int64
	err = tx.QueryRowContext(ctx,
		`INSERT INTO lease_token (key, generation) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET generation = excluded.generation WHERE excluded.generation >= generation
		RETURNING generation`, token.Key, token.Generation).Scan(&admitted)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("note token %v: %w", token, err)
	}
	var current int64
	err = tx.QueryRowContext(ctx, `SELECT generation FROM lease_token WHERE key = ?`, token.Key).Scan(&current)
	if err != nil {
		return fmt.Errorf("read the highest token of %q: %w", token.Key, err)
	}
	return &FenceRejected{Key: token.Key, Generation: token.Generation, Current: mo.Some(current)}
}
