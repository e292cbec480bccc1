package leased_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
)

type (
	unit = effect.Unit
	work = effect.Effect[effect.Unit]
)

// world is what the processes of a test share, and a journal of what they did.
type world struct {
	*testing.T
	do    effect.Do
	repo  lease.Repository
	wakes leased.Wakes

	mu    sync.Mutex
	lines []string
}

// inWorld runs a test on virtual time.
func inWorld(t *testing.T, body func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		_, err := effect.Gen(func(do effect.Do) (unit, error) {
			body(&world{T: t, do: do, repo: lease.NewMemory(), wakes: &leased.Memory{}})
			return unit{}, nil
		}).Scoped().Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	})
}

// process is one process's part of the lanes, with a manager of its own.
func (w *world) process(name string, activate func(key string, held *lease.Lease) work, change ...func(*leased.Config)) *leased.Lanes {
	w.Helper()
	leases, err := lease.NewManager(w.repo, lease.Config{TTL: 10 * time.Second, Heartbeat: time.Second})
	if err != nil {
		w.Fatal(err)
	}
	config := leased.Config{
		Lanes: lanes.Config[string]{
			MaxConcurrent: 4,
			Logger:        slog.New(slog.NewTextHandler(io.Discard, nil)),
			OnExit: func(exit lanes.ActivationExit[string]) work {
				return w.say(strings.TrimPrefix(exit.Tag(), "Activation") + " " + exit.LaneKey() + " in " + name)
			},
		},
		Leases: leases,
		Wakes:  w.wakes,
		Activate: func(key string, held *lease.Lease) work {
			return w.say("begin " + key + " in " + name).AndThen(activate(key, held))
		},
	}
	for _, c := range change {
		c(&config)
	}
	return w.do.Await(leased.New(config))
}

func (w *world) say(line string) work {
	return effect.Call(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.lines = append(w.lines, line)
	})
}

