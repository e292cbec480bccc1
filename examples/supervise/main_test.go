//go:build unix

package main

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"supervise": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"supervise"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

func supervise(t *testing.T, dir, script string, flags ...string) *platformtest.Child {
	t.Helper()
	args := append([]string{"-dir", dir, "-key", "k"}, flags...)
	return platformtest.Start(t, "supervise", append(args, "--", "sh", "-c", script)...)
}

func status(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// family is a script that says its process id and that of a child, and goes on for ever.
const family = `sleep 1000 & echo $$ $!; wait`

// pids are the process ids that such a script says.
func pids(t *testing.T, line string) (found []int) {
	t.Helper()
	text, _ := strings.CutPrefix(line, "k| ")
	for _, word := range strings.Fields(text) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatalf("it says %q", line)
		}
		found = append(found, pid)
	}
	t.Cleanup(func() { _ = syscall.Kill(-found[0], syscall.SIGKILL) }) // where the test kills the supervisor
	return found
}

// expectGone wants the processes dead. They die a moment after they are killed.
func expectGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for deadline := time.Now().Add(10 * time.Second); running(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("pid %d is still running", pid)
				break
			}
		}
	}
}

// running is false for a zombie too: that its parent has not waited for it is no life.
func running(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

func TestTheOutputIsPassedOnLineByLineAndTheStatusIsTheCommands(t *testing.T) {
	c := supervise(t, t.TempDir(), `echo $LEASE_KEY $LEASE_TOKEN; echo error >&2; printf unfinished; exit 3`)
	c.Expect("k| k 1")
	c.Expect("k| error")
	c.Expect("k| unfinished")
	c.Line() // the report
	if got := status(c.Wait()); got != 3 {
		t.Errorf("status %d", got)
	}
}

func TestASecondSupervisorIsRefused(t *testing.T) {
	dir := t.TempDir()
	first := supervise(t, dir, family)
	pids(t, first.Line())
	second := supervise(t, dir, family)
	if line, want := second.Line(), fmt.Sprintf("pid %d", first.PID()); !strings.Contains(line, want) {
		t.Errorf("it says %q, which lacks %q", line, want)
	}
	if got := status(second.Wait()); got != 1 {
		t.Errorf("status %d", got)
	}
}

func TestTheProcessGroupIsKilledWhenTheLeaseCannotBeRenewed(t *testing.T) {
	dir := t.TempDir()
	c := supervise(t, dir, `trap "" TERM; `+family, "-ttl", "1s", "-grace", "1h")
	group := pids(t, c.Line())
	db, err := sql.Open("sqlite", filepath.Join(dir, "leases.db")+"?_txlock=exclusive&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.Begin() // nobody else can write
	if err != nil {
		t.Fatal(err)
	}
	expectGone(t, group)
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if line := c.Line(); !strings.Contains(line, `lease "k" (generation 1) is lost`) {
		t.Errorf("it says %q", line)
	}
}

func TestASupervisorThatWasFrozenKillsItsProcessGroupWhenItWakes(t *testing.T) {
	dir := t.TempDir()
	frozen := supervise(t, dir, family, "-ttl", "1s")
	group := pids(t, frozen.Line())
	frozen.Stop(filepath.Join(dir, "leases.db"))
	next := supervise(t, dir, `echo token $LEASE_TOKEN`, "-ttl", "1s", "-wait")
	next.Expect("k| token 2")
	frozen.Continue()
	if line := frozen.Line(); !strings.Contains(line, `lease "k" (generation 1) is lost`) {
		t.Errorf("it says %q", line)
	}
	if got := status(frozen.Wait()); got != 1 {
		t.Errorf("status %d", got)
	}
	expectGone(t, group)
}

func TestATermSignalAsksTheCommandToEnd(t *testing.T) {
	c := supervise(t, t.TempDir(), `trap "echo bye; exit 0" TERM; `+family, "-grace", "1h")
	group := pids(t, c.Line())
	if err := syscall.Kill(c.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.Expect("k| bye")
	if got := status(c.Wait()); got != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d", got)
	}
	expectGone(t, group)
}

func TestWhatTheCommandLeavesBehindIsKilled(t *testing.T) {
	c := supervise(t, t.TempDir(), `sleep 1000 & echo $$ $!`, "-grace", "1h")
	group := pids(t, c.Line())
	if got := status(c.Wait()); got != 0 {
		t.Errorf("status %d", got)
	}
	expectGone(t, group)
}

func TestACommandThatDoesNotEndWhenItIsAskedToIsKilled(t *testing.T) {
	c := supervise(t, t.TempDir(), `trap "" TERM; `+family, "-grace", "100ms")
	group := pids(t, c.Line())
	if err := syscall.Kill(c.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := status(c.Wait()); got != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d", got)
	}
	expectGone(t, group)
}
