//go:build unix

package processlock_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

const byFile = processlock.MechanismFile

// fileFake is a platform without SQLite, with a living process 7 beside this one, 1000.
func fileFake() (*platformtest.Fake, processlock.Options) {
	fake := fakeOf(byFile)
	fake.Processes.Start(7)
	return fake, processlock.Options{Platform: fake.Platform()}
}

// stampText is the text of a lock file of this holder.
func stampText(id platform.ProcessIdentity) string {
	text := fmt.Sprintf(`{"host":%q,"bootId":%q,"pid":%d,"startTime":%d,"acquiredAt":1000,"nonce":"00000000-0000-4000-8000-000000000000"`,
		id.Host, id.BootID, id.PID, id.StartTime)
	if id.PIDNamespace != 0 {
		text += fmt.Sprintf(`,"pidNamespace":%d`, id.PIDNamespace)
	}
	return text + "}"
}

// dead is a holder that has ended.
func dead(fake *platformtest.Fake) platform.ProcessIdentity {
	id := fake.Processes.Start(66)
	fake.Processes.Kill(66)
	return id
}

func TestALockFileHoldsItsHoldersIdentity(t *testing.T) { // PL-7, 2.5.3, 2.3.6, 2.3.9
	_, o := fileFake()
	path := lockPath(t)
	lock := taken(t, path, o)
	shape := regexp.MustCompile(`^\{"host":"host","bootId":"boot-0","pid":1000,"startTime":\d+,"acquiredAt":\d{13},"nonce":"[0-9a-f-]{36}"\}$`)
	if text := content(t, path); !shape.MatchString(text) {
		t.Errorf("the file holds %s", text)
	}
	if got := names(t, path); got != "daemon.lock" {
		t.Errorf("held: %s", got)
	}
	h := lock.Holder().MustGet()
	if h.BootID.OrEmpty() != "boot-0" || h.StartTime.OrEmpty() == 0 || lock.Mechanism() != byFile {
		t.Errorf("holder %+v by %s", h, lock.Mechanism())
	}
	released(t, lock)
	if got := names(t, path); got != "" {
		t.Errorf("released: %s", got)
	}
}

func TestALockFileNamesTheNamespacesOfItsHolder(t *testing.T) { // field facts 10, 11
	fake, o := fileFake()
	fake.Processes.Put(platform.ProcessIdentity{Host: "host", BootID: "b", PID: 1000, StartTime: 5, PIDNamespace: 11, TimeNamespace: 12})
	path := lockPath(t)
	taken(t, path, o)
	if text := content(t, path); !strings.HasSuffix(text, `","pidNamespace":11,"timeNamespace":12}`) {
		t.Errorf("the file holds %s", text)
	}
}

