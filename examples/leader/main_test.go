//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"leader": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"leader"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

// candidate starts a process that stands for election.
func candidate(t *testing.T, dir, ttl string) *platformtest.Child {
	t.Helper()
	c := platformtest.Start(t, "leader", "-dir", dir, "-ttl", ttl)
	expect(c, "follows")
	return c
}

func expect(c *platformtest.Child, what string) { c.Expect(fmt.Sprintf("pid %d %s", c.PID(), what)) }

func TestAFollowerLeadsWhenTheLeaderIsStoppedOrKilled(t *testing.T) {
	dir, ttl := t.TempDir(), "1h" // whoever leads does so long before
	first := candidate(t, dir, ttl)
	expect(first, "leads with token 1")

	second := candidate(t, dir, ttl)
	if err := syscall.Kill(first.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	expect(first, "steps down")
	expect(second, "leads with token 2")
	exit, ok := errors.AsType[*exec.ExitError](first.Wait())
	if !ok || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("the first leader ended with %v", exit)
	}

	third := candidate(t, dir, ttl)
	second.Kill()
	expect(third, "leads with token 3")
}

func TestAFrozenLeaderLosesTheLeadAndFollows(t *testing.T) {
	dir, ttl := t.TempDir(), "1s"
	frozen := candidate(t, dir, ttl)
	expect(frozen, "leads with token 1")
	frozen.Stop(filepath.Join(dir, "leases.db"))
	next := candidate(t, dir, ttl)
	expect(next, "leads with token 2")
	frozen.Continue()
	expect(frozen, "steps down")
	if line := frozen.Line(); !strings.Contains(line, "leads no more") {
		t.Errorf("it says %q", line)
	}
	expect(frozen, "follows")
}
