package platform_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestMain(m *testing.M) {
	platformtest.Main(m, programs)
}

// programs are what child processes of these tests do.
var programs = map[string]platformtest.Program{
	"self":         printSelf,
	"identify":     printIdentify,
	"renamed":      renamed,
	"too late":     tooLate,
	"hold":         hold,
	"hold briefly": holdBriefly,
}

// report writes v as one JSON line.
func report(v any) error {
	text, err := json.Marshal(v)
	fmt.Println(string(text))
	return err
}

// printSelf reports this process's identity, or the tag of the failure, and waits for the end of its input.
func printSelf(_ []string, commands *bufio.Scanner) error {
	id, err := platform.OS().Processes.Self()
	if err != nil {
		fmt.Println(tag(err))
		return nil
	}
	if err := report(id); err != nil {
		return err
	}
	commands.Scan()
	return nil
}

// tag is the tag of a failure and its text, or what it says.
func tag(err error) string {
	if err == nil {
		return "<nil>"
	}
	if t, ok := errors.AsType[interface {
		error
		Tag() string
	}](err); ok {
		return t.Tag()
	}
	return err.Error()
}

// printIdentify reports what Identify says about its argument: absent, alive with the start time, or a tag.
func printIdentify(args []string, _ *bufio.Scanner) error {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	id, alive, err := platform.OS().Processes.Identify(pid)
	switch {
	case err != nil:
		fmt.Println(tag(err))
	case !alive:
		fmt.Println("absent")
	default:
		return report(id)
	}
	return nil
}

// renamed reports its start time before and after giving itself a name that looks like more of its stat line.
func renamed([]string, *bufio.Scanner) error {
	for range 2 {
		id, alive, err := platform.OS().Processes.Identify(os.Getpid())
		if err != nil || !alive {
			return fmt.Errorf("identify: alive %v, %w", alive, err)
		}
		if err := report(id); err != nil {
			return err
		}
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/comm", os.Getpid()), []byte("a) S 1 (b c"), 0); err != nil {
			return err
		}
	}
	text, err := os.ReadFile("/proc/self/stat")
	if !strings.Contains(string(text), "a) S 1 (b c") {
		return fmt.Errorf("the name did not take: %s", text)
	}
	return err
}

// tooLate opens a database as other code of a program would, before this package chose the kind of lock.
func tooLate(args []string, _ *bufio.Scanner) error {
	d, err := (&sqlite.Driver{}).Open(args[0])
	if err != nil {
		return err
	}
	defer d.Close()
	if err := exec(d, "BEGIN EXCLUSIVE"); err != nil {
		return err
	}
	for _, err := range []error{
		platform.PrepareSQLite(),
		second(platform.OS().SQLite.Open(context.Background(), args[0]+"2", platform.ReadWriteCreate)),
	} {
		fmt.Println(tag(err))
	}
	return nil
}

func second[A any](_ A, err error) error { return err }

// hold locks the database at its first argument until its input ends.
func hold(args []string, commands *bufio.Scanner) error {
	c, err := platform.OS().SQLite.Open(context.Background(), args[0], platform.ReadWriteCreate)
	if err != nil {
		return err
	}
	for _, sql := range []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := c.Exec(context.Background(), sql); err != nil {
			return err
		}
	}
	fmt.Println("held")
	for commands.Scan() {
		// Other code of the process opens and closes the file, by its name and by another one of it.
		for _, path := range strings.Fields(commands.Text()) {
			if _, err := os.ReadFile(path); err != nil {
				return err
			}
		}
		fmt.Println("read")
	}
	return c.Close()
}

// holdBriefly locks the database for some milliseconds at a time, with pauses, until it is killed.
func holdBriefly(args []string, _ *bufio.Scanner) error {
	ctx := context.Background()
	c, err := platform.OS().SQLite.Open(ctx, args[0], platform.ReadWrite)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, "PRAGMA busy_timeout = 10000"); err != nil {
		return err
	}
	for n := 0; ; n++ {
		if _, err := c.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if n == 0 {
			fmt.Println("holding")
		}
		time.Sleep(time.Duration(rand.IntN(6000)) * time.Microsecond)
		if _, err := c.Exec(ctx, "ROLLBACK"); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(500)) * time.Microsecond)
	}
}
