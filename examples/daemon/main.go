// Command daemon runs once a machine. A second start says who runs already, and ends with status 1.
//
//	go run ./examples/daemon daemon.lock
//
// Start it in two terminals. Ctrl-C ends the first one, and the lock is free.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: daemon <lock file>")
		os.Exit(2)
	}
	effect.Program{Report: report}.Main(daemon(os.Args[1]).Scoped())
}

// report says why the daemon ended, as a person wants to read it: without stacks.
func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "daemon:", cause.Squash()) }

// daemon holds the lock as long as it serves. It fails with *processlock.Held where another one runs.
func daemon(path string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		lock := do.Await(processlock.Acquire(path, processlock.Options{}))
		do.Await(effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] { return say("stopped") }))
		do.Await(say("serving"))
		return do.Await(effect.RaceFirst(serve, watch(lock))), nil
	})
}

// serve is where the daemon's work goes.
var serve = effect.Never[effect.Unit]()

// watch fails with *processlock.Lost when somebody removed the lock's file: the next start would then not see this process.
func watch(lock *processlock.Lock) effect.Effect[effect.Unit] {
	verify := effect.TryCall(func(ctx context.Context) error { return lock.Verify(ctx) })
	return verify.Repeat(effect.Spaced(time.Second)).AsUnit()
}

func say(what string) effect.Effect[effect.Unit] {
	return effect.Call(func() { fmt.Printf("pid %d: %s\n", os.Getpid(), what) })
}
