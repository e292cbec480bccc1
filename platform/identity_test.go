package platform_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func self(t *testing.T) platform.ProcessIdentity {
	t.Helper()
	id, err := platform.OS().Processes.Self()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// parse reads an identity that a child reported.
func parse(t *testing.T, line string) (id platform.ProcessIdentity) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &id); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return id
}

func TestIdentityOfSelfEqualsThatOfItsPID(t *testing.T) { // PN-1, PN-11
	want := self(t)
	got, alive, err := platform.OS().Processes.Identify(os.Getpid())
	if err != nil || !alive || got != want {
		t.Errorf("Identify(own pid) = %v, %v, %v; want %v", got, alive, err, want)
	}
	host, err := os.Hostname()
	if err != nil || want.Host != host || want.PID != os.Getpid() || want.BootID == "" || want.StartTime <= 0 {
		t.Errorf("Self() = %+v on host %q, pid %d", want, host, os.Getpid())
	}
}

func TestARunningChildIsIdentifiedAndAbsentAfterItsEnd(t *testing.T) { // PN-11
	child := platformtest.Start(t, "self")
	want := parse(t, child.Line())
	got, alive, err := platform.OS().Processes.Identify(child.PID())
	if err != nil || !alive || got != want {
		t.Errorf("while it runs: %+v, %v, %v; want %+v", got, alive, err, want)
	}
	if self := self(t); got.Same(self) || got.Host != self.Host || got.BootID != self.BootID {
		t.Errorf("child %v, self %v: want the same host and boot, and another process", got, self)
	}
	child.Kill()
	if got, alive, err := platform.OS().Processes.Identify(child.PID()); alive || err != nil {
		t.Errorf("after its end: %v, %v, %v; want absent", got, alive, err)
	}
}

func TestAZombieIsAbsent(t *testing.T) { // PN-3, PN-9, A06
	child := platformtest.Start(t, "self")
	child.Line()
	child.KillUnreaped()
	child.AwaitZombie()
	if got, alive, err := platform.OS().Processes.Identify(child.PID()); alive || err != nil {
		t.Errorf("a zombie: %v, %v, %v; want absent", got, alive, err)
	}
}

func TestAPIDBelowOneIsAbsent(t *testing.T) { // PN-9
	for _, pid := range []int{0, -1, -4711} {
		if got, alive, err := platform.OS().Processes.Identify(pid); alive || err != nil {
			t.Errorf("Identify(%d) = %v, %v, %v; want absent", pid, got, alive, err)
		}
	}
}

func TestACommandNameThatLooksLikeMoreOfTheLineIsSkipped(t *testing.T) { // PN-2, A12
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system has no /proc")
	}
	child := platformtest.Start(t, "renamed")
	before, after := parse(t, child.Line()), parse(t, child.Line())
	if before != after {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	// And as the name of the executed file.
	odd := filepath.Join(t.TempDir(), "a) S 1 (b c")
	if err := os.Symlink("/bin/sleep", odd); err != nil {
		t.Fatal(err)
	}
	sleeper := platformtest.StartCommand(t, odd, "60")
	id, alive, err := platform.OS().Processes.Identify(sleeper.PID())
	if err != nil || !alive || id.StartTime < before.StartTime {
		t.Errorf("Identify = %+v, %v, %v; want a start after %d", id, alive, err, before.StartTime)
	}
}

func TestAProcessOfAnotherUserIsIdentified(t *testing.T) { // A04
	platformtest.Privileged(t)
	child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "identify", UID: 65534, Args: []string{strconv.Itoa(os.Getpid())}})
	if got, want := parse(t, child.Line()), self(t); got != want {
		t.Errorf("seen by another user: %+v; want %+v", got, want)
	}
}

func TestAProcessThatProcHidesIsUnknownRatherThanAbsent(t *testing.T) { // field fact 10
	platformtest.Privileged(t)
	child := platformtest.StartWith(t, platformtest.ChildOptions{
		Program: "identify", Args: []string{strconv.Itoa(os.Getpid())},
		Wrap: []string{"unshare", "--mount", "sh", "-c",
			`mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"`, "sh"},
	})
	child.Expect("ProcessIdentityUnavailable")
}

func TestAProcOfAnotherPIDNamespaceIdentifiesNobody(t *testing.T) { // field fact 10
	platformtest.Privileged(t)
	child := platformtest.StartWith(t, platformtest.ChildOptions{
		Program: "self", Wrap: []string{"unshare", "--pid", "--fork", "--kill-child"},
	})
	child.Expect("ProcessIdentityUnavailable")
}

func TestStartTimesOfAnotherTimeNamespaceAreMarkedAsSuch(t *testing.T) { // field fact 10
	platformtest.Privileged(t)
	child := platformtest.StartWith(t, platformtest.ChildOptions{
		Program: "self", Wrap: []string{"unshare", "--time", "--boottime", "100000", "--fork", "--kill-child"},
	})
	inside := parse(t, child.Line())
	outside, alive, err := platform.OS().Processes.Identify(inside.PID)
	if err != nil || !alive {
		t.Fatalf("Identify = %v, %v, %v", outside, alive, err)
	}
	if inside.BootID != outside.BootID || inside.StartTime == outside.StartTime || inside.TimeNamespace == outside.TimeNamespace {
		t.Fatalf("inside %+v, outside %+v: want one boot, two start times, two time namespaces", inside, outside)
	}
	if j := platform.JudgeHolder(inside, self(t), outside, alive); j.Liveness != platform.LivenessUnknown {
		t.Errorf("judged from outside: %v; want unknown", j)
	}
}

