package fencepg_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/lib/pq"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/lease/fencepg"
)

// open opens a schema of the test's own on the server that the environment names.
func open(t *testing.T) *sql.DB {
	t.Helper()
	dsn := os.Getenv("AGENTKIT_POSTGRES_DSN")
	if dsn == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI must have a PostgreSQL server: set AGENTKIT_POSTGRES_DSN")
		}
		t.Skip("there is no PostgreSQL server; set AGENTKIT_POSTGRES_DSN to run this test")
	}
	admin, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf("fencepg_%d_%s", os.Getpid(), t.Name())
	if _, err := admin.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	db, err := sql.Open("postgres", dsn+separator+"search_path="+schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := admin.Exec("DROP SCHEMA " + schema + " CASCADE")
		if err := errors.Join(err, db.Close(), admin.Close()); err != nil {
			t.Error(err)
		}
	})
	return db
}

// admit tries a token in a transaction of its own, and commits if it is admitted.
func admit(t *testing.T, db *sql.DB, token lease.Token) error {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := fencepg.AdmitToken(t.Context(), tx, token); err != nil {
		return err
	}
	return tx.Commit()
}

func TestATokenIsAdmittedUnlessALargerOneWasSeen(t *testing.T) {
	db := open(t)
	for _, token := range []lease.Token{{Key: "a", Generation: 1}, {Key: "a", Generation: 1}, {Key: "a", Generation: 3}, {Key: "b", Generation: 1}} {
		if err := admit(t, db, token); err != nil {
			t.Fatal(err)
		}
	}
	rejected, ok := errors.AsType[*lease.FenceRejected](admit(t, db, lease.Token{Key: "a", Generation: 2}))
	if !ok || rejected.Key != "a" || rejected.Generation != 2 || rejected.Current.OrEmpty() != 3 {
		t.Errorf("token 2 after 3: %+v", rejected)
	}
	if err := admit(t, db, lease.Token{Key: "a", Generation: 4}); err != nil {
		t.Error(err)
	}
	if _, ok := errors.AsType[*lease.KeyInvalid](admit(t, db, lease.Token{Key: "a\x00", Generation: 1})); !ok {
		t.Error("a key with a NUL is not refused as a key")
	}
}

func TestATokenThatIsRolledBackWasNotSeen(t *testing.T) {
	db := open(t)
	if err := admit(t, db, lease.Token{Key: "a", Generation: 1}); err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := fencepg.AdmitToken(t.Context(), tx, lease.Token{Key: "a", Generation: 9}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := admit(t, db, lease.Token{Key: "a", Generation: 2}); err != nil {
		t.Error(err)
	}
}

func TestConcurrentWritersNeverCommitASmallerTokenAfterALarger(t *testing.T) {
	db := open(t)
	if _, err := db.Exec("CREATE TABLE accepted (seq bigserial PRIMARY KEY, generation bigint)"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for writer := range 8 { // the first of them make the table of tokens at once
		all.Go(func() {
			for i := range 20 {
				token := lease.Token{Key: "a", Generation: int64(1 + (i*8+writer)/3)}
				tx, err := db.BeginTx(t.Context(), nil)
				if err != nil {
					t.Error(err)
					return
				}
				err = fencepg.AdmitToken(t.Context(), tx, token)
				if _, stale := errors.AsType[*lease.FenceRejected](err); stale {
					_ = tx.Rollback()
					continue
				}
				if err == nil {
					_, err = tx.Exec("INSERT INTO accepted (generation) VALUES ($1)", token.Generation)
				}
				if err == nil {
					err = tx.Commit()
				}
				if err != nil {
					t.Errorf("%v: %v", token, err)
				}
			}
		})
	}
	all.Wait()
	var backwards, accepted int
	err := db.QueryRow(`SELECT count(*) FILTER (WHERE generation < before), count(*)
		FROM (SELECT generation, lag(generation, 1, 0::bigint) OVER (ORDER BY seq) AS before FROM accepted) AS s`).Scan(&backwards, &accepted)
	if err != nil || backwards > 0 || accepted == 0 {
		t.Errorf("%d of %d accepted writes went back (%v)", backwards, accepted, err)
	}
}
