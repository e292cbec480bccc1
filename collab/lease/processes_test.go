package lease_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

// shared are the stores that processes share.
var shared = []string{"sqlite", "file"}

// programs are what child processes of these tests do.
var programs = map[string]platformtest.Program{"acquire": acquire, "fenced": fenced, "guard": guard, "open": openOnly}

// timing is that of the child processes, from an argument: "ttl heartbeat retry" in Go's notation.
func timing(text string) (c lease.Config) {
	var parts [3]time.Duration
	for i, part := range strings.Fields(text) {
		parts[i], _ = time.ParseDuration(part)
	}
	c.TTL, c.Heartbeat, c.Retry = parts[0], parts[1], mo.EmptyableToOption(parts[2])
	return c
}

// in runs body as an effect over the store that a child's first two arguments name.
func in(args []string, body func(do effect.Do, m *lease.Manager) error) error {
	_, err := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		m, err := lease.NewManager(do.Await(kinds[args[0]](args[1])), timing(args[2]))
		if err != nil {
			return effect.Unit{}, err
		}
		return effect.Unit{}, body(do, m)
	}).Scoped().Run(context.Background())
	return err
}

// outcome turns an acquisition into a line.
func outcome(l *lease.Lease, err error) string {
	held, refused := errors.AsType[*lease.Held](err)
	switch {
	case err == nil:
		reason := ""
		if takeover, ok := l.Takeover().Get(); ok {
			reason = " " + takeover.Reason
		}
		return fmt.Sprintf("held %d%s", l.Token().Generation, reason)
	case refused:
		return fmt.Sprintf("refused by %d", held.Holder.PID)
	}
	return err.Error()
}

// acquire is a child that says it is ready, and on a line of input acquires the key "k": arguments are the store, its directory, the
// timing and "wait" or "try". It reports the outcome, and keeps the lease until its input ends; "release" gives it back.
func acquire(args []string, commands *bufio.Scanner) error {
	var options []lease.AcquireOption
	if args[3] == "wait" {
		options = append(options, lease.Wait)
	}
	return in(args, func(do effect.Do, m *lease.Manager) error {
		fmt.Println("ready")
		commands.Scan()
		l, err := effect.Await(do, m.Acquire("k", options...))
		fmt.Println(outcome(l, err), time.Now().UnixNano())
		for commands.Scan() && commands.Text() == "release" {
			_, err := effect.Await(do, l.Release())
			fmt.Println("released", err, time.Now().UnixNano())
		}
		return nil
	})
}

// openOnly is a child that opens the database in a directory and says what comes of it.
func openOnly(args []string, _ *bufio.Scanner) error {
	_, err := kinds["sqlite"](args[0]).Scoped().Run(context.Background())
	fmt.Println("opened:", err)
	return nil
}

// fenced is a child that acquires "k", waiting, and runs fenced work that logs to the file of its fifth argument under the
// name of its sixth: start, and interrupted if it is. The work lasts until the child's input ends.
func fenced(args []string, commands *bufio.Scanner) error {
	log := func(what string) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error {
			f, err := os.OpenFile(args[4], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(f, args[5]+"-"+what)
			return errors.Join(err, f.Close())
		})
	}
	return in(args, func(do effect.Do, m *lease.Manager) error {
		l := do.Await(m.Acquire("k", lease.Wait))
		fmt.Println("held", l.Token().Generation)
		ended := make(chan struct{})
		go func() {
			commands.Scan()
			close(ended)
		}()
		_, err := effect.Await(do, l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] {
			work := effect.TryCall(func(ctx context.Context) error {
				fmt.Println("working")
				select {
				case <-ended:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
			return log("start").AndThen(work.OnInterrupt(func([]errors.FiberID) effect.Effect[effect.Unit] { return log("interrupted") }))
		}))
		fmt.Println("work ended:", err)
		return nil
	})
}

// word is the line of a child without the time at its end, and the time.
func word(child *platformtest.Child) (line string, at time.Time) {
	text := child.Line()
	i := strings.LastIndexByte(text, ' ')
	ns, _ := strconv.ParseInt(text[i+1:], 10, 64)
	return text[:i], time.Unix(0, ns)
}

// contenders starts children that acquire when told.
func contenders(t *testing.T, n int, args ...string) []*platformtest.Child {
	var children []*platformtest.Child
	for range n {
		child := platformtest.Start(t, "acquire", args...)
		child.Expect("ready")
		children = append(children, child)
	}
	return children
}

// winners tells all children to acquire at once and returns those that did, with what they said.
func winners(t *testing.T, children []*platformtest.Child) (won *platformtest.Child, said string) {
	t.Helper()
	for _, child := range children {
		child.Send("go")
	}
	n := 0
	for _, child := range children {
		line, _ := word(child)
		if strings.HasPrefix(line, "held") {
			won, said = child, line
			n++
		} else if !strings.HasPrefix(line, "refused by") {
			t.Errorf("a contender ended with %q", line)
		}
	}
	if n != 1 {
		t.Fatalf("%d of %d contenders got the lease, want exactly one", n, len(children))
	}
	return won, said
}

const minutes = "1m 15s"

