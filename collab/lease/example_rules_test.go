package lease_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/samber/mo"
)

// A resource remembers the highest token it has seen.
func ExampleCheckFence() {
	var last mo.Option[lease.Token]
	write := func(token lease.Token) {
		newest, err := lease.CheckFence(last, token)
		if err != nil {
			fmt.Println("refused:", token)
			return
		}
		last = mo.Some(newest)
		fmt.Println("written with", token)
	}
	write(lease.Token{Key: "task:42", Generation: 1})
	write(lease.Token{Key: "task:42", Generation: 2}) // the next holder
	write(lease.Token{Key: "task:42", Generation: 1}) // the first one wakes up
	// Output:
	// written with task:42#1
	// written with task:42#2
	// refused: task:42#1
}

// The same check in the transaction of the write itself.
func ExampleAdmitToken() {
	inFolder(func(dir string) {
		ctx := context.Background()
		if err := platform.PrepareSQLite(); err != nil { // leases may be opened after this database
			fmt.Println(err)
			return
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, "results.db"))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer db.Close()
		save := func(token lease.Token) error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if err := lease.AdmitToken(ctx, tx, token); err != nil {
				return err
			}
			return tx.Commit() // after the writes
		}
		fmt.Println(save(lease.Token{Key: "task:42", Generation: 2}))
		late, ok := errors.AsType[*lease.FenceRejected](save(lease.Token{Key: "task:42", Generation: 1}))
		fmt.Println(ok, late.Generation, "comes after", late.Current.OrEmpty())
	})
	// Output:
	// <nil>
	// true 1 comes after 2
}

func ExampleNextToken() {
	tombstone := lease.Record{Key: "task:42", Generation: 3, Revision: 9}
	fmt.Println(lease.NextToken(mo.None[lease.Record](), "task:42"))
	fmt.Println(lease.NextToken(mo.Some(tombstone), "task:42"))
	// Output:
	// task:42#1
	// task:42#4
}

func ExampleRecord() {
	tombstone := lease.Record{Key: "task:42", Generation: 3, Revision: 9}
	fmt.Println(tombstone.Token(), tombstone.Released(), tombstone.Validate())
	tombstone.Revision = 1 // fewer writes than acquisitions
	failure, _ := errors.AsType[*lease.RepositoryFailure](tombstone.Validate())
	fmt.Println(failure.Reason == lease.InvalidRecord)
	// Output:
	// task:42#3 true <nil>
	// true
}

// May this lease be taken? Only the observer's own clock takes part.
func ExampleCanAcquire() {
	const ttl = time.Minute
	holder := platform.ProcessIdentity{Host: "build-3", BootID: "b", PID: 42, StartTime: 7}
	record := lease.Record{Key: "task:42", Generation: 1, Revision: 5, Holder: &holder, HolderID: "h"}
	var seen lease.Observation
	seen = seen.Observe(record, 0, 0)
	for _, now := range []time.Duration{time.Second, ttl} {
		fresh := lease.IsFresh(record, seen, now, ttl)
		fmt.Println(fresh,
			lease.CanAcquire(record, platform.LivenessAlive, fresh),
			lease.CanAcquire(record, platform.LivenessDead, fresh))
	}
	// Output:
	// true false true
	// false true true
}

func ExampleHolderLiveness() {
	holder := platform.ProcessIdentity{Host: "build-3", BootID: "b", PID: 42, StartTime: 7}
	rebooted := holder
	rebooted.BootID, rebooted.PID = "c", 43
	fmt.Println(lease.HolderLiveness(holder, rebooted, platform.ProcessIdentity{}, false))
	// Output: {dead the holder's boot is over}
}