func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (w *world) expect(want ...string) {
	w.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.lines, want) {
		w.Fatalf("got\n\t%s\nwant\n\t%s", strings.Join(w.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
	w.lines = nil
}

func (w *world) expectNotes(want ...string) {
	w.Helper()
	synctest.Wait()
	if got, err := w.wakes.Keys(w.do); err != nil || !slices.Equal(got, want) {
		w.Fatalf("the notes are %q, %v; want %q", got, err, want)
	}
}

func takes(d time.Duration) func(string, *lease.Lease) work {
	return func(string, *lease.Lease) work { return effect.Sleep(d) }
}

func TestAnActivationRunsWhileItsProcessHoldsTheLease(t *testing.T) {
	inWorld(t, func(w *world) {
		var during lease.Record
		l := w.process("p", func(key string, held *lease.Lease) work {
			return effect.TryCall(func(ctx context.Context) (err error) {
				during, _, err = w.repo.Load(ctx, key)
				if held.Token().Generation != during.Generation {
					err = fmt.Errorf("token %v, record %v", held.Token(), during)
				}
				return err
			})
		})
		if got := w.do.Await(l.Wake("a")); got != lanes.WakeStarted {
			t.Errorf("got %v", got)
		}
		w.expect("begin a in p", "Succeeded a in p")
		after, _, _ := w.repo.Load(w.do, "a")
		if during.Released() || !after.Released() {
			t.Errorf("during: %+v; after: %+v", during, after)
		}
		w.expectNotes()
	})
}

func TestALaneWhoseLeaseIsHeldElsewhereGivesItsSlotAway(t *testing.T) {
	inWorld(t, func(w *world) {
		p := w.process("p", takes(5*time.Second))
		q := w.process("q", takes(time.Second), func(c *leased.Config) { c.Lanes.MaxConcurrent = 1 })
		w.pass(time.Millisecond) // their first scans are over
		w.do.Await(p.Wake("a"))
		w.pass(100 * time.Millisecond)
		w.do.Await(q.Wake("a"))
		w.do.Await(q.Wake("b"))
		w.expect("begin a in p", "begin b in q")
	})
}

func TestAWakeDuringAnActivationElsewhereIsServedAfterIt(t *testing.T) {
	inWorld(t, func(w *world) {
		slow := func(c *leased.Config) { c.ScanEvery = time.Hour } // what happens must not need the scan
		p := w.process("p", takes(5*time.Second), slow)
		q := w.process("q", takes(5*time.Second), slow)
		w.pass(time.Millisecond) // their first scans are over
		w.do.Await(p.Wake("a"))
		w.pass(time.Second)
		for range 3 {
			w.do.Await(q.Wake("a"))
		}
		w.pass(4 * time.Second)
		w.expect("begin a in p", "Succeeded a in p", "begin a in p")
		w.pass(5 * time.Second)
		w.expect("Succeeded a in p")
		w.expectNotes()
	})
}

func TestAWakeThatFindsTheQueueFullWaitsInTheStore(t *testing.T) {
	inWorld(t, func(w *world) {
		p := w.process("p", takes(time.Second), func(c *leased.Config) {
			c.Lanes.MaxConcurrent, c.Lanes.MaxQueued = 1, mo.Some(0)
		})
		w.do.Await(p.Wake("a"))
		if got := w.do.Await(p.Wake("b")); got != lanes.WakeQueued {
			t.Errorf("got %v; want queued", got)
		}
		w.pass(10 * time.Second)
		w.expect("begin a in p", "Succeeded a in p", "begin b in p", "Succeeded b in p")
	})
}

func TestAnActivationThatLosesItsLeaseIsInterruptedAndRunAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		var exit lanes.ActivationExit[string]
		p := w.process("p", func(key string, held *lease.Lease) work {
			if held.Token().Generation == 1 {
				return effect.Never[unit]().Ensuring(w.say("interrupted"))
			}
			return work{}
		}, func(c *leased.Config) {
			c.ScanEvery = 3 * time.Second
			told := c.Lanes.OnExit
			c.Lanes.OnExit = func(x lanes.ActivationExit[string]) work { exit = x; return told(x) }
		})
		w.do.Await(p.Wake("a"))
		w.pass(500 * time.Millisecond)
		record, _, err := w.repo.Load(w.do, "a")
		if err != nil {
			t.Fatal(err)
		}
		// Another holder that takes the lease over, and releases it.
		released := record
		released.Revision, released.Holder, released.HolderID = record.Revision+1, nil, ""
		if err := w.repo.Save(w.do, released, mo.Some(record.Revision)); err != nil {
			t.Fatal(err)
		}
		w.pass(600 * time.Millisecond)
		if lost, ok := errors.AsType[*lease.Lost](exit.Err()); !ok || lost.Key != "a" {
			t.Errorf("the exit is %v; want a Lost", exit.Err())
		}
		w.expectNotes("a")
		w.pass(2 * time.Second)
		w.expect("begin a in p", "interrupted", "Failed a in p", "begin a in p", "Succeeded a in p")
		w.expectNotes()
	})
}

func TestAFailureAPanicAndATimeoutServeTheWake(t *testing.T) {
	for name, end := range map[string]work{
		"Failed": effect.Fail[unit](errors.New("no disk")), "Failed by panic": effect.Die[unit]("a bug"), "Interrupted": effect.Never[unit](),
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				p := w.process("p", func(string, *lease.Lease) work { return end }, func(c *leased.Config) { c.Lanes.TurnTimeout = mo.Some(time.Second) })
				w.do.Await(p.Wake("a"))
				w.pass(10 * time.Second)
				outcome, _, _ := strings.Cut(name, " ")
				w.expect("begin a in p", outcome+" a in p")
				w.expectNotes()
			})
		})
	}
}

func TestAnActivationThatAClosingProcessInterruptsIsRunByAnother(t *testing.T) {
	inWorld(t, func(w *world) {
		p := w.process("p", takes(time.Hour))
		w.do.Await(p.Wake("a"))
		w.pass(100 * time.Millisecond)
		q := w.process("q", takes(time.Second))
		w.do.Await(p.Close())
		w.expectNotes("a")
		w.pass(3 * time.Second)
		w.expect("begin a in p", "Interrupted a in p", "begin a in q", "Succeeded a in q")
		_, err := effect.Await(w.do, p.Wake("a"))
		if _, closed := errors.AsType[*lanes.Closed](err); !closed {
			t.Errorf("got %v; want Closed", err)
		}
		w.do.Await(q.Drain())
	})
}

