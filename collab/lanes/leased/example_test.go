package leased_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// show prints how a scoped program ends.
func show[A any](e effect.Effect[A]) { fmt.Println(effect.RunExit(context.Background(), e.Scoped())) }

// machine is where the processes 7 and 8 of the examples live.
func machine() *platformtest.Fake {
	fake := platformtest.New()
	fake.Processes.Start(7)
	fake.Processes.Start(8)
	return fake
}

// leasesOf are the leases of one process.
func leasesOf(p *platform.Platform, repository lease.Repository) *lease.Manager {
	manager, err := lease.NewManager(repository, lease.Config{TTL: time.Minute, Heartbeat: time.Second, Platform: p})
	if err != nil {
		panic(err)
	}
	return manager
}

// serve is work of the examples.
func serve(key string, held *lease.Lease) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		fmt.Println("serve", key, "with token", held.Token())
	})
}

func ExampleNew() {
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		var rooms *leased.Lanes = do.Await(leased.New(leased.Config{
			Lanes:    lanes.Config[string]{MaxConcurrent: 4},
			Leases:   leasesOf(machine().As(7), lease.NewMemory()), // in a program, over a store that the processes share
			Wakes:    &leased.Memory{},                             // likewise: see OpenSQLite
			Activate: serve,
		}))
		do.Await(rooms.Wake("kitchen"))
		return do.Await(rooms.Drain()), nil
	}))
	// Output:
	// serve kitchen with token kitchen#1
	// Success({})
}

// Two processes share the notes of wakes.
func ExampleOpenSQLite() {
	dir, err := os.MkdirTemp("", "wakes")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "wakes.db")
	show(effect.Gen(func(do effect.Do) ([]string, error) {
		var mine, theirs *leased.SQLite
		mine = do.Await(leased.OpenSQLite(path, platform.OS()))
		theirs = do.Await(leased.OpenSQLite(path, platform.OS()))
		do.Check(mine.Note(do, "kitchen"))
		return theirs.Keys(do)
	}))
	// Output: Success([kitchen])
}

// A wake that comes while its key is served outlives the note that is being served.
func ExampleWakes() {
	ctx := context.Background()
	var wakes leased.Wakes = &leased.Memory{}
	_ = wakes.Note(ctx, "kitchen")
	ticket, _, _ := wakes.Find(ctx, "kitchen") // an activation begins
	_ = wakes.Note(ctx, "kitchen")
	_ = wakes.Settle(ctx, "kitchen", ticket) // and ends
	fmt.Println(wakes.Keys(ctx))
	// Output: [kitchen] <nil>
}

// The key is left to the process that has its lease; the wake is not lost.
func ExampleHeldElsewhere() {
	here, repository, wakes := machine(), lease.NewMemory(), &leased.Memory{}
	show(effect.Gen(func(do effect.Do) ([]string, error) {
		do.Await(leasesOf(here.As(8), repository).Acquire("kitchen"))
		rooms := do.Await(leased.New(leased.Config{
			Lanes:    lanes.Config[string]{MaxConcurrent: 1},
			Leases:   leasesOf(here.As(7), repository),
			Wakes:    wakes,
			Activate: serve,
		}))
		events := do.Await(rooms.Subscribe(16))
		do.Await(rooms.Wake("kitchen"))
		for event := range events {
			if event.Kind != lanes.EventEnded {
				continue
			}
			if elsewhere, ok := errors.AsType[*leased.HeldElsewhere](event.Exit.Err()); ok {
				fmt.Println(elsewhere.Key, "is left to", elsewhere.Holder)
			}
			if _, ok := errors.AsType[*leased.Served](event.Exit.Err()); ok {
				fmt.Println("somebody has served it meanwhile")
			}
			break
		}
		return wakes.Keys(do)
	}))
	// Output:
	// kitchen is left to pid 8 on host
	// Success([kitchen])
}

func ExampleStoreFailure() {
	path := filepath.Join("no such folder", "wakes.db")
	_, err := leased.OpenSQLite(path, platform.OS()).Scoped().Run(context.Background())
	if failure, ok := errors.AsType[*leased.StoreFailure](err); ok {
		fmt.Println("cannot", failure.Operation, filepath.Base(failure.Path))
	}
	// Output: cannot open wakes.db
}
