// Command leader elects one leader among the processes that share a folder.
//
//	go run ./examples/leader -dir election
//
// Start it in several terminals. One leads, the others follow. When the leader is stopped (Ctrl-C or SIGTERM) or killed, a
// follower leads at once; when it is frozen (Ctrl-Z), after the TTL.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func main() {
	dir := flag.String("dir", ".", "the `folder` that the processes share")
	ttl := flag.Duration("ttl", 15*time.Second, "how long a silent leader stays one")
	flag.Parse()
	effect.Program{Report: report}.Main(run(*dir, *ttl).Scoped())
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "leader:", cause.Squash()) }

// run stands for election until it is interrupted.
func run(dir string, ttl time.Duration) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		do.Check(os.MkdirAll(dir, 0o755))
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: ttl, Heartbeat: ttl / 4}))
		return do.Await(effect.Forever(stand(leases))), nil
	})
}

// stand waits for the lease, and leads while it is held. The end of its scope gives the lease back: the next leader begins when
// this one has cleaned up, and not before. A leader that lost the lease stands again.
func stand(leases *lease.Manager) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		do.Await(say("follows"))
		held := do.Await(leases.Acquire("leader", lease.Wait))
		return do.Await(held.WhileHeld(lead(held.Token()).Scoped())), nil
	}).Scoped().CatchAs(func(lost *lease.Lost) effect.Effect[effect.Unit] { return say("leads no more: %v", lost) })
}

// lead is where the leader's work goes. What it writes carries the token. It ends when it is interrupted.
func lead(token lease.Token) effect.Effect[effect.Unit] {
	return effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] { return say("steps down") }).
		AndThen(say("leads with token %d", token.Generation)).
		AndThen(effect.Never[effect.Unit]())
}

func say(format string, args ...any) effect.Effect[effect.Unit] {
	return effect.Call(func() {
		fmt.Printf("pid %d %s\n", os.Getpid(), fmt.Sprintf(format, args...))
	})
}
