// Command handover does a job, or has the process do it that does such jobs already.
//
//	go run ./examples/handover -dir jobs "index the photos"
//
// The first start takes the lock, does its job, and then those of later starts, until there was none for a while. A later start
// sees that the lock is held, sends its job over a socket beside the lock, and waits for the answer.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// program is a start, as the command line asks for it.
type program struct {
	lock, socket string
	takes, idle  time.Duration
}

func main() {
	dir := flag.String("dir", ".", "the `folder` that the starts share")
	takes := flag.Duration("takes", time.Second, "how long a job takes this process")
	idle := flag.Duration("idle", 10*time.Second, "how long to wait for more jobs")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	p := program{filepath.Join(*dir, "worker.lock"), filepath.Join(*dir, "worker.sock"), *takes, *idle}
	effect.Program{Report: report}.Main(p.start(flag.Arg(0)))
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "handover:", cause.Squash()) }

// start hands the job over, or does it. Who holds the lock can change between the question and the deed: then it asks again.
func (p program) start(job string) effect.Effect[effect.Unit] {
	once := processlock.IsHeld(p.lock, processlock.Options{}).FlatMap(func(held bool) effect.Effect[effect.Unit] {
		if held {
			return p.handOver(job)
		}
		return p.work(job).Scoped()
	})
	return effect.RetryWith(once, effect.RetryOptions{While: changed, Schedule: effect.Spaced(50 * time.Millisecond)})
}

// changed tells whether somebody was faster to take the lock, or its holder does not listen: not yet, or not any more.
func changed(err error) bool {
	_, held := errors.AsType[*processlock.Held](err)
	_, notDone := errors.AsType[*notDone](err)
	return held || notDone
}

// work does the job and those of the others. It fails with *processlock.Held when somebody else does that.
func (p program) work(job string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		do.Check(os.MkdirAll(filepath.Dir(p.lock), 0o755))
		do.Await(processlock.Acquire(p.lock, processlock.Options{}))
		_ = os.Remove(p.socket) // of a holder that was killed: nobody but the holder of the lock may
		listener := do.Await(effect.AcquireCloser(effect.Try(func(context.Context) (*net.UnixListener, error) {
			return net.ListenUnix("unix", &net.UnixAddr{Name: p.socket, Net: "unix"})
		})))
		do.Await(p.perform(job))
		for {
			conn, more := do.Await(effect.TimeoutOption(accept(listener), p.idle)).Get()
			if !more {
				return none, nil
			}
			do.Await(p.serve(conn))
		}
	})
}

// accept waits for another start. Its context ends the waiting, since the listener's deadline does.
func accept(listener *net.UnixListener) effect.Effect[net.Conn] {
	return effect.Try(func(ctx context.Context) (net.Conn, error) {
		defer context.AfterFunc(ctx, func() { _ = listener.SetDeadline(time.Now()) })()
		return listener.Accept()
	})
}

// perform is where the work goes.
func (p program) perform(job string) effect.Effect[effect.Unit] {
	return effect.Suspend(func() effect.Effect[effect.Unit] {
		fmt.Printf("pid %d does %q\n", os.Getpid(), job)
		return effect.Sleep(p.takes)
	})
}