func TestWhichLockFilesAreReclaimed(t *testing.T) { // 2.3.2, 2.3.3, PL-9, A01, A02, A06, B01
	fake, _ := fileFake()
	me, _ := fake.Processes.Self()
	living, _, _ := fake.Processes.Identify(7)
	with := func(id platform.ProcessIdentity, change func(*platform.ProcessIdentity)) string {
		change(&id)
		return stampText(id)
	}
	for name, c := range map[string]struct {
		text string
		age  time.Duration
		want string // "taken", "refused", or "refused by pid"
	}{
		"living holder":             {text: stampText(living), want: "refused by 7"},
		"this process":              {text: stampText(me), want: "refused by 1000"},
		"holder that is gone":       {text: stampText(dead(fake)), want: "taken"},
		"reused pid":                {text: with(living, func(p *platform.ProcessIdentity) { p.StartTime-- }), want: "taken"},
		"other boot":                {text: with(living, func(p *platform.ProcessIdentity) { p.BootID = "earlier" }), want: "taken"},
		"other host":                {text: with(living, func(p *platform.ProcessIdentity) { p.Host, p.PID = "elsewhere", 5 }), age: time.Hour, want: "refused by 5"},
		"other pid namespace":       {text: with(living, func(p *platform.ProcessIdentity) { p.PID, p.PIDNamespace = 5, 3 }), age: time.Hour, want: "taken"},
		"pid zero":                  {text: with(living, func(p *platform.ProcessIdentity) { p.PID = 0 }), want: "taken"},
		"pid that is no integer":    {text: strings.Replace(stampText(living), `"pid":7`, `"pid":7.5`, 1), want: "taken"},
		"more members":              {text: strings.Replace(stampText(living), `{`, `{"x":{"y":[null]},`, 1), want: "refused by 7"},
		"empty and fresh":           {text: "", want: "refused"},
		"empty for 29 s":            {text: "", age: 29 * time.Second, want: "refused"},
		"empty for 31 s":            {text: "", age: 31 * time.Second, want: "taken"},
		"no JSON for 29 s":          {text: "x", age: 29 * time.Second, want: "refused"},
		"no JSON for 31 s":          {text: "x", age: 31 * time.Second, want: "taken"},
		"no start time for 29 s":    {text: strings.Replace(stampText(living), `"startTime"`, `"startTimes"`, 1), age: 29 * time.Second, want: "refused"},
		"no start time for 31 s":    {text: strings.Replace(stampText(living), `"startTime"`, `"startTimes"`, 1), age: 31 * time.Second, want: "taken"},
		"SQLite's record for 31 s":  {text: golden(t, "process-lock-sqlite/daemon.lock.holder"), age: 31 * time.Second, want: "taken"},
		"Node's, of another host":   {text: golden(t, "process-lock-file/daemon.lock"), age: time.Hour, want: "refused by 8087"},
		"made in the future, empty": {text: "", age: -time.Hour, want: "refused"},
	} {
		fake, o := fileFake()
		fake.Processes.Put(me)
		fake.Processes.Put(living)
		if name == "other pid namespace" {
			// It takes an observer that knows its own namespace to see that the holder's is another.
			me := me
			me.PIDNamespace = 4
			fake.Processes.Put(me)
			c.want = "refused by 5"
		}
		var events []processlock.Reclaimed
		o.OnReclaim = func(r processlock.Reclaimed) { events = append(events, r) }
		path := lockPath(t)
		write(t, path, c.text)
		made := time.Now().Add(-c.age)
		if err := os.Chtimes(path, made, made); err != nil {
			t.Fatal(err)
		}
		held, err := processlock.Probe(t.Context(), path, o)
		if err != nil || held != (c.want != "taken") {
			t.Errorf("%s: Probe = %v, %v; want %s", name, held, err, c.want)
		}
		if got := content(t, path); got != c.text {
			t.Errorf("%s: Probe changed the file", name)
		}
		lock, err := processlock.Take(t.Context(), path, o)
		got := say(err)
		if got == "held" {
			got = "taken"
			if len(events) != 1 || events[0].Path != path || events[0].Reason == "" {
				t.Errorf("%s: events %+v; want one", name, events)
			}
			if files := names(t, path); files != "daemon.lock" {
				t.Errorf("%s: the folder holds %s", name, files)
			}
			released(t, lock)
		} else if content(t, path) != c.text || names(t, path) != "daemon.lock" || len(events) != 0 {
			t.Errorf("%s: refused, and yet something changed", name)
		}
		if got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
}

func TestGuardsOfDeadReclaimersAreReclaimedUpToTheDeepest(t *testing.T) { // 2.3.5
	for guards := range 4 {
		fake, o := fileFake()
		text := stampText(dead(fake))
		var events []string
		o.OnReclaim = func(r processlock.Reclaimed) { events = append(events, strings.TrimLeft(filepath.Ext(r.Path), ".")) }
		path := lockPath(t)
		for n := range guards + 1 {
			write(t, path+strings.Repeat(".stale", n), text)
		}
		before := names(t, path)
		lock, err := processlock.Take(t.Context(), path, o)
		if guards == 3 {
			if say(err) != "refused by 66" || names(t, path) != before || len(events) != 0 {
				t.Errorf("3 guards: %v, %s, events %v; want refused, naming the dead holder, and nothing removed", err, names(t, path), events)
			}
			continue
		}
		if err != nil || names(t, path) != "daemon.lock" {
			t.Errorf("%d guards: %v, %s; want taken and cleaned", guards, err, names(t, path))
			continue
		}
		if len(events) != guards+1 || events[guards] != "lock" {
			t.Errorf("%d guards: events %v; want the deepest first", guards, events)
		}
		released(t, lock)
	}
}

func TestALiveReclaimersGuardRefusesNamingTheDeadHolder(t *testing.T) { // 2.3.4
	fake, o := fileFake()
	living, _, _ := fake.Processes.Identify(7)
	path := lockPath(t)
	write(t, path, stampText(dead(fake)))
	write(t, path+".stale", stampText(living))
	if h := refused(t, path, o).Holder.OrEmpty(); h.PID != 66 {
		t.Errorf("refused by %v; want the dead holder", h)
	}
	if got := names(t, path); got != "daemon.lock daemon.lock.stale" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestAGuardCarriesItsOwnersIdentityAndANonceOfItsOwn(t *testing.T) { // 2.5.3
	fake, o := fileFake()
	path := lockPath(t)
	write(t, path, stampText(dead(fake)))
	var guard string
	fake.Files.Inject(platformtest.Fault{Op: "Remove", Match: func(p string) bool { return p == path }, Before: func(string) { guard = content(t, path+".stale") }})
	taken(t, path, o)
	nonce := regexp.MustCompile(`"nonce":"[^"]+"`)
	main := content(t, path)
	if nonce.FindString(guard) == nonce.FindString(main) || nonce.ReplaceAllString(guard, "") != nonce.ReplaceAllString(main, "") {
		t.Errorf("the guard is %s, the lock file %s; want them equal but for the nonce", guard, main)
	}
}

func TestAFileThatChangedSinceItWasJudgedIsNotRemoved(t *testing.T) { // 2.3.4
	fake, o := fileFake()
	living, _, _ := fake.Processes.Identify(7)
	path := lockPath(t)
	write(t, path, stampText(dead(fake)))
	// While the guard is being taken another process takes the lock.
	fake.Files.Inject(platformtest.Fault{Op: "CreateExclusive", Match: func(p string) bool { return p == path+".stale" }, Times: 1,
		Before: func(string) { write(t, path, stampText(living)) }})
	if h := refused(t, path, o).Holder.OrEmpty(); h.PID != 7 {
		t.Errorf("refused by %v; want the living holder", h)
	}
	if got := content(t, path); got != stampText(living) {
		t.Errorf("the file holds %s; want the living holder's", got)
	}
}

func TestAStampOverwrittenByAStalledHolderIsNotOurs(t *testing.T) { // PL-8, 2.3.1
	fake, o := fileFake()
	living, _, _ := fake.Processes.Identify(7)
	path := lockPath(t)
	fake.Files.Inject(platformtest.Fault{Op: "Read", Times: 1, Before: func(string) { write(t, path, stampText(living)) }})
	if h := refused(t, path, o).Holder.OrEmpty(); h.PID != 7 {
		t.Errorf("refused by %v; want the stalled holder", h)
	}
	if got := content(t, path); got != stampText(living) {
		t.Errorf("the file holds %s; want it untouched", got)
	}
}

func TestAFileThatVanishesIsTriedAgain(t *testing.T) { // 2.3.1
	fake, o := fileFake()
	living, _, _ := fake.Processes.Identify(7)
	path := lockPath(t)
	write(t, path, stampText(living))
	fake.Files.Inject(platformtest.Fault{Op: "Read", Times: 1, Before: func(string) { _ = os.Remove(path) }})
	released(t, taken(t, path, o))
	// For ever: eight turns end the attempt.
	turns := 0
	fake.Files.Inject(platformtest.Fault{Op: "CreateExclusive", Before: func(string) { turns++; write(t, path, stampText(living)) }})
	fake.Files.Inject(platformtest.Fault{Op: "Read", Before: func(string) { _ = os.Remove(path) }})
	refused(t, path, o)
	if turns != 8 {
		t.Errorf("%d turns; want 8", turns)
	}
}

func TestAFailureToStampRemovesTheFile(t *testing.T) { // 2.3.1
	fake, o := fileFake()
	path := lockPath(t)
	fake.Files.Inject(platformtest.Fault{Op: "WriteAtomic", Err: syscall.ENOSPC})
	if _, err := processlock.Take(t.Context(), path, o); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v; want ENOSPC", err)
	}
	if got := names(t, path); got != "" {
		t.Errorf("the folder holds %s; want nothing", got)
	}
}

func TestAFileThatCannotBeReadIsAFailureAndStays(t *testing.T) { // B03, 1.1.4
	fake, o := fileFake()
	path := lockPath(t)
	write(t, path, stampText(dead(fake)))
	for _, fault := range []error{syscall.EMFILE, syscall.EIO} {
		remove := fake.Files.Inject(platformtest.Fault{Op: "Read", Err: fault})
		_, err := processlock.Take(t.Context(), path, o)
		if _, ok := errors.AsType[*processlock.Failure](err); !ok || !errors.Is(err, fault) {
			t.Errorf("%v; want *Failure", err)
		}
		remove()
	}
	if got := names(t, path); got != "daemon.lock" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestAnUnreadableFileOfAnotherUserIsAPermissionFailure(t *testing.T) { // B03
	platformtest.Privileged(t)
	path := filepath.Join(openFolder(t), "l")
	child := holder(t, byFile, path)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	rival := platformtest.StartWith(t, platformtest.ChildOptions{Program: "take", Args: []string{"file", path, "try"}, UID: 65534})
	rival.Expect("ProcessLockPermissionDenied")
	child.Send("verify")
	child.Expect("held")
	child.Send("release")
	child.Expect("held")
}

func TestAZombieHolderIsReclaimed(t *testing.T) { // A06
	path := lockPath(t)
	child := holder(t, byFile, path)
	child.KillUnreaped()
	child.AwaitZombie()
	released(t, taken(t, path, processlock.Options{Platform: mechanisms[byFile]()}))
}

func TestAHolderInAnotherPIDNamespaceIsNotReclaimed(t *testing.T) { // field fact 10
	platformtest.Privileged(t)
	path := filepath.Join(openFolder(t), "l")
	inside := platformtest.StartWith(t, platformtest.ChildOptions{
		Program: "take", Args: []string{"file", path, "try"},
		Wrap: []string{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc"},
	})
	inside.Expect("held")
	refused(t, path, processlock.Options{Platform: mechanisms[byFile]()})
	inside.Send("release")
	inside.Expect("held")
}

func TestALiveSQLiteHoldersDatabaseIsNotReclaimedByAProcessWithoutSQLite(t *testing.T) { // 2.6.1
	path := lockPath(t)
	child := holder(t, bySQLite, path)
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	refused(t, path, processlock.Options{Platform: mechanisms[byFile]()})
	child.Send("verify")
	child.Expect("held")
	child.Kill()
	released(t, taken(t, path, processlock.Options{Platform: mechanisms[byFile]()}))
}

func TestALostLockFileIsReportedAndLeftAlone(t *testing.T) { // 2.3.6, 0.13
	fake, o := fileFake()
	living, _, _ := fake.Processes.Identify(7)
	path := lockPath(t)
	lock := taken(t, path, o)
	if err := lock.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	write(t, path, stampText(living))
	for _, err := range []error{lock.Verify(t.Context()), lock.Release()} {
		if lost, ok := errors.AsType[*processlock.Lost](err); !ok || lost.Holder.OrEmpty().PID != 7 {
			t.Errorf("%v; want *Lost naming pid 7", err)
		}
	}
	if got := content(t, path); got != stampText(living) {
		t.Errorf("the file holds %s", got)
	}
	gone := lockPath(t)
	lock = taken(t, gone, o)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if lost, ok := errors.AsType[*processlock.Lost](lock.Release()); !ok || lost.Holder.IsPresent() {
		t.Errorf("%v; want *Lost", lost)
	}
}

func TestNodesReclaimInProgressIsUnderstood(t *testing.T) { // golden file-lock-reclaim
	// Both files are of the recorded machine: to a process of it, in the boot of then, the writer has exited, so that
	// both are reclaimed.
	fake, o := fileFake()
	fake.Processes.Put(platform.ProcessIdentity{Host: "vm", BootID: "6490c184-aa0c-4ac0-8c03-1d9723b7cc0f", PID: 1000, StartTime: 1})
	fake.Processes.Kill(8087)
	path := lockPath(t)
	write(t, path, golden(t, "file-lock-reclaim/daemon.lock"))
	write(t, path+".stale", golden(t, "file-lock-reclaim/daemon.lock.stale"))
	var reclaimed []string
	o.OnReclaim = func(r processlock.Reclaimed) {
		reclaimed = append(reclaimed, fmt.Sprintf("%s of %v", filepath.Base(r.Path), r.Holder.OrEmpty().PID))
	}
	released(t, taken(t, path, o))
	if want := []string{"daemon.lock.stale of 8087", "daemon.lock of 8087"}; !slices.Equal(reclaimed, want) {
		t.Errorf("%q; want %q", reclaimed, want)
	}
	// While the writer runs its guard refuses, and the dead holder is the one that is named.
	fake.Processes.Put(platform.ProcessIdentity{Host: "vm", BootID: "6490c184-aa0c-4ac0-8c03-1d9723b7cc0f", PID: 8087, StartTime: 210254})
	write(t, path, golden(t, "file-lock-reclaim/daemon.lock"))
	write(t, path+".stale", golden(t, "file-lock-reclaim/daemon.lock.stale"))
	if h := refused(t, path, o).Holder.OrEmpty(); h.StartTime.OrEmpty() != 210253 {
		t.Errorf("refused by %+v; want the dead holder", h)
	}
}
