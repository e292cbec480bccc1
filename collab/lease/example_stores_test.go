package lease_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/samber/mo"
)

// inFolder calls f with a folder that is removed afterwards.
func inFolder(f func(dir string)) {
	dir, err := os.MkdirTemp("", "leases")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f(dir)
}

func ExampleOpenSQLite() {
	inFolder(func(dir string) {
		show(lease.OpenSQLite(filepath.Join(dir, "leases.db")).FlatMap(func(store *lease.SQLite) effect.Effect[string] {
			mine, theirs, _ := managers(store, nil)
			return mine.Acquire("task:42").AndThen(theirs.Read("task:42")).Map(func(found mo.Option[lease.Record]) string {
				return fmt.Sprint("held by ", found.OrEmpty().Holder)
			})
		}))
	})
	// Output: Success(held by pid 7 on host)
}

// Without SQLite each lease has files of its own.
func ExampleOpenFile() {
	inFolder(func(dir string) {
		withoutSQLite := platform.OS()
		withoutSQLite.SQLite = nil
		options := []lease.StoreOption{lease.WithPlatform(withoutSQLite)}
		show(lease.OpenFile(dir, options...).FlatMap(func(store *lease.File) effect.Effect[bool] {
			mine, _, _ := managers(store, nil)
			return mine.Acquire("task:42").AsUnit().Map(func(effect.Unit) bool {
				_, err := os.Stat(filepath.Join(dir, lease.FileName("task:42")+".lease.json"))
				return err == nil
			})
		}))
	})
	// Output: Success(true)
}

func ExampleFileName() {
	fmt.Println(lease.FileName("task:42"), lease.FileName("../up"))
	// Output: task%3A42 %2E%2E%2Fup
}

func ExampleRepositoryFailure() {
	show(lease.OpenFile("no such folder").Map(func(*lease.File) string { return "" }).
		CatchAs(func(failure *lease.RepositoryFailure) effect.Effect[string] {
			return effect.Succeed(fmt.Sprint(failure.Reason == lease.IO))
		}))
	// Output: Success(true)
}

func ExampleRevisionConflict() {
	ctx := context.Background()
	store := lease.NewMemory()
	record := lease.Record{Key: "task:42", Generation: 1, Revision: 1, RenewedAt: time.UnixMilli(0)}
	fmt.Println(store.Save(ctx, record, mo.None[int64]()))
	err := store.Save(ctx, record, mo.None[int64]()) // somebody else was first
	conflict, _ := errors.AsType[*lease.RevisionConflict](err)
	fmt.Println("revision", conflict.Stored.OrEmpty(), "is there already")
	// Output:
	// <nil>
	// revision 1 is there already
}

// counted is a repository around another one. It hides what that can do beyond the port: a manager renews one lease at a time.
type counted struct {
	lease.Repository
	saved *int
}

func (c counted) Save(ctx context.Context, record lease.Record, expected mo.Option[int64]) error {
	*c.saved++
	return c.Repository.Save(ctx, record, expected)
}

func ExampleRepository() {
	var saved int
	var store lease.Repository = counted{lease.NewMemory(), &saved}
	mine, _, _ := managers(store, nil)
	show(mine.Acquire("task:42").FlatMap((*lease.Lease).Release))
	fmt.Println(saved >= 2) // the acquisition and the tombstone
	// Output:
	// Success({})
	// true
}

func ExampleRenewer() {
	var memory lease.Repository = lease.NewMemory()
	_, atOnce := memory.(lease.Renewer)
	fmt.Println("renews many leases in one step:", atOnce)
	_, atOnce = lease.Repository(counted{memory, new(int)}).(lease.Renewer)
	fmt.Println("what wraps it:", atOnce)
	// Output:
	// renews many leases in one step: true
	// what wraps it: false
}
