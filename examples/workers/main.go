// Command workers does tasks, each once, with as many processes as are started in one folder.
//
//	go run ./examples/workers -dir results a b c d e f
//
// Start it in several terminals, and kill one of them: what it was doing is done by another. With more that can go wrong, and
// the results checked: examples/quickstart.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func main() {
	dir := flag.String("dir", ".", "the `folder` of the results, which the processes share")
	takes := flag.Duration("takes", time.Second, "how long a task takes")
	flag.Parse()
	effect.Program{Report: report}.Main(work(*dir, *takes, flag.Args()).Scoped())
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "workers:", cause.Squash()) }

// work goes through the tasks until all have a result, whoever made it.
func work(dir string, takes time.Duration, tasks []string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		do.Check(os.MkdirAll(dir, 0o755))
		store := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: 10 * time.Second, Heartbeat: 2 * time.Second}))
		w := worker{dir, takes, leases}
		for todo := tasks; len(todo) > 0; {
			todo = slices.DeleteFunc(slices.Clone(todo), func(task string) bool { return do.Await(w.once(task)) })
			if len(todo) > 0 { // others hold these: wait until the first one is done, or its holder is dead or silent
				do.Await(w.once(todo[0], lease.Wait))
			}
		}
		return none, nil
	})
}

type worker struct {
	dir    string
	takes  time.Duration
	leases *lease.Manager
}

// once sees to it that the task has a result. It is false when somebody else is at it.
func (w worker) once(task string, options ...lease.AcquireOption) effect.Effect[bool] {
	other := effect.Succeed(false)
	return effect.Gen(func(do effect.Do) (bool, error) {
		if w.done(task) {
			return true, nil
		}
		held := do.Await(w.leases.Acquire(task, options...))
		if w.done(task) { // since we looked
			return true, nil
		}
		result := do.Await(held.WhileHeld(w.perform(task)))
		do.Await(held.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return w.save(task, result) }))
		return true, nil
	}).Scoped().
		CatchAs(func(*lease.Held) effect.Effect[bool] { return other }).
		CatchAs(func(*lease.Lost) effect.Effect[bool] { return other }).
		CatchAs(func(*lease.FenceRejected) effect.Effect[bool] { return other })
}

// perform is where the work goes.
func (w worker) perform(task string) effect.Effect[string] {
	return effect.Suspend(func() effect.Effect[string] {
		fmt.Printf("pid %d does %s\n", os.Getpid(), task)
		return effect.Sleep(w.takes).As(fmt.Sprintf("%s by pid %d\n", task, os.Getpid()))
	})
}

// The results are files, each written in whole or not at all.

func (w worker) path(task string) string { return filepath.Join(w.dir, task+".txt") }

func (w worker) done(task string) bool {
	_, err := os.Stat(w.path(task))
	return err == nil
}

func (w worker) save(task, result string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		draft := w.path(task) + ".draft"
		do.Check(os.WriteFile(draft, []byte(result), 0o644))
		return none, os.Rename(draft, w.path(task))
	}).Uninterruptible()
}
