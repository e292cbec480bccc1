package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// limit is how long a run may take. It is a guard: a run is over long before.
const limit = 14 * time.Second

// direct starts the workers, kills one, freezes another, and tells what happened.
func direct(c config, files []string, out *timeline) effect.Effect[*story] {
	return effect.Gen(func(do effect.Do) (*story, error) {
		began := time.Now()
		c.store = do.Await(temporaryFolder())
		do.Check(writeList(c.store, files))
		leases := do.Try(lease.NewManager(do.Await(lease.OpenSQLite(filepath.Join(c.store, "leases.db"))),
			lease.Config{TTL: c.ttl, Heartbeat: c.ttl / 4}))
		table := do.Await(openTable(c))
		heard := make(chan news, c.workers)
		d := &director{config: c, out: out, leases: leases, workers: make(map[int]*process), story: &story{}, files: len(files)}
		for number := 1; number <= c.workers; number++ {
			d.workers[number] = do.Await(start(c, number, heard))
		}
		out.begin(files)
		for alive := c.workers; alive > 0; {
			select {
			case n := <-heard:
				if n.gone {
					alive--
				}
				do.Await(d.react(n))
			case <-do.Done():
				return nil, context.Cause(do)
			}
		}
		d.story.rows = do.Try(table.rows(do))
		d.story.took = time.Since(began)
		return d.story, nil
	}).Scoped().Timeout(limit)
}

func temporaryFolder() effect.Effect[string] {
	create := effect.Try(func(context.Context) (string, error) { return os.MkdirTemp("", "quickstart-*") })
	return effect.AcquireRelease(create, func(dir string, _ scope.Exit) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error { return os.RemoveAll(dir) })
	})
}

// director decides, at each checkpoint of a worker, what becomes of it.
type director struct {
	config
	out     *timeline
	leases  *lease.Manager
	workers map[int]*process
	files   int
	*story
}

// react hears one piece of news.
func (d *director) react(n news) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, err error) {
		worker := d.workers[n.Worker]
		switch {
		case n.gone:
			if n.Worker == d.killed.worker {
				d.dead = wasKilled(n.exit)
			} else if !n.exit.Success() {
				return none, fmt.Errorf("worker %d: %v", n.Worker, n.exit)
			}
		case n.Kind == took:
			d.out.took(n)
			return none, d.taken(n)
		case n.Kind == computing && d.killed.worker == 0:
			d.killed = d.takenFrom(worker, n)
			d.out.killed(d.killed)
			return none, worker.kill() // in the middle of its work, and it is never answered
		case n.Kind == computed && d.frozen.worker == 0 && (n.File != d.killed.file || d.files == 1):
			do.Await(d.freeze(worker))
			d.frozen = d.takenFrom(worker, n)
			if record, ok := do.Await(d.leases.Read(n.File)).Get(); ok {
				d.frozen.renewed = record.RenewedAt
			}
			d.out.frozen(d.frozen)
		case n.Kind == computing || n.Kind == computed:
			worker.answer(goOn)
		case n.Kind == wrote:
			d.out.wrote(n)
			if n.File == d.frozen.file && n.Worker == d.frozen.by {
				d.frozen.rewritten = true
				d.tempt()
			}
		case n.Kind == refused:
			d.out.refused(n)
			if n.Worker != d.frozen.worker || n.By != "lease" {
				worker.answer(goOn) // also a worker that lost its lease because the machine is so busy
			}
			if n.Worker == d.frozen.worker {
				d.refusals = append(d.refusals, refusal{n.By, n.Reason})
				d.tempt()
			}
		}
		return none, nil
	})
}

func (d *director) takenFrom(w *process, n news) takenOver {
	return takenOver{worker: w.number, pid: w.command.Process.Pid, file: n.File, token: n.Token, at: time.Now()}
}

// taken notes who took a lease over, and lets a frozen worker that lost its own go on.
func (d *director) taken(n news) error {
	for _, t := range []*takenOver{&d.killed, &d.frozen} {
		if t.worker != 0 && !t.done() && n.File == t.file && n.From == t.pid {
			t.by, t.byToken, t.taken, t.reason = n.Worker, n.Token, n.at, n.Reason
			d.out.takenOver(*t)
			if t == &d.frozen {
				d.out.resumed(*t)
				w := d.workers[t.worker]
				w.answer(goOn)
				return w.resume()
			}
		}
	}
	return nil
}

// freeze stops a worker, but not in the middle of a heartbeat: frozen in a transaction, it would keep all others out. When a lease can
// be taken it is in none.
func (d *director) freeze(w *process) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		for {
			do.Check(w.stop())
			probe := d.leases.Acquire("can a lease be taken?").Scoped().AsUnit()
			if do.Await(effect.TimeoutOption(probe, time.Second)).IsSome() {
				return none, nil
			}
			do.Check(w.resume())
		}
	})
}

// tempt makes the worker that came back too late write without its lease, once the right result is in the table.
func (d *director) tempt() {
	if d.frozen.rewritten && len(d.refusals) == 1 && d.refusals[0].by == "lease" {
		d.workers[d.frozen.worker].answer(insist)
	}
}
