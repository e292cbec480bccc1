package platformtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// A machine with two processes, one of which dies.
func ExampleFake() {
	fake := platformtest.New()
	fake.Processes.Start(7)
	other := fake.As(7)
	holder, _ := other.Processes.Self()
	fmt.Println(platform.ObserveHolder(fake.Platform().Processes, holder))
	fake.Processes.Kill(7)
	verdict, _ := platform.ObserveHolder(fake.Platform().Processes, holder)
	fmt.Println(verdict.Liveness)
	// Output:
	// {alive the holder is running} <nil>
	// dead
}

func ExampleFault() {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	files := platformtest.NewFiles(platform.OS().Files)
	files.Inject(platformtest.Fault{Op: "CreateExclusive", Skip: 1, Err: errors.New("the disk is full")})
	for _, name := range []string{"a", "b"} {
		fmt.Println(files.CreateExclusive(filepath.Join(dir, name)))
	}
	// Output:
	// true <nil>
	// false the disk is full
}

func ExampleSQLite() {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	sqlite := platformtest.NewSQLite(platform.OS().SQLite)
	conn, err := sqlite.Open(ctx, filepath.Join(dir, "tasks.db"), platform.ReadWriteCreate)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	sqlite.Inject(platformtest.Fault{Op: "Exec", Times: 1, Err: platformtest.Failure(platform.SQLiteFull)})
	_, err = conn.Exec(ctx, "CREATE TABLE task (name TEXT)")
	full, _ := errors.AsType[*platform.SQLiteFailure](err)
	fmt.Println(full.Primary() == platform.SQLiteFull)
	_, err = conn.Exec(ctx, "CREATE TABLE task (name TEXT)")
	fmt.Println(err, len(sqlite.Statements()), "attempts")
	// Output:
	// true
	// <nil> 2 attempts
}

func ExampleNewProcesses() {
	processes := platformtest.NewProcesses("host", 1000)
	first := processes.Start(7)
	again := processes.Start(7) // another process with the same pid
	fmt.Println(first, first.Same(again))
	processes.Reboot()
	_, alive, err := processes.As(7).Identify(7)
	fmt.Println(alive, err)
	// Output:
	// pid 7 on host false
	// false <nil>
}

func ExampleNewClock() {
	clock := platformtest.NewClock()
	before := clock.Now()
	clock.StepWall(-time.Hour) // an administrator sets it back
	fmt.Println(clock.Now().Before(before), clock.Monotonic() >= 0)
	// Output: true true
}
