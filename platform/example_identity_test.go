package platform_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// A record names its writer. Is that process alive?
func ExampleObserveHolder() {
	var processes platform.Processes = platformtest.NewProcesses("host", 1000) // in a program: platform.OS().Processes
	me, _ := processes.Self()
	fmt.Println(platform.ObserveHolder(processes, me))
	gone := me
	gone.PID = 4711
	verdict, _ := platform.ObserveHolder(processes, gone)
	fmt.Println(verdict.Liveness == platform.LivenessDead, "-", verdict.Reason)
	// Output:
	// {alive the holder is running} <nil>
	// true - the holder's process is gone
}

// The same rule for what was looked up already.
func ExampleJudgeHolder() {
	me := platform.ProcessIdentity{Host: "build-3", BootID: "b", PID: 42, StartTime: 7}
	earlier := me
	earlier.BootID = "a"
	elsewhere := me
	elsewhere.Host = "build-4"
	for _, holder := range []platform.ProcessIdentity{me, earlier, elsewhere} {
		fmt.Println(platform.JudgeHolder(holder, me, me, true).Liveness)
	}
	// Output:
	// alive
	// dead
	// unknown
}

func ExampleProcessIdentity() {
	holder := platform.ProcessIdentity{Host: "build-3", BootID: "b", PID: 42, StartTime: 7}
	reused := holder
	reused.StartTime = 9 // a later process with the same pid
	fmt.Println(holder, holder.Same(reused))
	// Output: pid 42 on build-3 false
}

func ExampleIdentityUnavailable() {
	processes := platformtest.NewProcesses("host", 1000)
	processes.Fail(42, errors.New("too many open files"))
	_, _, err := processes.Identify(42)
	if unknown, ok := errors.AsType[*platform.IdentityUnavailable](err); ok {
		fmt.Println(unknown.PID, "may be alive or dead:", unknown.Err)
	}
	// Output: 42 may be alive or dead: too many open files
}

// Time is measured by the monotonic clock, and a suspend of the machine shows as the difference of two.
func ExampleClock() {
	fake := platformtest.NewClock()
	var clock platform.Clock = fake // in a program: platform.OS().Clock
	before := clock.Boot() - clock.Monotonic()
	fake.Suspend(time.Hour)
	asleep := clock.Boot() - clock.Monotonic() - before
	fmt.Println("asleep for", asleep.Round(time.Second))
	// Output: asleep for 1h0m0s
}
