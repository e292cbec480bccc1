package guides

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
)

func say(text string) effect.Effect[effect.Unit] {
	return effect.Call(func() { fmt.Println(text) })
}

// daemon serves as the only one of its machine, or hands over to the one that does.
func daemon(path string) effect.Effect[effect.Unit] {
	serve := say("serving")
	return processlock.Acquire(path, processlock.Options{}).AndThen(serve).Scoped().
		CatchAs(func(held *processlock.Held) effect.Effect[effect.Unit] { return say("one runs already") })
}

// work does a task that one process at a time may do.
func work(leases *lease.Manager, task string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		held := do.Await(leases.Acquire(task))
		return do.Await(held.RunFenced(func(token lease.Token) effect.Effect[effect.Unit] {
			return say("writing as " + token.String())
		})), nil
	}).Scoped()
}

// rooms runs turns: of each room one at a time, two at a time in all.
func rooms(do effect.Do) *lanes.Lanes[string] {
	return do.Await(lanes.New(lanes.Config[string]{
		MaxConcurrent: 2,
		Activate:      func(room string) effect.Effect[effect.Unit] { return say("a turn of " + room) },
	}))
}

func Example_choosing() {
	dir, err := os.MkdirTemp("", "choosing-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	program := effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		path := filepath.Join(dir, "daemon.lock")
		do.Await(daemon(path))
		do.Await(processlock.Acquire(path, processlock.Options{}))
		do.Await(daemon(path))

		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second}))
		do.Await(work(leases, "task:42"))

		l := rooms(do)
		do.Await(l.Wake("kitchen"))
		do.Await(l.Drain())
		return none, nil
	}).Scoped()
	if _, err := program.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// serving
	// one runs already
	// writing as task:42#1
	// a turn of kitchen
}
