package main

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// worker is the whole program of a worker process: it takes the lease of one file after the other until all are done.
func worker(c config, parent *wire) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		store := do.Await(lease.OpenSQLite(filepath.Join(c.store, "leases.db")))
		leases := do.Try(lease.NewManager(store, lease.Config{TTL: c.ttl, Heartbeat: c.ttl / 4}))
		table := do.Await(openTable(c))
		w := &work{c, parent, leases, table}
		todo := do.Try(readList(c.store))
		for len(todo) > 0 {
			var held []string // by others
			looked := time.Now()
			for _, file := range todo {
				if time.Since(looked) > pause { // a holder may be done, or have died, since we looked
					held = slices.DeleteFunc(held, func(file string) bool { return do.Await(w.once(file)) })
					looked = time.Now()
				}
				if !do.Await(w.once(file)) {
					held = append(held, file)
				}
			}
			if todo = held; len(todo) > 0 { // nothing else is left: wait until its holder is done, dies, or falls silent
				do.Await(w.once(todo[0], lease.Wait))
			}
		}
		return none, nil
	}).Scoped()
}

// pause is how long a worker leaves the files that others hold alone.
const pause = 50 * time.Millisecond

type work struct {
	config
	parent *wire
	leases *lease.Manager
	table  *table
}

// once does one file, unless somebody else holds it; then it is false.
func (w *work) once(file string, options ...lease.AcquireOption) effect.Effect[bool] {
	return effect.Gen(func(do effect.Do) (bool, error) {
		if do.Try(w.table.done(do, file)) {
			return true, nil
		}
		held := do.Await(w.leases.Acquire(file, options...))
		if do.Try(w.table.done(do, file)) { // since we looked
			return true, nil
		}
		say := event{Worker: w.worker, File: file, Token: held.Token().Generation}
		do.Check(w.parent.tell(say.taking(held)))

		// The work: under the lease, outside the fence, as long as it takes.
		r := do.Try(compute(do, w.dir, file, func() error {
			_, err := w.parent.ask(do, say.as(computing))
			return err
		}))
		do.Try(w.parent.ask(do, say.as(computed)))

		// The write: inside the fence, with the token.
		write := func(token lease.Token) effect.Effect[effect.Unit] { return w.table.write(token, w.worker, r) }
		unfenced := w.report(say, "table", write(held.Token()))
		if w.without == "fence" {
			do.Await(unfenced)
		} else if do.Await(w.report(say, "lease", held.RunFenced(write))) == insist {
			do.Await(unfenced)
		}
		return true, nil
	}).Scoped().CatchAs(func(*lease.Held) effect.Effect[bool] { return effect.Succeed(false) })
}

// report runs a write and tells the parent what came of it. When it was refused, the parent may insist.
func (w *work) report(say event, by string, write effect.Effect[effect.Unit]) effect.Effect[answer] {
	return write.MatchEffect(
		func(err error) effect.Effect[answer] {
			if !stale(err) {
				return effect.Fail[answer](err)
			}
			return effect.Try(func(ctx context.Context) (answer, error) { return w.parent.ask(ctx, say.refusal(by, err)) })
		},
		func(effect.Unit) effect.Effect[answer] {
			return effect.Try(func(context.Context) (answer, error) { return goOn, w.parent.tell(say.as(wrote)) })
		})
}

// stale tells whether a write was refused because the lease is somebody else's by now.
func stale(err error) bool {
	_, lost := errors.AsType[*lease.Lost](err)
	_, rejected := errors.AsType[*lease.FenceRejected](err)
	return lost || rejected
}

func (e event) as(k kind) event {
	e.Kind = k
	return e
}

func (e event) refusal(by string, why error) event {
	e.Kind, e.By, e.Reason = refused, by, why.Error()
	return e
}

func (e event) taking(held *lease.Lease) event {
	e.Kind = took
	if takeover, ok := held.Takeover().Get(); ok {
		e.From, e.Reason = takeover.From.PID, string(takeover.Reason)
	}
	return e
}
