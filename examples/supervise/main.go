// Command supervise runs another command, such as a coding agent, while it holds a lease: of all that are started in one folder
// with one key, one at a time.
//
//	go run ./examples/supervise -dir leases -key agent:7 -- sh -c 'for i in 1 2 3; do echo $i; sleep 1; done'
//
// What the command says is passed on line by line. When the lease is lost its process group is killed at once; on Ctrl-C or
// SIGTERM it is asked to end first. The exit status is the command's.
//
// A supervisor that is killed or frozen cannot kill anything. So the command finds its fencing token in LEASE_TOKEN, to hand it
// to what it writes to.
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
)

func main() {
	dir := flag.String("dir", ".", "the `folder` of the leases")
	key := flag.String("key", "agent", "the `key` of the lease")
	ttl := flag.Duration("ttl", 15*time.Second, "how long a silent supervisor keeps the lease")
	grace := flag.Duration("grace", 5*time.Second, "how long the command may take to end when it is asked to")
	wait := flag.Bool("wait", false, "wait while another supervisor has the lease")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: supervise [flags] -- command [arguments]")
		os.Exit(2)
	}
	var options []lease.AcquireOption
	if *wait {
		options = append(options, lease.Wait)
	}
	program := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		do.Check(os.MkdirAll(*dir, 0o755))
		store := do.Await(lease.OpenSQLite(filepath.Join(*dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: *ttl, Heartbeat: *ttl / 4}))
		held := do.Await(leases.Acquire(*key, options...))
		return do.Await(held.WhileHeld(run(flag.Args(), held.Token(), *grace))), nil
	})
	effect.Program{Report: report}.Main(program.Scoped())
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "supervise:", cause.Squash()) }
