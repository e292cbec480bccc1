package leased_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lanes/leased"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"lanes": lanesProgram})
}

// lanesProgram is a child process with leased lanes. Arguments: the folder of the stores, how long an activation takes, and the
// TTL of its lease. A line of input "wake a" wakes a and answers "accepted a"; "end" closes. Each activation writes "begin" and
// "end", or "cut" when it is interrupted, into the folder's journal, in one write each, so that the lines of all processes are
// in the order of time.
func lanesProgram(args []string, commands *bufio.Scanner) error {
	dir := args[0]
	length, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	ttl, err := time.ParseDuration(args[2])
	if err != nil {
		return err
	}
	journal, err := os.OpenFile(filepath.Join(dir, "journal"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer journal.Close()
	note := func(what, key string) work {
		return effect.TryCall(func(context.Context) error {
			_, err := fmt.Fprintln(journal, what, key, os.Getpid())
			return err
		})
	}
	_, err = effect.Gen(func(do effect.Do) (unit, error) {
		repository := do.Await(lease.OpenSQLite(filepath.Join(dir, "leases.db")))
		leases := do.Try(lease.NewManager(repository, lease.Config{TTL: ttl, Heartbeat: ttl / 10}))
		l := do.Await(leased.New(leased.Config{
			Lanes:     lanes.Config[string]{MaxConcurrent: 2},
			Leases:    leases,
			Wakes:     journaled{do.Await(leased.OpenSQLite(filepath.Join(dir, "wakes.db"), nil)), journal},
			ScanEvery: 100 * time.Millisecond,
			Activate: func(key string, _ *lease.Lease) work {
				return note("begin", key).AndThen(effect.Sleep(length)).AndThen(note("end", key)).
					OnInterrupt(func([]errors.FiberID) work { return note("cut", key) })
			},
		}))
		fmt.Println("ready")
		for commands.Scan() {
			verb, key, _ := strings.Cut(commands.Text(), " ")
			if verb == "end" {
				return unit{}, nil
			}
			do.Await(l.Wake(key))
			fmt.Println("accepted", key)
		}
		return unit{}, nil
	}).Scoped().Run(context.Background())
	return err
}

// journaled writes into the journal which wakes are accepted. It does so before they are: no activation that serves one can
// then have begun before.
type journaled struct {
	leased.Wakes
	journal *os.File
}

func (j journaled) Note(ctx context.Context, key string) error {
	if _, err := fmt.Fprintln(j.journal, "accepted", key, os.Getpid()); err != nil {
		return err
	}
	return j.Wakes.Note(ctx, key)
}

// journalLine is one line of the journal.
type journalLine struct {
	what, key string
	pid       int
}

func readJournal(t *testing.T, dir string) (lines []journalLine) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var l journalLine
		if _, err := fmt.Sscan(line, &l.what, &l.key, &l.pid); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// served tells whether every accepted wake was followed by an activation of its key that has ended.
func served(lines []journalLine) bool {
	owed := map[string]bool{}
	begun := map[string]bool{}
	for _, l := range lines {
		switch l.what {
		case "accepted":
			owed[l.key], begun[l.key] = true, false
		case "begin":
			begun[l.key] = true
		case "end":
			if begun[l.key] {
				owed[l.key] = false
			}
		}
	}
	for _, owes := range owed {
		if owes {
			return false
		}
	}
	return true
}

// awaitServed waits until all accepted wakes are served.
func awaitServed(t *testing.T, dir string) []journalLine {
	t.Helper()
	return awaitJournal(t, dir, "all is served", served)
}

// awaitJournal reads the journal until it says what is wanted.
func awaitJournal(t *testing.T, dir, want string, says func([]journalLine) bool) []journalLine {
	t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for {
		lines := readJournal(t, dir)
		if says(lines) {
			return lines
		}
		if time.Now().After(deadline) {
			t.Fatalf("it does not say that %s: %v", want, lines)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// checkAlone fails when two activations of a key overlap. One of a killed process has no end: it is over.
func checkAlone(t *testing.T, lines []journalLine, killed map[int]bool) {
	t.Helper()
	running := map[string]int{}
	for _, l := range lines {
		switch l.what {
		case "begin":
			if by := running[l.key]; by != 0 && !killed[by] {
				t.Errorf("%s began in %d while it ran in %d", l.key, l.pid, by)
			}
			running[l.key] = l.pid
		case "end", "cut":
			if running[l.key] == l.pid {
				running[l.key] = 0
			}
		}
	}
}

func start(t *testing.T, dir, takes string) *platformtest.Child {
	t.Helper()
	return startWith(t, dir, takes, "10s")
}

func startWith(t *testing.T, dir, takes, ttl string) *platformtest.Child {
	t.Helper()
	child := platformtest.Start(t, "lanes", dir, takes, ttl)
	child.Expect("ready")
	return child
}

func wake(child *platformtest.Child, keys ...string) {
	for _, key := range keys {
		child.Send("wake " + key)
		child.Expect("accepted " + key)
	}
}

func TestProcessesThatWakeTheSameKeysNeverRunOneTwiceAtOnce(t *testing.T) {
	dir := t.TempDir()
	children := []*platformtest.Child{start(t, dir, "20ms"), start(t, dir, "20ms"), start(t, dir, "20ms")}
	for range 5 {
		for _, child := range children {
			wake(child, "a", "b", "c")
		}
	}
	lines := awaitServed(t, dir)
	checkAlone(t, lines, nil)
	for _, child := range children {
		child.Send("end")
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryWakeThatAKilledProcessAcceptedIsServedByALiveOne(t *testing.T) {
	dir := t.TempDir()
	killed := map[int]bool{}
	survivor := start(t, dir, "30ms")
	for round := range 3 {
		victim := start(t, dir, "1h") // it never serves what it accepts
		wake(victim, fmt.Sprint("x", round), fmt.Sprint("y", round), fmt.Sprint("z", round), "shared")
		wake(survivor, "shared")
		killed[victim.PID()] = true
		victim.Kill()
	}
	checkAlone(t, awaitServed(t, dir), killed)
	survivor.Send("end")
	if err := survivor.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAProcessThatStartsLaterServesTheWakesOfOnesThatWereKilled(t *testing.T) {
	dir := t.TempDir()
	victim := start(t, dir, "1h")
	wake(victim, "a", "b", "c", "d")
	victim.Kill()
	heir := start(t, dir, "10ms")
	checkAlone(t, awaitServed(t, dir), map[int]bool{victim.PID(): true})
	heir.Send("end")
	if err := heir.Wait(); err != nil {
		t.Error(err)
	}
}
