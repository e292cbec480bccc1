package collab

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
)

const table = `CREATE TABLE lease_record (
	key TEXT PRIMARY KEY, generation INTEGER NOT NULL, revision INTEGER NOT NULL,
	holder TEXT, holder_id TEXT, renewed_at INTEGER NOT NULL) STRICT`

// handDatabase is one connection with the settings that the library uses.
func handDatabase(b *testing.B, synchronous string) *sql.Conn {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "leases.db"))
	check(b, err)
	b.Cleanup(func() { db.Close() })
	conn, err := db.Conn(context.Background())
	check(b, err)
	for _, statement := range []string{"PRAGMA busy_timeout = 50", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = " + synchronous, table} {
		_, err := conn.ExecContext(context.Background(), statement)
		check(b, err)
	}
	return conn
}

func insert(b *testing.B, conn *sql.Conn, key string) {
	_, err := conn.ExecContext(context.Background(), "INSERT INTO lease_record VALUES (?, 1, 1, ?, 'bench', 0)", key, holderText)
	check(b, err)
}

const (
	selectRow = "SELECT generation, revision, holder, holder_id, renewed_at FROM lease_record WHERE key = ?"
	updateRow = "UPDATE lease_record SET generation = ?, revision = ?, holder = ?, holder_id = ?, renewed_at = ? WHERE key = ? AND revision = ?"
)

// holderText is as long as what a process writes about itself.
const holderText = `{"host":"build-machine","bootId":"0f8fad5b-d9cb-469f-a165-70867728950e","pid":12345,"startTime":123456789}`

func prepare(b *testing.B, conn *sql.Conn, query string) *sql.Stmt {
	statement, err := conn.PrepareContext(context.Background(), query)
	check(b, err)
	b.Cleanup(func() { statement.Close() })
	return statement
}

// row is a record as a statement reads it.
type row struct {
	generation, revision, renewedAt int64
	holder, holderID                sql.NullString
}

func read(b *testing.B, statement *sql.Stmt, key string) (r row) {
	check(b, statement.QueryRow(key).Scan(&r.generation, &r.revision, &r.holder, &r.holderID, &r.renewedAt))
	return r
}

// HandAcquireRelease reads the row, writes a holder over the revision it had, and
// writes a tombstone over that: the same two transactions.
var HandAcquireRelease = measure.Work{Name: "database/sql by hand", Bench: func(b *testing.B) {
	conn := handDatabase(b, "FULL")
	insert(b, conn, "work")
	load, update := prepare(b, conn, selectRow), prepare(b, conn, updateRow)
	write := func(generation, revision int64, holder, id any) {
		result, err := update.Exec(generation, revision, holder, id, time.Now().UnixMilli(), "work", revision-1)
		check(b, err)
		if changed, err := result.RowsAffected(); err != nil || changed != 1 {
			b.Fatal(changed, err)
		}
	}
	for b.Loop() {
		r := read(b, load, "work")
		write(r.generation+1, r.revision+1, holderText, "0f8fad5b-d9cb-469f-a165-70867728950e")
		write(r.generation+1, r.revision+2, nil, nil)
	}
}}

// HandRead reads the row: what a refusal cannot do without.
var HandRead = measure.Work{Name: "one SELECT", Bench: func(b *testing.B) {
	conn := handDatabase(b, "FULL")
	insert(b, conn, "work")
	load := prepare(b, conn, selectRow)
	for b.Loop() {
		read(b, load, "work")
	}
}}

// HandUpdate renews rows with one statement over all of them.
func HandUpdate(count int) measure.Work {
	return measure.Work{Name: "one UPDATE", Bench: func(b *testing.B) {
		conn := handDatabase(b, "NORMAL")
		for _, key := range keys(count) {
			insert(b, conn, key)
		}
		update := prepare(b, conn, "UPDATE lease_record SET revision = revision + 1, renewed_at = ?")
		for b.Loop() {
			result, err := update.Exec(time.Now().UnixMilli())
			check(b, err)
			if changed, err := result.RowsAffected(); err != nil || changed != int64(count) {
				b.Fatal(fmt.Errorf("changed %d rows: %w", changed, err))
			}
		}
	}}
}
