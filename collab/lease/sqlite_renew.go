package lease

import (
	"cmp"
	"context"
	"encoding/json/jsontext"
	"errors"
	"slices"
	"strconv"

	"github.com/rivus/agentkit/platform"
)

// A process that holds many leases mostly took them one after the other, and then their rows lie close together. It is fastest
// to go over all rows there: revisionsNear lists those of one holder, and if they are the ones to renew, at the revisions to
// replace, renewNear renews them.
const (
	revisionsNear = `SELECT group_concat(at) FROM (SELECT rowid || ':' || revision AS at FROM lease_record
	WHERE rowid BETWEEN ?1 AND ?2 AND holder = ?3 ORDER BY rowid)`
	renewNear = `UPDATE lease_record SET revision = revision + 1, renewed_at = ?1
	WHERE rowid BETWEEN ?2 AND ?3 AND holder = ?4`

	few   = 16 // fewer rows are renewed by renewMany
	apart = 4  // and so are those that are not close together: one in so many rows at least
)

// renewMany renews all leases of a beat wherever their rows are. ?2 is a JSON object from row id to the revision to replace, ?3
// the holder of all of them. By key, or as an UPDATE ... FROM, it would take twice the time.
const renewMany = `UPDATE lease_record SET revision = revision + 1, renewed_at = ?1
	WHERE rowid IN (SELECT l.rowid FROM json_each(?2) AS w CROSS JOIN lease_record AS l
		ON l.rowid = CAST(w.key AS INTEGER) AND l.revision = w.atom AND l.holder = ?3)`

// findRows finds the row ids of a JSON array of keys.
const findRows = `SELECT l.key, l.rowid FROM json_each(?) AS w CROSS JOIN lease_record AS l ON l.key = w.value`

// rows remembers the row ids of keys since they were acquired. They stay as long as the schema's version does: the record of a
// lease that is held is never deleted, and VACUUM, which may number the rows anew, raises the version.
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
	first := records[0]
	for _, r := range records {
		if r.Holder == nil || *r.Holder != *first.Holder {
			return errNotAll
		}
	}
	if err := db.locate(ctx, records); err != nil {
		return err
	}
	rows := make([]rowAt, len(records))
	for i, r := range records {
		id, found := db.rows.ids[r.Key]
		if !found {
			return errNotAll
		}
		rows[i] = rowAt{id, r.Revision - 1}
	}
	slices.SortFunc(rows, func(a, b rowAt) int { return cmp.Compare(a.id, b.id) })
	at, holder := first.RenewedAt.UnixMilli(), string(encodeHolder(*first.Holder))
	changed, err := db.renewNear(ctx, rows, at, holder)
	if err == nil && changed == 0 {
		changed, err = db.stmts.renewMany.Exec(ctx, at, join(rows, `{"`, `":`, `,"`, "}"), holder)
	}
	if err == nil && changed != int64(len(records)) {
		err = errNotAll
	}
	return err
}

// renewNear renews rows, sorted by id, if they are close together and nobody has changed one. It has how many it renewed: all, or
// none if there is doubt.
func (db *database) renewNear(ctx context.Context, rows []rowAt, at int64, holder string) (changed int64, err error) {
	low, high := rows[0].id, rows[len(rows)-1].id
	if len(rows) < few || high-low >= int64(len(rows)*apart) {
		return 0, nil
	}
	found, err := db.stmts.revisionsNear.Query(ctx, low, high, holder)
	if err != nil || found[0][0] != join(rows, "", ":", ",", "") {
		return 0, err
	}
	return db.stmts.renewNear.Exec(ctx, at, low, high, holder)
}

// rowAt is a row and the revision that it should have.
type rowAt struct{ id, revision int64 }

func join(rows []rowAt, open, between, next, end string) string {
	all := make([]byte, 0, len(rows)*16)
	all = append(all, open...)
	for i, r := range rows {
		if i > 0 {
			all = append(all, next...)
		}
		all = append(strconv.AppendInt(all, r.id, 10), between...)
		all = strconv.AppendInt(all, r.revision, 10)
	}
	return string(append(all, end...))
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
