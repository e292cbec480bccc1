//go:build unix

package leased_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rivus/agentkit/platform/platformtest"
)

// A process that stands still for less than the TTL of its leases loses none: its keys wait for it, and run alone.
func TestProcessesThatStandStillForAWhileKeepTheirKeysToThemselves(t *testing.T) {
	dir := t.TempDir()
	children := []*platformtest.Child{start(t, dir, "20ms"), start(t, dir, "20ms"), start(t, dir, "20ms")}
	for range 8 {
		stopped := rand.IntN(len(children))
		for _, child := range children {
			wake(child, "a", "b", "c")
		}
		children[stopped].Stop(databases(dir)...)
		for i, child := range children {
			if i != stopped {
				wake(child, "b", "c", "d")
			}
		}
		time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond)
		children[stopped].Continue()
	}
	lines := awaitServed(t, dir)
	checkAlone(t, lines, nil)
	if i := slices.IndexFunc(lines, func(l journalLine) bool { return l.what == "cut" }); i >= 0 {
		t.Errorf("%v although no lease was lost", lines[i])
	}
	for _, child := range children {
		child.Send("end")
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// databases are those that the processes share.
func databases(dir string) []string {
	return []string{filepath.Join(dir, "wakes.db"), filepath.Join(dir, "leases.db")}
}

// One that stands still for longer than the TTL is taken for silent: another runs its key, and its own activation is cut short
// when it goes on. Its lanes take wakes as before.
func TestTheKeysOfAProcessThatStandsStillForTooLongAreServedByAnother(t *testing.T) {
	const ttl = 1500 * time.Millisecond
	dir := t.TempDir()
	still := startWith(t, dir, "1h", ttl.String())
	wake(still, "a")
	awaitLine(t, dir, journalLine{"begin", "a", still.PID()})
	still.Stop(databases(dir)...)
	stopped := time.Now()
	other := startWith(t, dir, "20ms", ttl.String())
	wake(other, "a")
	awaitServed(t, dir)
	if took := time.Since(stopped); took < ttl*8/10 {
		t.Errorf("its key ran elsewhere %v after it stood still, and the TTL is %v", took, ttl)
	}
	still.Continue()
	lines := awaitLine(t, dir, journalLine{"cut", "a", still.PID()})
	if slices.Contains(lines, journalLine{"end", "a", still.PID()}) {
		t.Error("the activation of the process that stood still came to its end")
	}
	checkAlone(t, lines, map[int]bool{still.PID(): true})
	wake(still, "b") // it takes an hour there, and the other one gets it then, if it has not got it before
	still.Send("end")
	if err := still.Wait(); err != nil {
		t.Error(err)
	}
	awaitServed(t, dir)
	other.Send("end")
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
}

// awaitLine waits until the journal has a line.
func awaitLine(t *testing.T, dir string, want journalLine) []journalLine {
	t.Helper()
	return awaitJournal(t, dir, fmt.Sprint(want), func(lines []journalLine) bool { return slices.Contains(lines, want) })
}
