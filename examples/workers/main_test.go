//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"workers": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"workers"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

var tasks = []string{"a", "b", "c", "d", "e", "f"}

func start(t *testing.T, dir, takes string, tasks ...string) *platformtest.Child {
	t.Helper()
	return platformtest.Start(t, "workers", append([]string{"-dir", dir, "-takes", takes}, tasks...)...)
}

// by tells which process made the result of a task.
func by(t *testing.T, dir, task string) (pid int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, task+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(text), task+" by pid %d\n", &pid); err != nil {
		t.Errorf("the result of %s is %q", task, text)
	}
	return pid
}

func TestProcessesDivideTheTasksAndTheTaskOfAKilledOneIsDoneByAnother(t *testing.T) {
	dir := t.TempDir()
	victim := start(t, dir, "1h", tasks...)
	if line := victim.Line(); !strings.HasPrefix(line, fmt.Sprintf("pid %d does ", victim.PID())) {
		t.Fatalf("it says %q", line)
	}

	workers := []*platformtest.Child{start(t, dir, "300ms", tasks...), start(t, dir, "300ms", tasks...)}
	for _, w := range workers { // both have work, since the other one is at another task
		if line := w.Line(); !strings.HasPrefix(line, fmt.Sprintf("pid %d does ", w.PID())) {
			t.Errorf("it says %q", line)
		}
	}
	victim.Kill()
	for _, w := range workers {
		if err := w.Wait(); err != nil {
			t.Error(err)
		}
	}
	for _, task := range tasks {
		if pid := by(t, dir, task); pid == victim.PID() {
			t.Errorf("the killed process has done %s", task)
		}
	}
}

func TestWhoWaitedForATaskDoesNotDoItAgain(t *testing.T) {
	dir := t.TempDir()
	holder := start(t, dir, "500ms", "a")
	holder.Expect(fmt.Sprintf("pid %d does a", holder.PID()))
	if err := start(t, dir, "1ms", "a").Wait(); err != nil {
		t.Error(err)
	}
	if pid := by(t, dir, "a"); pid != holder.PID() {
		t.Errorf("pid %d has done a", pid)
	}
}

func TestAStartAfterwardsFindsNothingToDo(t *testing.T) {
	dir := t.TempDir()
	first := start(t, dir, "1ms", tasks...)
	if err := first.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := start(t, dir, "1h", tasks...).Wait(); err != nil {
		t.Error(err)
	}
	for _, task := range tasks {
		if pid := by(t, dir, task); pid != first.PID() {
			t.Errorf("pid %d has done %s", pid, task)
		}
	}
}
