package lease_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

// nodeContender starts the contender in Node on a database that the test has opened.
func nodeContender(t *testing.T, dir string) *platformtest.Child {
	t.Helper()
	node := os.Getenv("AGENTKIT_NODE")
	if node == "" {
		node, _ = exec.LookPath("node")
	}
	if node == "" || exec.Command(node, "-e", `require("node:sqlite")`).Run() != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI must have a Node with node:sqlite: set AGENTKIT_NODE")
		}
		t.Skip("there is no Node with node:sqlite (Node 22.13 or later); set AGENTKIT_NODE to run this test")
	}
	script, err := filepath.Abs("testdata/node/contender.mjs")
	if err != nil {
		t.Fatal(err)
	}
	child := platformtest.StartCommand(t, node, "--no-warnings", script, filepath.Join(dir, "leases.db"), "k")
	child.Expect("ready")
	return child
}

// ask sends a command and returns the answer.
func ask(child *platformtest.Child, command string) string {
	child.Send(command)
	return child.Line()
}

func TestGoAndNodeRefuseAndTakeOverEachOthersLeases(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		dir := t.TempDir()
		m := newManager(t, do.Await(kinds["sqlite"](dir)), func(c *lease.Config) { c.TTL, c.Heartbeat = time.Minute, 50*time.Millisecond })
		node := nodeContender(t, dir)

		l, _ := held(do, m, "k")
		if got := ask(node, "acquire"); got != fmt.Sprint("refused by ", os.Getpid()) {
			t.Errorf("Node said %q to a lease of this process", got)
		}
		do.Await(l.Release())
		if got := ask(node, "acquire"); got != "held 2" {
			t.Errorf("Node said %q to a tombstone of generation 1", got)
		}
		if h := failure[*lease.Held](t, do, m.Acquire("k")); h.Holder.PID != node.PID() || h.Generation != 2 {
			t.Errorf("refused by %+v, want Node's pid %d", h, node.PID())
		}
		if got := ask(node, "renew"); got != "ok 4" {
			t.Errorf("Node's renewal: %q", got)
		}
		if r := load(t, do, do.Await(kinds["sqlite"](dir)), "k"); r.Revision != 4 || r.Validate() != nil {
			t.Errorf("Node's record reads as %+v", r)
		}
		node.Kill()
		l, _ = held(do, m, "k")
		if why := l.Takeover().MustGet().Reason; l.Token().Generation != 3 || why != "the holder's process is gone" {
			t.Errorf("took %v because %q", l.Token(), why)
		}

		thief := nodeContender(t, dir)
		if got := ask(thief, "steal"); got != "held 4" {
			t.Errorf("Node said %q", got)
		}
		lost := isLost(t, do, l)
		if lost.Reason != lease.TakenOver || lost.By == nil || lost.By.PID != thief.PID() {
			t.Errorf("lost with %+v, want taken over by Node", lost)
		}
		if got := ask(thief, "release"); !strings.HasPrefix(got, "ok") {
			t.Errorf("Node's release: %q", got)
		}
		l, _ = held(do, m, "k")
		if l.Token().Generation != 5 {
			t.Errorf("after Node's tombstone: %v", l.Token())
		}
		if got := ask(thief, "show"); !strings.Contains(got, `"generation":5`) || !strings.Contains(got, fmt.Sprint(`"pid":`, os.Getpid())) {
			t.Errorf("Node reads %s", got)
		}
	})
}

func TestNodeTakesTheLeaseOfAKilledGoProcess(t *testing.T) {
	dir := t.TempDir()
	holder := contenders(t, 1, "sqlite", dir, minutes, "try")
	winners(t, holder)
	node := nodeContender(t, dir)
	if got := ask(node, "acquire"); got != fmt.Sprint("refused by ", holder[0].PID()) {
		t.Errorf("Node said %q of a live holder", got)
	}
	holder[0].Kill()
	if got := ask(node, "acquire"); got != "held 2" {
		t.Errorf("Node said %q of a dead holder", got)
	}
}

// 8.3
func TestNoWriteIsLostWhenGoAndNodeWriteOneRecord(t *testing.T) {
	run(t, func(t *testing.T, do effect.Do) {
		const each = 200
		dir := t.TempDir()
		store := do.Await(kinds["sqlite"](dir))
		put(t, do, store, lease.Record{Key: "k", Generation: 1, Revision: 1, RenewedAt: time.UnixMilli(1)})
		node := nodeContender(t, dir)
		node.Send(fmt.Sprint("raise ", each))
		var wrote []int
		for len(wrote) < each {
			r := load(t, do, store, "k")
			r.Revision++
			err := store.Save(do, r, mo.Some(r.Revision-1))
			if _, conflict := errors.AsType[*lease.RevisionConflict](err); err != nil && !conflict {
				t.Fatal(err)
			}
			if err == nil {
				wrote = append(wrote, int(r.Revision))
			}
		}
		for _, text := range strings.Fields(node.Line()) {
			revision, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			wrote = append(wrote, revision)
		}
		slices.Sort(wrote)
		for i, revision := range wrote {
			if revision != i+2 {
				t.Fatalf("write %d is revision %d: one was lost", i, revision)
			}
		}
		if r := load(t, do, store, "k"); r.Revision != 2*each+1 {
			t.Errorf("after %d writes the revision is %d", 2*each, r.Revision)
		}
		if got := query(t, filepath.Join(dir, "leases.db"), "PRAGMA integrity_check"); got != "ok" {
			t.Errorf("integrity: %s", got)
		}
	})
}
