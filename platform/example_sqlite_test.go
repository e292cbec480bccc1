package platform_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rivus/agentkit/platform"
)

func ExampleSQLite() {
	inFolder(func(dir string) {
		ctx := context.Background()
		var sqlite platform.SQLite = platform.OS().SQLite
		var conn platform.SQLiteConn
		conn, err := sqlite.Open(ctx, filepath.Join(dir, "tasks.db"), platform.ReadWriteCreate)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close()
		_, _ = conn.Exec(ctx, "CREATE TABLE task (name TEXT)")
		fmt.Println(conn.Exec(ctx, "INSERT INTO task VALUES (?), (?)", "a", "b"))
		var rows []platform.Row
		rows, _ = conn.Query(ctx, "SELECT name, length(name) FROM task ORDER BY name")
		fmt.Println(rows)
	})
	// Output:
	// 2 <nil>
	// [[a 1] [b 1]]
}

func ExampleSQLiteStmt() {
	inFolder(func(dir string) {
		ctx := context.Background()
		conn, err := platform.OS().SQLite.Open(ctx, filepath.Join(dir, "tasks.db"), platform.ReadWriteCreate)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close()
		_, _ = conn.Exec(ctx, "CREATE TABLE task (name TEXT)")
		var insert platform.SQLiteStmt
		insert, _ = conn.Prepare(ctx, "INSERT INTO task VALUES (?)")
		defer insert.Close()
		for _, name := range []string{"a", "b"} {
			fmt.Println(insert.Exec(ctx, name))
		}
	})
	// Output:
	// 1 <nil>
	// 1 <nil>
}

// After an error nothing is left of it.
func ExampleImmediate_rollback() {
	inFolder(func(dir string) {
		ctx := context.Background()
		conn, err := platform.OS().SQLite.Open(ctx, filepath.Join(dir, "tasks.db"), platform.ReadWriteCreate)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close()
		_, _ = conn.Exec(ctx, "CREATE TABLE task (name TEXT)")
		err = platform.Immediate(ctx, conn, func(ctx context.Context) error {
			_, _ = conn.Exec(ctx, "INSERT INTO task VALUES ('a')")
			return errors.New("not this time")
		})
		rows, _ := conn.Query(ctx, "SELECT count(*) FROM task")
		fmt.Println(err, rows) // rolled back
	})
	// Output: not this time [[0]]
}

func ExampleSQLiteFailure() {
	inFolder(func(dir string) {
		ctx := context.Background()
		path := filepath.Join(dir, "tasks.db")
		first, _ := platform.OS().SQLite.Open(ctx, path, platform.ReadWriteCreate)
		second, _ := platform.OS().SQLite.Open(ctx, path, platform.ReadWrite)
		defer first.Close()
		defer second.Close()
		err := platform.Immediate(ctx, first, func(ctx context.Context) error {
			return platform.Immediate(ctx, second, func(context.Context) error { return nil })
		})
		if failure, ok := errors.AsType[*platform.SQLiteFailure](err); ok {
			fmt.Println(failure.Busy(), failure.Primary() == platform.SQLiteBusy)
		}
	})
	// Output: true true
}

func ExampleSQLitePathInvalid() {
	_, err := platform.OS().SQLite.Open(context.Background(), ":memory:", platform.ReadWriteCreate)
	if refused, ok := errors.AsType[*platform.SQLitePathInvalid](err); ok {
		fmt.Println("refused:", refused.Path)
	}
	// Output: refused: :memory:
}

// At the start of main, where other code of the program opens databases too.
func ExamplePrepareSQLite() {
	err := platform.PrepareSQLite()
	if _, late := errors.AsType[*platform.LockKindTooLate](err); late {
		fmt.Println("some package locked a database before: call it earlier")
	}
	fmt.Println(err)
	// Output: <nil>
}

// A program may use what the system has, and leave a part of it out.
func ExamplePlatform() {
	var withoutSQLite *platform.Platform = platform.OS()
	withoutSQLite.SQLite = nil // locks and leases are files then
	fmt.Println(withoutSQLite.SQLite == nil, platform.OS().SQLite == nil)
	// Output: true false
}
