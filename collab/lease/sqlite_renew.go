package lease

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"strconv"

	"github.com/rivus/agentkit/platform"
)

// renewMany renews all leases of a beat in one statement. ?2 is a JSON object from row id to the revision to replace, ?3 the
// holder of all of them. By key, or as an UPDATE ... FROM, it would take twice the time.
const renewMany = `UPDATE lease_record SET revision = revision + 1, renewed_at = ?1
	WHERE rowid IN (SELECT l.rowid FROM json_each(?2) AS w CROSS JOIN lease_record AS l
		ON l.rowid = CAST(w.key AS INTEGER) AND l.revision = w.atom AND l.holder = ?3)`

// findRows finds the row ids of a JSON array of keys.
const findRows = `SELECT l.key, l.rowid FROM json_each(?) AS w CROSS JOIN lease_record AS l ON l.key = w.value`

// rows remembers the row ids of keys. They stay as long as the schema's version does: records are never deleted, and VACUUM,
// which may number the rows anew, raises the version.
type rows struct {
	schema int64
	ids    map[string]int64
}

// errNotAll tells that some of the records to renew were at another revision.
var errNotAll = errors.New("not every record is at its revision")

// renew writes all records in one transaction.
func (db *database) renew(ctx context.Context, records []Record) (conflicts []int, err error) {
	if db.lazy {
		if _, err := db.stmts.syncLazily.Exec(ctx); err != nil {
			return nil, err
		}
		defer func() {
			// Acquisitions rely on it: were it to fail, the next beat would find no connection worth using either.
			if _, restored := db.stmts.syncFully.Exec(ctx); err == nil {
				err = restored
			}
		}()
	}
	err = platform.Immediate(ctx, db.conn, func(ctx context.Context) error { return db.renewTogether(ctx, records) })
	if !errors.Is(err, errNotAll) {
		return nil, err
	}
	err = platform.Immediate(ctx, db.conn, func(ctx context.Context) error {
		conflicts, err = db.renewEach(ctx, records)
		return err
	})
	return conflicts, err
}

// renewTogether fails with errNotAll unless every record is at its revision and held by one process.
func (db *database) renewTogether(ctx context.Context, records []Record) error {
	if len(records) == 0 {
		return nil
	}
	first := records[0].Holder
	for _, r := range records {
		if r.Holder == nil || *r.Holder != *first {
			return errNotAll
		}
	}
	if err := db.locate(ctx, records); err != nil {
		return err
	}
	revisions := []byte{'{'}
	for i, r := range records {
		id, found := db.rows.ids[r.Key]
		if !found {
			return errNotAll
		}
		if i > 0 {
			revisions = append(revisions, ',')
		}
		revisions = append(strconv.AppendInt(append(revisions, '"'), id, 10), '"', ':')
		revisions = strconv.AppendInt(revisions, r.Revision-1, 10)
	}
	revisions = append(revisions, '}')
	changed, err := db.stmts.renewMany.Exec(ctx, records[0].RenewedAt.UnixMilli(), string(revisions), string(encodeHolder(*first)))
	if err == nil && changed != int64(len(records)) {
		err = errNotAll
	}
	return err
}

// locate learns the row ids of records that it does not know yet.
func (db *database) locate(ctx context.Context, records []Record) error {
	version, err := db.stmts.schemaVersion.Query(ctx)
	if err != nil {
		return err
	}
	if schema := version[0][0].(int64); db.rows.schema != schema || len(db.rows.ids) > 2*len(records)+1000 {
		db.rows = rows{schema: schema, ids: make(map[string]int64, len(records))}
	}
	var unknown []byte
	for _, r := range records {
		if _, known := db.rows.ids[r.Key]; !known {
			unknown, err = jsontext.AppendQuote(append(unknown, ','), r.Key)
			if err != nil {
				return err
			}
		}
	}
	if unknown == nil {
		return nil
	}
	unknown[0] = '['
	found, err := db.stmts.findRows.Query(ctx, string(append(unknown, ']')))
	for _, row := range found {
		db.rows.ids[row[0].(string)] = row[1].(int64)
	}
	return err
}

// renewEach finds out which.
func (db *database) renewEach(ctx context.Context, records []Record) (conflicts []int, err error) {
	for i, r := range records {
		changed, err := db.stmts.renewOne.Exec(ctx, r.RenewedAt.UnixMilli(), r.Key, r.Revision-1)
		if err != nil {
			return nil, err
		}
		if changed == 0 {
			conflicts = append(conflicts, i)
		}
	}
	return conflicts, nil
}
