package platform_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestImmediateRollsBackAfterEveryError(t *testing.T) { // field fact 5, LM-24
	path := filepath.Join(t.TempDir(), "f")
	fake := platformtest.NewSQLite(db)
	c, err := fake.Open(t.Context(), path, platform.ReadWriteCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	must(t, c, "CREATE TABLE t (a)")
	insert := func(ctx context.Context) error {
		_, err := c.Exec(ctx, "INSERT INTO t VALUES (1)")
		return err
	}
	is := func(want string) func(string) bool { return func(sql string) bool { return sql == want } }
	boom := errors.New("boom")
	for name, fault := range map[string]platformtest.Fault{
		"begin that took effect":     {Match: is("BEGIN IMMEDIATE"), Err: boom, Applied: true, Times: 1},
		"statement of the body":      {Match: is("INSERT INTO t VALUES (1)"), Err: boom, Applied: true, Times: 1},
		"commit that did not happen": {Match: is("COMMIT"), Err: boom, Times: 1},
	} {
		remove := fake.Inject(fault)
		if err := platform.Immediate(t.Context(), c, insert); !errors.Is(err, boom) {
			t.Errorf("%s: %v; want the fault", name, err)
		}
		remove()
		unlocked(t, path, name)
	}
	func() {
		defer func() { _ = recover() }()
		_ = platform.Immediate(t.Context(), c, func(ctx context.Context) error { panic(insert(ctx)) })
	}()
	unlocked(t, path, "panic")
	if rows, err := c.Query(t.Context(), "SELECT count(*) FROM t"); err != nil || rows[0][0] != int64(0) {
		t.Errorf("%v rows, %v; want none", rows, err)
	}
	if err := platform.Immediate(t.Context(), c, insert); err != nil {
		t.Error(err)
	}
	if rows, err := c.Query(t.Context(), "SELECT count(*) FROM t"); err != nil || rows[0][0] != int64(1) {
		t.Errorf("%v rows, %v; want one", rows, err)
	}
}

// unlocked requires that nobody holds a lock on the database.
func unlocked(t *testing.T, path, when string) {
	t.Helper()
	f, err := db.OpenLockFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if state, err := f.State(); err != nil || state != platform.LockFree {
		t.Errorf("%s: the kernel shows lock state %v, %v; want none", when, state, err)
	}
}

// The field's case asks for 12 s.
var interruptFor = flag.Duration("interrupt.for", 500*time.Millisecond, "how long transactions are interrupted")

func TestAnInterruptedTransactionLeavesNoLock(t *testing.T) { // C02
	path := filepath.Join(t.TempDir(), "f")
	must(t, open(t, path), "CREATE TABLE t (a)")
	other := platformtest.Start(t, "hold briefly", path)
	other.Expect("holding")
	c := open(t, path)
	must(t, c, "PRAGMA busy_timeout = 10000")
	failed := 0
	for end := time.Now().Add(*interruptFor); time.Now().Before(end); {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(100+rand.IntN(4900))*time.Microsecond)
		err := platform.Immediate(ctx, c, func(ctx context.Context) error {
			_, err := c.Exec(ctx, "INSERT INTO t VALUES (1)")
			return err
		})
		cancel()
		if err == nil {
			continue
		}
		failed++
		// The other process may hold the lock; this one must not, so a transaction can be begun at once or after it.
		if _, err := c.Exec(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Fatalf("after an interruption: %v", err)
		}
		must(t, c, "ROLLBACK")
	}
	t.Logf("%d interrupted transactions", failed)
	if failed == 0 {
		t.Error("no transaction was interrupted")
	}
}

func ExampleImmediate() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	conn, err := platform.OS().SQLite.Open(ctx, filepath.Join(dir, "counters.db"), platform.ReadWriteCreate)
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	err = platform.Immediate(ctx, conn, func(ctx context.Context) error {
		if _, err := conn.Exec(ctx, "CREATE TABLE counter (n INTEGER)"); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "INSERT INTO counter VALUES (?)", 41)
		return err
	})
	rows, _ := conn.Query(ctx, "SELECT n + 1 FROM counter")
	fmt.Println(rows[0][0], err)
	// Output: 42 <nil>
}
