package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// load reads the row of key.
func (db *database) load(ctx context.Context, key string) (r Record, found bool, err error) {
	rows, err := db.stmts.load.Query(ctx, key)
	if err != nil || len(rows) == 0 {
		return r, false, err
	}
	if r, err = scanRecord(key, rows[0]); err != nil {
		return r, false, err
	}
	return r, true, nil
}

// scanRecord reads a row. The table is STRICT, but a damaged file may hold anything.
func scanRecord(key string, row platform.Row) (r Record, err error) {
	generation, first := row[1].(int64)
	revision, second := row[2].(int64)
	renewedAt, third := row[5].(int64)
	if !first || !second || !third || !isText(row[3]) || !isText(row[4]) {
		return Record{Key: key}, invalidShape(key, errors.New("its columns are of other types"))
	}
	r = Record{Key: key, Generation: generation, Revision: revision, RenewedAt: time.UnixMilli(renewedAt)}
	if err := checkCounters(r); err != nil {
		return r, err
	}
	if text, ok := row[3].(string); ok {
		r.Holder, err = parseHolder([]byte(text))
		if err == nil && r.Holder == nil {
			err = fmt.Errorf("its holder is the text %s", text)
		}
		if err != nil {
			return r, invalidShape(key, err)
		}
	}
	if id, ok := row[4].(string); ok {
		if id == "" {
			return r, invalidShape(key, fmt.Errorf("its holder_id is empty"))
		}
		r.HolderID = id
	}
	return r, nil
}

// isText tells texts and NULL from what else a row can hold.
func isText(value any) bool {
	_, text := value.(string)
	return text || value == nil
}

// invalidShape is the failure to make a record of what is stored.
func invalidShape(key string, problem error) error {
	return &RepositoryFailure{Key: key, Reason: InvalidRecord, Message: "what is stored is no record; it is left as it is", Cause: problem}
}

// save is one statement, and so one transaction.
func (db *database) save(ctx context.Context, r Record, expected mo.Option[int64]) error {
	delete(db.rows.ids, r.Key) // between two holdings its row may have been deleted, and another one have got the number
	var holder, holderID any
	if r.Holder != nil {
		holder = string(encodeHolder(*r.Holder))
	}
	if r.HolderID != "" {
		holderID = r.HolderID
	}
	var changed int64
	var err error
	if revision, ok := expected.Get(); ok {
		changed, err = db.stmts.update.Exec(ctx, r.Generation, r.Revision, holder, holderID, r.RenewedAt.UnixMilli(), r.Key, revision)
	} else {
		changed, err = db.stmts.insert.Exec(ctx, r.Key, r.Generation, r.Revision, holder, holderID, r.RenewedAt.UnixMilli())
	}
	if err != nil || changed == 1 {
		return err
	}
	return &RevisionConflict{Key: r.Key, Expected: expected, Stored: db.storedRevision(ctx, r.Key)}
}

// storedRevision is for the message of a conflict: by now the record may have moved again.
func (db *database) storedRevision(ctx context.Context, key string) mo.Option[int64] {
	rows, err := db.stmts.revision.Query(ctx, key)
	if err != nil || len(rows) == 0 {
		return mo.None[int64]()
	}
	revision, ok := rows[0][0].(int64)
	return mo.TupleToOption(revision, ok)
}
