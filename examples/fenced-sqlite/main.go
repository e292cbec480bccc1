// Command fenced-sqlite writes notes into a database of its own, each by the holder of a lease. The write carries the lease's
// token, and the database refuses it when it has seen a newer one.
//
//	go run ./examples/fenced-sqlite -dir notes
//
// It takes the lease, asks for a note, and writes it. To see a stale owner refused: start it in two terminals, the second one
// waits. Freeze the first one with Ctrl-Z, and after the TTL the second one has the lease: write its note. Then wake the first
// one with fg, and write too late.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"

	_ "modernc.org/sqlite"
)

func main() {
	dir := flag.String("dir", ".", "the `folder` of the databases")
	ttl := flag.Duration("ttl", 5*time.Second, "how long a silent holder keeps the lease")
	flag.Parse()
	effect.Program{Report: report}.Main(write(*dir, *ttl, lines(os.Stdin)).Scoped())
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "fenced-sqlite:", cause.Squash()) }

// write takes the lease, and writes the next line with its token.
func write(dir string, ttl time.Duration, lines <-chan string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		do.Check(os.MkdirAll(dir, 0o755))
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: ttl, Heartbeat: ttl / 4}))
		notes := do.Await(openNotes(filepath.Join(dir, "notes.db")))
		held := do.Await(leases.Acquire("notes", lease.Wait))

		fmt.Printf("token %d; a note, please:\n", held.Token().Generation)
		note := do.Await(effect.Receive(lines)) // a process that is frozen here does not learn that its lease is lost

		do.Check(insert(do, notes, held.Token(), note))
		fmt.Printf("written with token %d\n", held.Token().Generation)
		return none, nil
	})
}

// openNotes opens the database of the notes. BEGIN IMMEDIATE makes a transaction wait for its turn instead of failing.
func openNotes(path string) effect.Effect[*sql.DB] {
	return effect.Gen(func(do effect.Do) (*sql.DB, error) {
		db := do.Await(effect.AcquireCloser(effect.Try(func(context.Context) (*sql.DB, error) {
			return sql.Open("sqlite", path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
		})))
		do.Try(db.ExecContext(do, `CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL, token INTEGER NOT NULL)`))
		return db, nil
	})
}

// insert is plain Go: the check and the write are one transaction. It fails with *lease.FenceRejected when a newer token was here.
func insert(ctx context.Context, notes *sql.DB, token lease.Token, note string) error {
	tx, err := notes.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := lease.AdmitToken(ctx, tx, token); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO notes VALUES (?, ?)`, note, token.Generation); err != nil {
		return err
	}
	return tx.Commit()
}

// lines are those of in. Reading blocks whatever interrupts the program, so it has a goroutine of its own.
func lines(in io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			out <- scanner.Text()
		}
	}()
	return out
}