func TestJudgeHolder(t *testing.T) { // LD-7, S63, A01, A02, field fact 10
	me := platform.ProcessIdentity{Host: "h", BootID: "b", PID: 1, StartTime: 10, PIDNamespace: 7, TimeNamespace: 8}
	holder := func(change func(*platform.ProcessIdentity)) platform.ProcessIdentity {
		h := platform.ProcessIdentity{Host: "h", BootID: "b", PID: 42, StartTime: 500}
		if change != nil {
			change(&h)
		}
		return h
	}
	running := holder(nil)
	for _, c := range []struct {
		name   string
		holder platform.ProcessIdentity
		found  platform.ProcessIdentity
		alive  bool
		want   platform.Liveness
	}{
		{"the same process", running, running, true, platform.LivenessAlive},
		{"gone", running, platform.ProcessIdentity{}, false, platform.LivenessDead},
		{"reused pid", running, holder(func(p *platform.ProcessIdentity) { p.StartTime++ }), true, platform.LivenessDead},
		{"found in another boot", running, holder(func(p *platform.ProcessIdentity) { p.BootID = "c" }), true, platform.LivenessDead},
		{"other host", holder(func(p *platform.ProcessIdentity) { p.Host = "i" }), platform.ProcessIdentity{}, false, platform.LivenessUnknown},
		{"other boot, pid in use", holder(func(p *platform.ProcessIdentity) { p.BootID = "a" }), running, true, platform.LivenessDead},
		{"other host and other boot", holder(func(p *platform.ProcessIdentity) { p.Host, p.BootID = "i", "a" }), running, true, platform.LivenessUnknown},
		{"same namespaces, gone", holder(func(p *platform.ProcessIdentity) { p.PIDNamespace, p.TimeNamespace = 7, 8 }), running, false, platform.LivenessDead},
		{"other pid namespace, no such pid here", holder(func(p *platform.ProcessIdentity) { p.PIDNamespace = 9 }), running, false, platform.LivenessUnknown},
		{"other pid namespace, pid in use here", holder(func(p *platform.ProcessIdentity) { p.PIDNamespace = 9 }), holder(func(p *platform.ProcessIdentity) { p.StartTime++ }), true, platform.LivenessUnknown},
		{"other pid namespace of an earlier boot", holder(func(p *platform.ProcessIdentity) { p.PIDNamespace, p.BootID = 9, "a" }), running, true, platform.LivenessDead},
		{"other time namespace, another start time", holder(func(p *platform.ProcessIdentity) { p.TimeNamespace = 9 }), holder(func(p *platform.ProcessIdentity) { p.StartTime++ }), true, platform.LivenessUnknown},
		{"other time namespace, gone", holder(func(p *platform.ProcessIdentity) { p.TimeNamespace = 9 }), running, false, platform.LivenessDead},
	} {
		got := platform.JudgeHolder(c.holder, me, c.found, c.alive)
		if got.Liveness != c.want || got.Reason == "" {
			t.Errorf("%s: %v (%q); want %v with a reason", c.name, got.Liveness, got.Reason, c.want)
		}
	}
}

func TestObservingLooksAPIDUpOnlyIfTheAnswerDependsOnIt(t *testing.T) {
	table := platformtest.NewProcesses("h", 1)
	me, _ := table.Self()
	other := table.Start(2)
	for _, c := range []struct {
		name   string
		holder platform.ProcessIdentity
		probes int // Self is one
		want   platform.Liveness
	}{
		{"running", other, 2, platform.LivenessAlive},
		{"gone", platform.ProcessIdentity{Host: me.Host, BootID: me.BootID, PID: 3, StartTime: 1}, 2, platform.LivenessDead},
		{"other host", platform.ProcessIdentity{Host: "elsewhere", BootID: me.BootID, PID: 2}, 1, platform.LivenessUnknown},
		{"other boot", platform.ProcessIdentity{Host: me.Host, BootID: "past", PID: 2}, 1, platform.LivenessDead},
	} {
		before := table.Probes()
		got, err := platform.ObserveHolder(table, c.holder)
		if err != nil || got.Liveness != c.want || table.Probes()-before != c.probes {
			t.Errorf("%s: %v, %v with %d probes; want %v with %d", c.name, got, err, table.Probes()-before, c.want, c.probes)
		}
	}
}

func TestAHolderThatCannotBeLookedUpIsUnknown(t *testing.T) { // LM-14
	table := platformtest.NewProcesses("h", 1)
	other := table.Start(2)
	table.Fail(2, os.ErrPermission)
	got, err := platform.ObserveHolder(table, other)
	if err != nil || got.Liveness != platform.LivenessUnknown {
		t.Errorf("ObserveHolder = %v, %v; want unknown", got, err)
	}
}

func TestAnObserverWithoutAnIdentityJudgesNobody(t *testing.T) {
	table := platformtest.NewProcesses("h", 1)
	other := table.Start(2)
	table.Fail(1, os.ErrPermission)
	_, err := platform.ObserveHolder(table, other)
	if failure, ok := errors.AsType[*platform.IdentityUnavailable](err); !ok || failure.PID != 1 || !errors.Is(err, os.ErrPermission) {
		t.Errorf("ObserveHolder fails with %v; want *IdentityUnavailable for pid 1", err)
	}
}

func ExampleProcesses() {
	p := platform.OS()
	id, alive, err := p.Processes.Identify(p.Processes.PID())
	self, _ := p.Processes.Self()
	fmt.Println(alive, err, id == self)
	// Output: true <nil> true
}
