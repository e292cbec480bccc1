package platformtest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func TestMain(m *testing.M) { platformtest.Main(m, nil) }

func TestAFaultHitsTheCallsItMatchesAndEnds(t *testing.T) {
	files := platformtest.NewFiles(platform.OS().Files)
	dir := t.TempDir()
	files.Inject(platformtest.Fault{
		Op:    "CreateExclusive",
		Match: func(path string) bool { return strings.HasSuffix(path, ".x") },
		Skip:  1, Times: 2,
		Err: syscall.ENOSPC,
	})
	create := func(name string) error {
		_, err := files.CreateExclusive(filepath.Join(dir, name))
		return err
	}
	for _, step := range []struct {
		name string
		fail bool
	}{{"1.y", false}, {"1.x", false}, {"2.x", true}, {"2.y", false}, {"3.x", true}, {"4.x", false}} {
		if err := create(step.name); errors.Is(err, syscall.ENOSPC) != step.fail {
			t.Errorf("%s: %v; want failure %v", step.name, err, step.fail)
		}
	}
	if _, _, err := files.Stat(dir); err != nil {
		t.Errorf("another operation: %v", err)
	}
}

func TestAnAppliedFaultHappensAndFailsAllTheSame(t *testing.T) {
	files := platformtest.NewFiles(platform.OS().Files)
	path := filepath.Join(t.TempDir(), "f")
	remove := files.Inject(platformtest.Fault{Op: "WriteAtomic", Err: syscall.EIO, Applied: true})
	if err := files.WriteAtomic(path, []byte("x"), mo.None[fs.FileMode]()); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v; want EIO", err)
	}
	if text, err := os.ReadFile(path); string(text) != "x" {
		t.Errorf("%q, %v; want it written", text, err)
	}
	remove()
	if err := files.WriteAtomic(path, nil, mo.None[fs.FileMode]()); err != nil {
		t.Errorf("after the fault was removed: %v", err)
	}
}

func TestDatabasesFailByStatementAndKeepALog(t *testing.T) {
	fake := platformtest.New()
	ctx := context.Background()
	conn, err := fake.SQLite.Open(ctx, filepath.Join(t.TempDir(), "f"), platform.ReadWriteCreate)
	if err != nil {
		t.Fatal(err)
	}
	fake.SQLite.Inject(platformtest.Fault{Match: func(sql string) bool { return strings.HasPrefix(sql, "BEGIN") }, Err: platformtest.Failure(5)})
	_, err = conn.Exec(ctx, "BEGIN IMMEDIATE")
	if f, ok := errors.AsType[*platform.SQLiteFailure](err); !ok || !f.Busy() {
		t.Errorf("%v; want busy", err)
	}
	if _, err := conn.Query(ctx, "SELECT 1"); err != nil {
		t.Error(err)
	}
	if got, want := fake.SQLite.Statements(), []string{"BEGIN IMMEDIATE", "SELECT 1"}; !slices.Equal(got, want) {
		t.Errorf("the log is %q; want %q", got, want)
	}
	boom := errors.New("boom")
	fake.SQLite.Inject(platformtest.Fault{Op: "Close", Err: boom})
	if err := conn.Close(); !errors.Is(err, boom) {
		t.Errorf("Close: %v; want the fault", err)
	}
	if _, err := conn.Exec(ctx, "SELECT 1"); err == nil {
		t.Error("the faulty close left the connection open")
	}
}

func TestABlindSystemCannotBeAskedAboutLocks(t *testing.T) {
	fake := platformtest.New()
	fake.SQLite.Blind()
	path := filepath.Join(t.TempDir(), "f")
	if _, err := fake.Platform().SQLite.OpenLockFile(path, true); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v; want errors.ErrUnsupported", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file: %v; want none", err)
	}
}

func TestProcessesOfATableSeeEachOther(t *testing.T) {
	a := platformtest.NewProcesses("host", 1)
	b := a.As(2)
	if _, err := b.Self(); err == nil {
		t.Error("a process that was not started has an identity")
	}
	want := a.Start(2)
	if got, err := b.Self(); err != nil || got != want {
		t.Errorf("b is %v, %v; want %v", got, err, want)
	}
	again := a.Start(2)
	if again.Same(want) {
		t.Errorf("a reused pid is the same process: %v", again)
	}
	a.Kill(2)
	if _, alive, err := a.Identify(2); alive || err != nil {
		t.Errorf("alive %v, %v after its end", alive, err)
	}
	first, _ := a.Self()
	a.Reboot()
	a.Start(1)
	if second, err := a.Self(); err != nil || second.BootID == first.BootID {
		t.Errorf("after a reboot: %v, %v; before: %v", second, err, first)
	}
	a.FailHost(errors.ErrUnsupported)
	if _, err := b.Host(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Host: %v", err)
	}
}

func TestAnotherProcessOfAFakeSharesItsFaults(t *testing.T) {
	fake := platformtest.New()
	fake.Processes.Start(7)
	other := fake.As(7)
	fake.Files.Inject(platformtest.Fault{Op: "Stat", Err: syscall.EIO})
	if _, _, err := other.Files.Stat("/"); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v; want EIO", err)
	}
	if other.Files == platform.FileSystem(fake.Files) || other.SQLite == platform.SQLite(fake.SQLite) {
		t.Error("another process has the same port values")
	}
	if other.Processes.PID() != 7 {
		t.Errorf("its pid is %d", other.Processes.PID())
	}
}

func ExampleNew() {
	fake := platformtest.New()
	fake.Files.Inject(platformtest.Fault{Op: "Read", Err: syscall.EMFILE})
	_, err := fake.Platform().Files.Read("/any/file")
	fmt.Println(errors.Is(err, syscall.EMFILE))
	// Output: true
}
