// Command first takes a lease, writes under it, and is refused a second one. It is the program of the README.
//
//	go run ./examples/first
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
)

func main() {
	program := effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		store := do.Await(lease.OpenSQLite("leases.db"))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second}))
		task := do.Await(leases.Acquire("task:42"))
		do.Await(task.RunFenced(save))
		do.Await(leases.Acquire("task:42").AsUnit().CatchAs(func(held *lease.Held) effect.Effect[effect.Unit] {
			fmt.Println("refused: token", held.Generation, "is in use")
			return effect.Succeed(effect.Unit{})
		}))
		return none, nil
	}).Scoped() // gives the lease back, whatever happens
	if _, err := program.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

func save(token lease.Token) effect.Effect[effect.Unit] {
	return effect.Call(func() { fmt.Println("saved with token", token.Generation) })
}
