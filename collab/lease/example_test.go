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
)

// Two managers stand for two processes that share a lease database.
func Example() {
	dir, err := os.MkdirTemp("", "leases")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	program := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		config := lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second}
		mine, err := lease.NewManager(store, config)
		do.Check(err)
		theirs, err := lease.NewManager(store, config)
		do.Check(err)

		l := do.Await(mine.Acquire("task:42"))
		_, err = effect.Await(do, theirs.Acquire("task:42"))
		if held, ok := errors.AsType[*lease.Held](err); ok {
			fmt.Println("the other is refused by generation", held.Generation)
		}
		do.Await(l.RunFenced(func(token lease.Token) effect.Effect[effect.Unit] {
			fmt.Println("writing with token", token)
			return effect.Succeed(effect.Unit{})
		}))
		do.Await(l.Release())

		l = do.Await(theirs.Acquire("task:42"))
		fmt.Println("now it holds", l.Token())
		return effect.Unit{}, nil
	}).Scoped()

	if _, err := program.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the other is refused by generation 1
	// writing with token task:42#1
	// now it holds task:42#2
}
