package lease_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/rivus/agentkit/collab/lease"
)

// admit tries tokens of one key, a transaction each, and commits the ones that are admitted.
func admit(t *testing.T, db *sql.DB, tokens ...lease.Token) (refused []error) {
	t.Helper()
	for _, token := range tokens {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := lease.AdmitToken(t.Context(), tx, token); err != nil {
			refused = append(refused, err)
			err = tx.Rollback()
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return refused
}

func openDatabase(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestATokenIsAdmittedUnlessALargerOneWasSeen(t *testing.T) {
	db := openDatabase(t)
	a := func(generation int64) lease.Token { return lease.Token{Key: "a", Generation: generation} }
	if refused := admit(t, db, a(1), a(1), a(3), lease.Token{Key: "b", Generation: 1}); len(refused) > 0 {
		t.Fatal(refused)
	}
	refused := admit(t, db, a(2))
	if len(refused) != 1 {
		t.Fatalf("token 2 after 3: refused %v", refused)
	}
	rejected, ok := errors.AsType[*lease.FenceRejected](refused[0])
	if !ok || rejected.Key != "a" || rejected.Generation != 2 || rejected.Current.OrEmpty() != 3 {
		t.Errorf("got %#v", refused[0])
	}
	if refused := admit(t, db, a(3), a(4)); len(refused) > 0 {
		t.Error(refused)
	}
}

func TestATokenThatIsRolledBackWasNotSeen(t *testing.T) {
	db := openDatabase(t)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.AdmitToken(t.Context(), tx, lease.Token{Key: "a", Generation: 9}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if refused := admit(t, db, lease.Token{Key: "a", Generation: 1}); len(refused) > 0 {
		t.Error(refused)
	}
}

func TestATokenWithoutAKeyIsRefused(t *testing.T) {
	refused := admit(t, openDatabase(t), lease.Token{Generation: 1})
	if len(refused) != 1 {
		t.Fatal("admitted")
	}
	if _, ok := errors.AsType[*lease.KeyInvalid](refused[0]); !ok {
		t.Errorf("got %v", refused[0])
	}
}
