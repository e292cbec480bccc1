//go:build unix

package processlock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestMain(m *testing.M) {
	platformtest.Main(m, programs)
}

// programs are what child processes of these tests do.
var programs = map[string]platformtest.Program{
	"take":    take,
	"probe":   probe,
	"contend": contend,
	"visit":   visit,
	"await":   await,
}

// mechanisms are the two ways to lock, as platforms.
var mechanisms = map[processlock.Mechanism]func() *platform.Platform{
	processlock.MechanismSQLite: platform.OS,
	processlock.MechanismFile: func() *platform.Platform {
		p := platform.OS()
		p.SQLite = nil
		return p
	},
}

// each runs a test for each mechanism.
func each(t *testing.T, test func(t *testing.T, m processlock.Mechanism, o processlock.Options)) {
	for m, p := range mechanisms {
		t.Run(string(m), func(t *testing.T) { test(t, m, processlock.Options{Platform: p()}) })
	}
}

// fakes runs a test for each mechanism on a fake platform.
func fakes(t *testing.T, test func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake)) {
	for m := range mechanisms {
		t.Run(string(m), func(t *testing.T) { test(t, m, fakeOf(m)) })
	}
}

func fakeOf(m processlock.Mechanism) *platformtest.Fake {
	fake := platformtest.New()
	if m == processlock.MechanismFile {
		fake.SQLite = nil
	}
	return fake
}

// lockPath is the path of a lock in a folder of the test's own.
func lockPath(t testing.TB) string { return filepath.Join(t.TempDir(), "daemon.lock") }

// taken takes the lock and releases it at the end of the test, unless the test does.
func taken(t testing.TB, path string, o processlock.Options) *processlock.Lock {
	t.Helper()
	lock, err := processlock.Take(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Release() })
	return lock
}

// refused requires an attempt without wait to find the lock held, and returns the failure.
func refused(t testing.TB, path string, o processlock.Options) *processlock.Held {
	t.Helper()
	lock, err := processlock.Take(context.WithoutCancel(t.Context()), path, o)
	if err == nil {
		_ = lock.Release()
		t.Fatal("the lock was taken; want *Held")
	}
	held, ok := errors.AsType[*processlock.Held](err)
	if !ok {
		t.Fatalf("%v (%T); want *Held", err, err)
	}
	return held
}

// released releases the lock and requires that to succeed.
func released(t testing.TB, lock *processlock.Lock) {
	t.Helper()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

// names are the names in the folder of path.
func names(t testing.TB, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// write makes a file of the test's.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// content is a file's text; absent is "(none)".
func content(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// openFolder makes a folder that every user may use.
func openFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "processlock")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// say turns the outcome of an attempt into one line.
func say(err error) string {
	switch held, ok := errors.AsType[*processlock.Held](err); {
	case err == nil:
		return "held"
	case ok:
		if h, ok := held.Holder.Get(); ok {
			return fmt.Sprintf("refused by %d", h.PID)
		}
		return "refused"
	}
	if tagged, ok := errors.AsType[interface {
		error
		Tag() string
	}](err); ok {
		return tagged.Tag()
	}
	return err.Error()
}

// take is a child that takes a lock: arguments are the mechanism, the path and "wait" or "try". It reports the outcome,
// then obeys: release, verify, read (other code of the process reads these files), spin (do not leave).
func take(args []string, commands *bufio.Scanner) error {
	o := processlock.Options{Platform: mechanisms[processlock.Mechanism(args[0])](), Wait: args[2] == "wait"}
	lock, err := processlock.Take(context.Background(), args[1], o)
	fmt.Println(say(err))
	if err != nil {
		return nil
	}
	for commands.Scan() {
		switch word, rest, _ := strings.Cut(commands.Text(), " "); word {
		case "release":
			fmt.Println(say(lock.Release()))
		case "verify":
			fmt.Println(say(lock.Verify(context.Background())))
		case "read":
			for _, path := range strings.Fields(rest) {
				f, err := os.Open(path)
				if err != nil {
					return err
				}
				if err := f.Close(); err != nil {
					return err
				}
			}
			fmt.Println("read")
		}
	}
	return nil
}

// holder starts a child that holds the lock.
func holder(t testing.TB, m processlock.Mechanism, path string) *platformtest.Child {
	t.Helper()
	child := platformtest.Start(t, "take", string(m), path, "try")
	child.Expect("held")
	return child
}

// probe is a child that asks whether a lock is held.
func probe(args []string, _ *bufio.Scanner) error {
	held, err := processlock.Probe(context.Background(), args[1], processlock.Options{Platform: mechanisms[processlock.Mechanism(args[0])]()})
	if err != nil {
		fmt.Println(say(err))
		return nil
	}
	fmt.Println(held)
	return nil
}

// contend is a child that on every line of input attempts the lock once, at the given time (nanoseconds since the epoch),
// and reports the outcome; it keeps the lock until the line after.
func contend(args []string, commands *bufio.Scanner) error {
	o := processlock.Options{Platform: mechanisms[processlock.Mechanism(args[0])]()}
	for commands.Scan() {
		at, err := strconv.ParseInt(commands.Text(), 10, 64)
		if err != nil {
			return err
		}
		for time.Now().UnixNano() < at { // busy: a timer would be too late
			runtime.Gosched()
		}
		lock, err := processlock.Take(context.Background(), args[1], o)
		fmt.Println(say(err))
		if !commands.Scan() {
			return nil
		}
		if err == nil {
			if err := lock.Release(); err != nil {
				return err
			}
		}
		fmt.Println("ready")
	}
	return nil
}

// race makes all children attempt their lock at the same moment and requires exactly one to get it.
func race(t testing.TB, children []*platformtest.Child, round int) {
	t.Helper()
	at := strconv.FormatInt(time.Now().Add(3*time.Millisecond).UnixNano(), 10)
	for _, c := range children {
		c.Send(at)
	}
	won := 0
	for _, c := range children {
		switch line := c.Line(); {
		case line == "held":
			won++
		case !strings.HasPrefix(line, "refused"):
			t.Errorf("round %d: %s", round, line)
		}
	}
	if won != 1 {
		t.Errorf("round %d: %d of %d got the lock; want 1", round, won, len(children))
	}
	for _, c := range children {
		c.Send("leave")
	}
	for _, c := range children {
		c.Expect("ready")
	}
}

// monotonic reads a clock that all processes of the machine share, in nanoseconds.
func monotonic() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err)
	}
	return now.Nano()
}

// within requires f to end in time.
func within(t testing.TB, d time.Duration, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > d {
		t.Errorf("it took %v; want at most %v", took, d)
	}
}
