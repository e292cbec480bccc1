//go:build unix

package main

import (
	"bufio"
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

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"handover": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"handover"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

// folder is one with a short path: that of a socket has a limit of about a hundred bytes.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func start(t *testing.T, dir, takes, idle, job string) *platformtest.Child {
	t.Helper()
	return platformtest.Start(t, "handover", "-dir", dir, "-takes", takes, "-idle", idle, job)
}

func does(c *platformtest.Child, job string) string {
	return fmt.Sprintf("pid %d does %q", c.PID(), job)
}

func hands(c *platformtest.Child, job string) string {
	return fmt.Sprintf("pid %d hands %q over", c.PID(), job)
}

func ends(t *testing.T, c *platformtest.Child) {
	t.Helper()
	if err := c.Wait(); err != nil {
		t.Errorf("pid %d: %v", c.PID(), err)
	}
}

func TestTheHolderDoesTheJobsOfLaterStarts(t *testing.T) {
	dir := folder(t)
	holder := start(t, dir, "10ms", "1m", "paint")
	holder.Expect(does(holder, "paint"))
	for _, job := range []string{"wash", "two\nlines"} {
		later := start(t, dir, "10ms", "1m", job)
		holder.Expect(does(holder, job))
		later.Expect(hands(later, job))
		later.Expect(fmt.Sprintf("pid %d has done %q", holder.PID(), job))
		ends(t, later)
	}
}

func TestAJobOfAHolderThatIsKilledIsDoneByItsOwner(t *testing.T) {
	dir := folder(t)
	holder := start(t, dir, "1h", "1h", "paint")
	holder.Expect(does(holder, "paint"))
	waiting := start(t, dir, "10ms", "10ms", "wash")
	waiting.Expect(hands(waiting, "wash"))
	holder.Kill()
	waiting.Expect(does(waiting, "wash"))
	ends(t, waiting)
}

func TestAStartAsksAgainWhoHoldsTheLockWhenNobodyListens(t *testing.T) {
	dir := folder(t)
	lock, err := processlock.Take(t.Context(), filepath.Join(dir, "worker.lock"), processlock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, dir, "10ms", "10ms", "paint")
	c.Quiet(300 * time.Millisecond) // it finds the lock held, and no socket
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	c.Expect(does(c, "paint"))
	ends(t, c)
}

func TestAStartThatComesSecondToTheLockAsksAgain(t *testing.T) {
	p := program{lock: filepath.Join(t.TempDir(), "worker.lock")}
	lock, err := processlock.Take(t.Context(), p.lock, processlock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := p.work("paint").Scoped().Run(t.Context()); !changed(err) {
		t.Errorf("it ends with %v", err)
	}
}

func TestAfterTheHolderHasEndedTheNextStartIsTheHolder(t *testing.T) {
	dir := folder(t)
	for range 2 {
		holder := start(t, dir, "10ms", "10ms", "paint")
		holder.Expect(does(holder, "paint"))
		ends(t, holder)
	}
}

func TestATermSignalEndsAHolderThatWaits(t *testing.T) {
	dir := folder(t)
	holder := start(t, dir, "1ms", "1h", "paint")
	holder.Expect(does(holder, "paint"))
	later := start(t, dir, "1ms", "1h", "wash")
	holder.Expect(does(holder, "wash"))
	ends(t, later) // so the holder waits
	if err := syscall.Kill(holder.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](holder.Wait())
	if !ok || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("it ended with %v", exit)
	}
}

func TestOfStartsAtTheSameTimeOneDoesTheJobsOfAll(t *testing.T) {
	dir := folder(t)
	own, said := map[string]string{}, map[string]string{} // by job: the line of who does it himself, and the answer to who does not
	var holder *platformtest.Child
	for i, c := range []*platformtest.Child{
		start(t, dir, "10ms", "1m", "job 0"), start(t, dir, "10ms", "1m", "job 1"), start(t, dir, "10ms", "1m", "job 2"),
	} {
		job := fmt.Sprint("job ", i)
		if line := c.Line(); line == does(c, job) {
			own[job], holder = line, c
		} else {
			said[job] = c.Line()
			ends(t, c)
		}
	}
	if len(own) != 1 {
		t.Fatalf("they took the lock: %v", own)
	}
	for range len(said) {
		line := holder.Line()
		_, quoted, _ := strings.Cut(line, " does ")
		job, err := strconv.Unquote(quoted)
		if want := fmt.Sprintf("pid %d has done %q", holder.PID(), job); err != nil || said[job] != want {
			t.Errorf("the holder says %q, and its answers are %v", line, said)
		}
		delete(said, job) // done a second time, it has no answer
	}
}
