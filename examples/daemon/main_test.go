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
	platformtest.Main(m, map[string]platformtest.Program{"daemon": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"daemon"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

// serving starts a daemon that gets the lock.
func serving(t *testing.T, path string) *platformtest.Child {
	t.Helper()
	daemon := platformtest.Start(t, "daemon", path)
	daemon.Expect(fmt.Sprintf("pid %d: serving", daemon.PID()))
	return daemon
}

func status(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

func TestASecondStartSaysWhoRunsAndEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon.lock")
	first := serving(t, path)
	second := platformtest.Start(t, "daemon", path)
	if line, want := second.Line(), fmt.Sprintf("is held by pid %d on ", first.PID()); !strings.Contains(line, want) {
		t.Errorf("it says %q, which lacks %q", line, want)
	}
	if got := status(second.Wait()); got != 1 {
		t.Errorf("status %d", got)
	}
}

func TestTheLockIsFreeWhenTheDaemonIsStoppedOrKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon.lock")
	first := serving(t, path)
	if err := syscall.Kill(first.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	first.Expect(fmt.Sprintf("pid %d: stopped", first.PID()))
	if got := status(first.Wait()); got != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d", got)
	}
	serving(t, path).Kill()
	serving(t, path)
}

func TestADaemonWhoseLockFileIsRemovedEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon.lock")
	daemon := serving(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	daemon.Expect(fmt.Sprintf("pid %d: stopped", daemon.PID()))
	if line := daemon.Line(); !strings.Contains(line, "was lost") {
		t.Errorf("it says %q", line)
	}
	if got := status(daemon.Wait()); got != 1 {
		t.Errorf("status %d", got)
	}
}
