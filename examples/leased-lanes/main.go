// Command leased-lanes shares lanes between processes: start it several times in one folder, with the rooms to wake. Each room
// has one turn at a time, in whichever process gets its lease, and a room whose process is killed has its turn in another.
//
//	go run ./examples/leased-lanes -dir rooms kitchen attic
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
)

func main() {
	dir := flag.String("dir", ".", "the folder that the processes share")
	turn := flag.Duration("turn", time.Second, "how long a turn takes")
	stay := flag.Bool("stay", false, "serve the others' rooms until interrupted")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_, err := serve(*dir, *turn, *stay, flag.Args()).Scoped().Run(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve wakes the rooms, and runs turns until there is nothing left to do here, or, with stay, until it is interrupted.
func serve(dir string, turn time.Duration, stay bool, rooms []string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		do.Check(os.MkdirAll(dir, 0o755))
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: 15 * time.Second, Heartbeat: 5 * time.Second}))
		l := do.Await(leased.New(leased.Config{
			Lanes:  lanes.Config[string]{MaxConcurrent: 2, OnExit: report},
			Leases: leases,
			Wakes:  do.Await(leased.OpenSQLite(filepath.Join(dir, "wakes.db"), nil)),
			Activate: func(room string, _ *lease.Lease) effect.Effect[effect.Unit] {
				fmt.Printf("%s: a turn begins\n", room) // what it writes carries the token of the lease
				return effect.Sleep(turn)
			},
		}))
		for _, room := range rooms {
			do.Await(l.Wake(room))
		}
		if stay {
			return do.Await(effect.Never[effect.Unit]()), nil
		}
		return do.Await(l.Drain()), nil
	})
}

func report(exit lanes.ActivationExit[string]) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		if err := exit.Err(); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: the turn is over\n", exit.LaneKey())
	})
}
