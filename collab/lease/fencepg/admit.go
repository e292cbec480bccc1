package fencepg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
)

// tableLock serializes the making of the table: two transactions that make one at the same moment can collide in the
// catalogue although both say IF NOT EXISTS.
const tableLock = 0x6c65617365 // "lease"

// AdmitToken is lease.AdmitToken for PostgreSQL: within tx, the caller's own transaction, it notes the highest token that has been
// seen for the key, and refuses a smaller one with [*lease.FenceRejected]. The caller then rolls back.
//
// The tokens are in the table lease_token of the current schema, which is made when it is missing. A transaction that admits a
// token of a key keeps that row locked to its end, so two writers of one key take turns. An invalid key is a [*lease.KeyInvalid].
// Errors of the database are returned wrapped; at the isolation levels above read committed they include serialization
// failures, after which the whole transaction is to be tried again.
func AdmitToken(ctx context.Context, tx *sql.Tx, token lease.Token) error {
	if err := lease.ValidateKey(token.Key); err != nil {
		return err
	}
	if err := makeTable(ctx, tx); err != nil {
		return fmt.Errorf("make the table of tokens: %w", err)
	}
	var admitted int64
	err := tx.QueryRowContext(ctx,
		`INSERT INTO lease_token AS t (key, generation) VALUES ($1, $2)
		ON CONFLICT (key) DO UPDATE SET generation = excluded.generation WHERE excluded.generation >= t.generation
		RETURNING generation`, token.Key, token.Generation).Scan(&admitted)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("note token %v: %w", token, err)
	}
	var current int64
	if err := tx.QueryRowContext(ctx, `SELECT generation FROM lease_token WHERE key = $1`, token.Key).Scan(&current); err != nil {
		return fmt.Errorf("read the highest token of %q: %w", token.Key, err)
	}
	return &lease.FenceRejected{Key: token.Key, Generation: token.Generation, Current: mo.Some(current)}
}

func makeTable(ctx context.Context, tx *sql.Tx) error {
	var exists bool
	if err := tx.QueryRowContext(ctx, `SELECT to_regclass('lease_token') IS NOT NULL`).Scan(&exists); err != nil || exists {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(tableLock)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS lease_token (key text PRIMARY KEY, generation bigint NOT NULL)`)
	return err
}
