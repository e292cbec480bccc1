package guides

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/samber/mo"
	_ "modernc.org/sqlite"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

// save writes a result, unless a newer owner of the task has written before.
func save(ctx context.Context, db *sql.DB, token lease.Token, result string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := lease.AdmitToken(ctx, tx, token); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO result VALUES (?, ?)`, token.Key, result); err != nil {
		return err
	}
	return tx.Commit()
}

func Example_fencing() {
	dir, err := os.MkdirTemp("", "fencing-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", filepath.Join(dir, "results.db"))
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE result (task TEXT PRIMARY KEY, text TEXT NOT NULL)`); err != nil {
		panic(err)
	}

	ctx := context.Background()
	frozen, successor := lease.Token{Key: "task:42", Generation: 7}, lease.Token{Key: "task:42", Generation: 8}
	fmt.Println(save(ctx, db, frozen, "half done"))
	fmt.Println(save(ctx, db, successor, "done"))
	fmt.Println(save(ctx, db, frozen, "half done, too late"))
	// Output:
	// <nil>
	// <nil>
	// token 7 of lease "task:42" is refused: generation 8 is current; drop this result, the lease's new holder does the work again
}

// document is something that keeps the highest token it has seen.
type document struct {
	seen mo.Option[lease.Token]
	text string
}

// write refuses what comes too late.
func (d *document) write(token lease.Token, text string) error {
	seen, err := lease.CheckFence(d.seen, token)
	if err != nil {
		return err
	}
	d.seen, d.text = mo.Some(seen), text
	return nil
}

// The timeline of the guide: A writes only after B has taken over, because it was frozen at the wrong moment.
func TestAFrozenHoldersWriteComesAfterItsSuccessors(t *testing.T) {
	for _, c := range []struct {
		checked bool
		want    string
	}{{false, "A's old result"}, {true, "B's result"}} {
		effecttest.Bubble(t, func(t *testing.T) {
			if got := timeline(t, c.checked); got != c.want {
				t.Errorf("checked: %v: the document says %q; want %q", c.checked, got, c.want)
			}
		})
	}
}

func timeline(t *testing.T, checked bool) string {
	store := lease.NewMemory()
	fake := platformtest.New()
	fake.Processes.Start(1001)
	d := &document{}
	write := func(token lease.Token, text string) error {
		if !checked {
			d.text = text
			return nil
		}
		return d.write(token, text)
	}
	_, err := effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		a := do.Await(newManager(t, silent{store}, fake, 1000).Acquire("task:42"))
		b := do.Await(newManager(t, store, fake, 1001).Acquire("task:42", lease.Wait)) // while A is frozen, for a TTL
		do.Check(write(b.Token(), "B's result"))
		err := write(a.Token(), "A's old result") // A goes on where it stood
		if refused, ok := errors.AsType[*lease.FenceRejected](err); ok != checked || ok && refused.Current != mo.Some[int64](2) {
			t.Errorf("A's write ended with %v", err)
		}
		return none, nil
	}).Scoped().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d.text
}

// silent is the store as a frozen process uses it: nothing is renewed.
type silent struct{ *lease.Memory }

// Renew hangs.
func (silent) Renew(ctx context.Context, _ []lease.Record) ([]int, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}
