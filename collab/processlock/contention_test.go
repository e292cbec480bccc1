//go:build unix

package processlock_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestContendersThatStartTogetherNeverAllLose(t *testing.T) { // 0.4, 2.2.5, 7.1
	for _, c := range []struct{ contenders, rounds int }{{2, 60}, {6, 15}} {
		t.Run(strconv.Itoa(c.contenders), func(t *testing.T) {
			each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
				path := lockPath(t)
				var children []*platformtest.Child
				for range c.contenders {
					children = append(children, platformtest.Start(t, "contend", string(m), path))
				}
				for round := range c.rounds {
					race(t, children, round)
				}
			})
		})
	}
}

// A stay is one process's time inside the lock, as it logged it.
type stay struct {
	pid        string
	enter, end int64
}

// overlap returns two stays of different holders that overlap, if there are any.
func overlap(stays []stay) (a, b stay, found bool) {
	slices.SortFunc(stays, func(a, b stay) int { return int(a.enter - b.enter) })
	for n := 1; n < len(stays); n++ {
		if stays[n].enter < stays[n-1].end {
			return stays[n-1], stays[n], true
		}
	}
	return a, b, false
}

// visit is a child that enters the lock again and again: arguments are the mechanism ("none" enters without a lock), the
// path, and the number of visits. It reports each stay.
func visit(args []string, commands *bufio.Scanner) error {
	commands.Scan() // all start together
	visits, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	for range visits {
		release := func() error { return nil }
		if args[0] != "none" {
			o := processlock.Options{Platform: mechanisms[processlock.Mechanism(args[0])](), Wait: true, Retry: mo.Some(5 * time.Millisecond)}
			lock, err := processlock.Take(context.Background(), args[1], o)
			if err != nil {
				return err
			}
			release = lock.Release
		}
		enter := monotonic()
		time.Sleep(200 * time.Microsecond)
		end := monotonic()
		if err := release(); err != nil {
			return err
		}
		fmt.Println(os.Getpid(), enter, end)
	}
	return nil
}

// visits runs children that visit the lock and returns their stays.
func visits(t *testing.T, mechanism, path string, intrude func()) (stays []stay) {
	const each = 25
	var children []*platformtest.Child
	for range 4 {
		children = append(children, platformtest.Start(t, "visit", mechanism, path, strconv.Itoa(each)))
	}
	for _, c := range children {
		c.Send("go")
	}
	intrude()
	for _, c := range children {
		for range each {
			words := strings.Fields(c.Line())
			enter, _ := strconv.ParseInt(words[1], 10, 64)
			end, _ := strconv.ParseInt(words[2], 10, 64)
			stays = append(stays, stay{words[0], enter, end})
		}
		if err := c.Wait(); err != nil {
			t.Errorf("visitor: %v", err)
		}
	}
	return stays
}

func TestHoldersNeverOverlap(t *testing.T) {
	each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
		path := lockPath(t)
		var intruders []stay
		// Among the visitors one holder is stopped for a while, and one killed.
		stays := visits(t, string(m), path, func() {
			for _, kill := range []bool{false, true} {
				c := platformtest.Start(t, "take", string(m), path, "wait")
				c.Expect("held")
				enter := monotonic()
				c.Stop()
				time.Sleep(5 * time.Millisecond)
				intruders = append(intruders, stay{strconv.Itoa(c.PID()), enter, monotonic()})
				if kill {
					c.Kill()
					continue
				}
				c.Continue()
				c.Send("release")
				c.Expect("held")
			}
		})
		if a, b, found := overlap(append(stays, intruders...)); found {
			t.Errorf("%+v and %+v overlap", a, b)
		}
	})
}

func TestTheOverlapCheckNoticesAMissingLock(t *testing.T) {
	if _, _, found := overlap(visits(t, "none", lockPath(t), func() {})); !found {
		t.Error("visitors without a lock pass")
	}
}

// await is a child that on every line of input waits for the lock, releases it, and reports when it had got it.
func await(args []string, commands *bufio.Scanner) error {
	o := processlock.Options{Platform: mechanisms[processlock.Mechanism(args[0])](), Wait: true}
	for commands.Scan() {
		lock, err := processlock.Take(context.Background(), args[1], o)
		if err != nil {
			return err
		}
		got := monotonic()
		if err := lock.Release(); err != nil {
			return err
		}
		fmt.Println(got)
	}
	return nil
}

// handOffs measures how long a released lock takes to reach a process that has been waiting for a moment.
func handOffs(t testing.TB, m processlock.Mechanism, rounds int, held time.Duration) (delays []time.Duration) {
	t.Helper()
	path := lockPath(t)
	child := platformtest.Start(t, "await", string(m), path)
	for range rounds {
		lock := taken(t, path, processlock.Options{Platform: mechanisms[m]()})
		child.Send("wait")
		child.Quiet(held)
		began := monotonic()
		released(t, lock)
		got, err := strconv.ParseInt(child.Line(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		delays = append(delays, time.Duration(got-began))
	}
	slices.Sort(delays)
	return delays
}

func TestAReleasedLockReachesAWaitingProcessWithinMilliseconds(t *testing.T) {
	each(t, func(t *testing.T, m processlock.Mechanism, _ processlock.Options) {
		// On a quiet machine the median is 3 ms; the retries alone would come some 100 ms after the release.
		if delays := handOffs(t, m, 5, 250*time.Millisecond); delays[len(delays)/2] > 50*time.Millisecond {
			t.Errorf("the median of %v is %v", delays, delays[len(delays)/2])
		}
	})
}
