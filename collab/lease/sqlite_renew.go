package lease

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"strconv"

	"github.com/rivus/agentkit/platform"
)

// renewMany renews all leases of a beat in one statement: ?2 is a JSON object from key to the revision to replace. Looking up
// the row ids first, then updating by them, takes half the time of an UPDATE ... FROM.
const renewMany = `UPDATE lease_record SET revision = revision + 1, renewed_at = ?1
	WHERE rowid IN (SELECT l.rowid FROM json_each(?2) AS w CROSS JOIN lease_record AS l ON l.key = w.key AND l.revision = w.atom)`

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

// renewTogether fails with errNotAll if any record is at another revision.
func (db *database) renewTogether(ctx context.Context, records []Record) error {
	if len(records) == 0 {
		return nil
	}
	changed, err := db.stmts.renewMany.Exec(ctx, records[0].RenewedAt.UnixMilli(), string(appendRevisions(nil, records)))
	if err == nil && changed != int64(len(records)) {
		err = errNotAll
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

// appendRevisions appends the JSON object from each record's key to the revision before it.
func appendRevisions(b []byte, records []Record) []byte {
	b = append(b, '{')
	for i, r := range records {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, r.Key) // keys are valid UTF-8
		b = append(b, ':')
		b = strconv.AppendInt(b, r.Revision-1, 10)
	}
	return append(b, '}')
}