func TestCancelTakesTheNoteAway(t *testing.T) {
	inWorld(t, func(w *world) {
		p := w.process("p", takes(time.Hour))
		w.do.Await(p.Wake("a"))
		w.pass(100 * time.Millisecond)
		w.do.Await(p.Wake("a"))
		w.do.Await(p.Cancel("a"))
		w.expectNotes()
		w.pass(10 * time.Second)
		w.expect("begin a in p", "Interrupted a in p")
	})
}

func TestABrokenStoreIsNotTriedWithoutAPause(t *testing.T) {
	inWorld(t, func(w *world) {
		broken := &brokenRepository{Repository: w.repo}
		w.repo = broken
		p := w.process("p", takes(time.Second))
		w.do.Await(p.Wake("a"))
		w.pass(10 * time.Second)
		if n := broken.count(); n > 25 {
			t.Errorf("it was tried %d times in 10 s", n)
		}
		broken.mend()
		w.pass(3 * time.Second)
		w.mu.Lock()
		defer w.mu.Unlock()
		if got := w.lines[len(w.lines)-2:]; !slices.Equal(got, []string{"begin a in p", "Succeeded a in p"}) {
			t.Errorf("got %q", w.lines)
		}
	})
}

type brokenRepository struct {
	lease.Repository
	mu     sync.Mutex
	tries  int
	mended bool
}

func (r *brokenRepository) Load(ctx context.Context, key string) (lease.Record, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tries++; !r.mended {
		return lease.Record{}, false, &lease.RepositoryFailure{Key: key, Reason: lease.IO, Message: "no disk"}
	}
	return r.Repository.Load(ctx, key)
}

func (r *brokenRepository) count() int { r.mu.Lock(); defer r.mu.Unlock(); return r.tries }
func (r *brokenRepository) mend()      { r.mu.Lock(); defer r.mu.Unlock(); r.mended = true }

func TestAnInvalidConfigAndAnInvalidKeyAreRefused(t *testing.T) {
	inWorld(t, func(w *world) {
		leases, _ := lease.NewManager(w.repo, lease.Config{TTL: time.Second, Heartbeat: time.Millisecond})
		valid := leased.Config{Lanes: lanes.Config[string]{MaxConcurrent: 1}, Leases: leases, Wakes: w.wakes, Activate: takes(0)}
		for field, change := range map[string]func(*leased.Config){
			"Lanes.Activate": func(c *leased.Config) { c.Lanes.Activate = func(string) work { return work{} } },
			"Leases":         func(c *leased.Config) { c.Leases = nil },
			"Wakes":          func(c *leased.Config) { c.Wakes = nil },
			"Activate":       func(c *leased.Config) { c.Activate = nil },
			"ScanEvery":      func(c *leased.Config) { c.ScanEvery = -1 },
			"MaxConcurrent":  func(c *leased.Config) { c.Lanes.MaxConcurrent = 0 },
		} {
			config := valid
			change(&config)
			_, err := effect.Await(w.do, leased.New(config))
			if f, ok := errors.AsType[*lanes.ConfigInvalid](err); !ok || f.Field != field {
				t.Errorf("%s: got %v", field, err)
			}
		}
		l := w.do.Await(leased.New(valid))
		_, err := effect.Await(w.do, l.Wake(""))
		if _, ok := errors.AsType[*lease.KeyInvalid](err); !ok {
			t.Errorf("the empty key: got %v", err)
		}
		w.expectNotes()
	})
}

func TestTheLeaseKeyMayDifferFromTheLanes(t *testing.T) {
	inWorld(t, func(w *world) {
		p := w.process("p", func(_ string, held *lease.Lease) work { return w.say("holds " + held.Key()) }, func(c *leased.Config) {
			c.LeaseKey = func(key string) string { return "lane:" + key }
		})
		w.do.Await(p.Wake("a"))
		w.expect("begin a in p", "holds lane:a", "Succeeded a in p")
	})
}
