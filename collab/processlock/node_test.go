//go:build unix

package processlock_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// node starts the Node.js contender for the lock at path. Without a Node that has SQLite it skips the test and says what
// to do; in CI it fails.
func node(t testing.TB, path string) *platformtest.Child {
	t.Helper()
	binary := os.Getenv("AGENTKIT_NODE")
	if binary == "" {
		binary = "node"
	}
	if out, err := exec.Command(binary, "--no-warnings", "-e", `require("node:sqlite")`).CombinedOutput(); err != nil {
		problem := "this test needs Node.js 22 or later with node:sqlite: put it on the PATH or name it in AGENTKIT_NODE " +
			"(npm install node@22 in some folder, then <folder>/node_modules/.bin/node); " + binary + ": " + err.Error()
		if detail, _, _ := strings.Cut(string(out), "\n"); detail != "" {
			problem += ": " + detail
		}
		if os.Getenv("CI") == "true" {
			t.Fatal(problem)
		}
		t.Skip(problem)
	}
	return platformtest.StartCommand(t, binary, "--no-warnings", "testdata/node/contend.mjs", path)
}

// ask sends a command and requires the answer.
func ask(t testing.TB, child *platformtest.Child, command, want string) {
	t.Helper()
	child.Send(command)
	child.Expect(want)
}

func TestANodeProcessAndAGoProcessExcludeEachOther(t *testing.T) { // 8.3, C-N
	path := lockPath(t)
	other := node(t, path)

	ask(t, other, "check", "false")
	ask(t, other, "take", "held")
	if h := refused(t, path, processlock.Options{}).Holder.OrEmpty(); h.PID != other.PID() {
		t.Errorf("refused by %v; want Node's pid %d", h, other.PID())
	}
	if !isHeld(t, path, processlock.Options{}) {
		t.Error("Node's lock is free to a question")
	}
	ask(t, other, "check", "true")
	ask(t, other, "release", "released")

	lock := taken(t, path, processlock.Options{})
	ask(t, other, "take", "refused by "+itoa(uint64(os.Getpid())))
	ask(t, other, "check", "true")
	if err := lock.Verify(t.Context()); err != nil {
		t.Errorf("after Node's attempts: %v", err)
	}
	released(t, lock)
	ask(t, other, "check", "false")

	ask(t, other, "take", "held")
	waiting := platformtest.Start(t, "take", "sqlite", path, "wait")
	other.Kill()
	waiting.Expect("held")
	refused(t, path, processlock.Options{})
	waiting.Send("release")
	waiting.Expect("held")
}

func TestNodesQuestionsDoNotKeepAGoProcessFromAFreeLock(t *testing.T) { // 0.1, 2.2.5
	path := lockPath(t)
	other := node(t, path)
	ask(t, other, "check", "false")
	for range 30 {
		other.Send("check")
		lock := taken(t, path, processlock.Options{})
		other.Line()
		released(t, lock)
	}
}