// LX-1, LX-2 (S61), 5.3.10, 5.4.8
func TestOneOfFourProcessesAcquiresANewKeyAndOneTakesOverFromAKilledHolder(t *testing.T) {
	for _, store := range shared {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			holder, said := winners(t, contenders(t, 4, store, dir, minutes, "try"))
			if said != "held 1" {
				t.Errorf("the first holder said %q, want generation 1", said)
			}
			for generation := 2; generation <= 4; generation++ {
				rivals := contenders(t, 4, store, dir, minutes, "try")
				holder.Kill()
				holder, said = winners(t, rivals)
				if want := fmt.Sprintf("held %d the holder's process is gone", generation); said != want {
					t.Errorf("the winner said %q, want %q", said, want)
				}
			}
		})
	}
}

// A06
func TestTheLeaseOfAZombieIsTakenAtOnce(t *testing.T) {
	for _, store := range shared {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			holder := contenders(t, 1, store, dir, minutes, "try")
			winners(t, holder)
			holder[0].KillUnreaped()
			holder[0].AwaitZombie()
			if _, said := winners(t, contenders(t, 1, store, dir, minutes, "try")); said != "held 2 the holder's process is gone" {
				t.Errorf("said %q", said)
			}
		})
	}
}

// LX-3 (S64), 4.6.2, B08, 7.8
func TestAStoppedHoldersWorkEndsBeforeItsSuccessorsBegins(t *testing.T) {
	for _, store := range shared {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			log := dir + "/log"
			old := platformtest.Start(t, "fenced", store, dir, "500ms 100ms", "", log, "old")
			old.Expect("held 1")
			old.Expect("working")
			if store == "sqlite" {
				old.Stop(dir + "/leases.db")
			} else {
				old.Stop()
			}
			successor := platformtest.Start(t, "fenced", store, dir, "500ms 100ms", "", log, "new")
			successor.Expect("held 2")
			successor.Quiet(200 * time.Millisecond) // the fence is still the stopped process's
			old.Continue()
			if line := old.Line(); !strings.Contains(line, `lease "k" (generation 1) is lost`) {
				t.Errorf("the resumed holder's work ended with %q", line)
			}
			successor.Expect("working")
			successor.Send("end")
			successor.Expect("work ended: <nil>")
			data, err := os.ReadFile(log)
			if got := strings.Fields(string(data)); err != nil || strings.Join(got, " ") != "old-start old-interrupted new-start" {
				t.Errorf("the log is %v (%v), want old-start old-interrupted new-start", got, err)
			}
		})
	}
}

// 0.4, with a retry of a whole heartbeat
func TestAWaitingProcessGetsAKilledAndAReleasedLeaseLongBeforeItsRetry(t *testing.T) {
	for _, store := range shared {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			const rounds = 5
			var afterKill, afterRelease []time.Duration
			for range rounds {
				holder := contenders(t, 1, store, dir, minutes, "try")[0]
				waiter := contenders(t, 1, store, dir, minutes, "wait")[0]
				winners(t, []*platformtest.Child{holder})
				waiter.Send("go")
				time.Sleep(60 * time.Millisecond) // until it looks at its slowest
				killed := time.Now()
				holder.Kill()
				_, at := word(waiter)
				afterKill = append(afterKill, at.Sub(killed))

				next := contenders(t, 1, store, dir, minutes, "wait")[0]
				next.Send("go")
				time.Sleep(60 * time.Millisecond)
				waiter.Send("release")
				line, released := word(waiter)
				if line != "released <nil>" {
					t.Fatalf("the release ended with %q", line)
				}
				_, at = word(next)
				afterRelease = append(afterRelease, at.Sub(released))
				next.Send("release")
				word(next)
			}
			kill, release := median(afterKill), median(afterRelease)
			t.Logf("median after a kill %v, after a release %v", kill, release)
			if kill > 50*time.Millisecond*slowdown || release > 50*time.Millisecond*slowdown {
				t.Errorf("after a kill it took %v, after a release %v; want at most 50ms in the median", afterKill, afterRelease)
			}
		})
	}
}

func median(ds []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(ds))[len(ds)/2]
}

// D02
func TestNothingIsWrittenForALeaseAfterItsRelease(t *testing.T) {
	noFibersLeft(t)
	run(t, func(t *testing.T, do effect.Do) {
		dir := t.TempDir()
		repository := do.Await(kinds["sqlite"](dir))
		for _, store := range []lease.Repository{repository, &faultyStore{Repository: repository}} {
			m := newManager(t, store, func(c *lease.Config) { c.TTL, c.Heartbeat = time.Second, 200*time.Microsecond })
			var ends sync.WaitGroup
			for range 20 {
				for i := range 25 {
					key := fmt.Sprint("k", i)
					l := do.Await(m.Acquire(key))
					ends.Go(func() {
						time.Sleep(time.Duration(i*20) * time.Microsecond)
						if _, err := l.Release().Run(context.Background()); err != nil {
							t.Errorf("release: %v", err)
						}
						if r := load(t, context.Background(), repository, key); !r.Released() {
							t.Errorf("after the release the record is %+v", r)
						}
					})
				}
				ends.Wait()
			}
			before := load(t, do, repository, "k0").Revision
			do.Await(effect.Sleep(5 * time.Millisecond))
			if after := load(t, do, repository, "k0").Revision; after != before {
				t.Errorf("revision %d became %d after the release", before, after)
			}
		}
	})
}
