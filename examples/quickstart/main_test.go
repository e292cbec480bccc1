//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the program too: the parent starts it as its workers, and tests start it as the parent.
func TestMain(m *testing.M) {
	if os.Getenv("QUICKSTART") != "" || slices.Contains(os.Args, "-worker") {
		main()
	}
	os.Exit(m.Run())
}

// quickstart runs the program as a process of its own and returns its exit status and its output.
func quickstart(t *testing.T, args ...string) (int, string) {
	t.Helper()
	command, temporary := program(t, args...)
	out, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, temporary)
	return command.ProcessState.ExitCode(), string(out)
}

// program is the program with a folder of its own for temporary files.
func program(t *testing.T, args ...string) (command *exec.Cmd, temporary string) {
	t.Helper()
	temporary = t.TempDir()
	command = exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), "QUICKSTART=1", "TMPDIR="+temporary)
	return command, temporary
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

// folder is a folder with n files of different contents.
func folder(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		text := strings.Repeat(fmt.Sprintln("line of file", i), i+1)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEveryResultIsWrittenOnceAlthoughOneWorkerDiesAndOneFreezes(t *testing.T) {
	for _, files := range []int{1, 2, 40} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			status, out := quickstart(t, "-dir", folder(t, files), "-ttl", "1s")
			if status != 0 {
				t.Fatalf("status %d\n%s", status, out)
			}
			for _, want := range []string{"is killed while it computes", "is frozen between", "takes", "over from worker",
				"is refused by its lease", "is refused by the table", fmt.Sprintf("%d files, one accepted result each", files)} {
				if !strings.Contains(out, want) {
					t.Errorf("the output lacks %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestEightWorkersDivideFiveHundredFiles(t *testing.T) {
	// The program as it is built, since the race detector makes eight processes too slow for the limit of the run.
	built := filepath.Join(t.TempDir(), "quickstart")
	if out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command, temporary := program(t, "-dir", folder(t, 500), "-workers", "8", "-json")
	command.Path = built
	text, err := command.CombinedOutput()
	out := string(text)
	mustBeEmpty(t, temporary)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	} else if n := strings.Count(out, `"right":true`); n != 500 {
		t.Errorf("%d right results\n%s", n, out)
	}
}

func TestTheCheckFailsWithoutTheTablesTokenCheck(t *testing.T) {
	status, out := quickstart(t, "-dir", folder(t, 3), "-ttl", "1s", "-without", "token")
	if status != 1 || !strings.Contains(out, "has 2 accepted results") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestTheCheckFailsWithoutTheFence(t *testing.T) {
	status, out := quickstart(t, "-dir", folder(t, 3), "-ttl", "1s", "-without", "fence")
	if status != 1 || !strings.Contains(out, "the lease did not refuse the write") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestAnEmptyFolderIsNothingToDo(t *testing.T) {
	if status, out := quickstart(t, "-dir", t.TempDir()); status != 0 || !strings.Contains(out, "nothing to do") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestAnEmptyFolderIsAnObjectInJSON(t *testing.T) {
	status, out := quickstart(t, "-json", "-dir", t.TempDir())
	if status != 0 || !json.Valid([]byte(out)) {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestALinkToAFolderIsTheFolder(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder(t, 1), link); err != nil {
		t.Fatal(err)
	}
	if status, out := quickstart(t, "-dir", link, "-ttl", "1s"); status != 0 || !strings.Contains(out, "1 files, one accepted result") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestNamesDoNotReachTheTerminalAsTheyAre(t *testing.T) {
	dir := folder(t, 1)
	if err := os.WriteFile(filepath.Join(dir, "\x1b[31mred"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "\xff"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	status, out := quickstart(t, "-dir", dir, "-ttl", "1s")
	if status != 0 || strings.Contains(out, "\x1b") || !strings.Contains(out, "a key is UTF-8 text") {
		t.Errorf("status %d\n%q", status, out)
	}
}

func TestAClosedOutputLeavesNothingBehind(t *testing.T) {
	command, temporary := program(t, "-dir", folder(t, 50))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewScanner(out).Scan()
	_ = out.Close()
	_ = command.Wait() // its status depends on where it noticed
	mustBeEmpty(t, temporary)
}

func TestAFileThatChangesMeanwhileIsCalledThat(t *testing.T) {
	now := time.Now()
	story := &story{rows: map[string][]row{"a": {{result: result{Bytes: 1}}}}}
	wrong := verify(config{}, story, map[string]result{"a": {Bytes: 2}}, func(string) bool { return true })
	if text := errors.Join(wrong...).Error(); !strings.Contains(text, "a was changed or removed while") {
		t.Error(text)
	}
	if !changedSince(folder(t, 1), "000.txt", now.Add(-time.Hour)) || changedSince(folder(t, 1), "000.txt", now.Add(time.Hour)) {
		t.Error("changedSince does not go by the time of modification")
	}
}

func TestAWrongCallIsRefused(t *testing.T) {
	file := filepath.Join(folder(t, 1), "000.txt")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-dir", filepath.Join(t.TempDir(), "missing")}, "no such file or directory"},
		{[]string{"-dir", file}, "is not a folder"},
		{[]string{"-workers", "2"}, "at least 3"},
		{[]string{"-workers", "17"}, "at most 16"},
		{[]string{"-worker", "1"}, "for the parent to use"},
		{[]string{"-ttl", "1h"}, "between 200ms and 5s"},
		{[]string{"-without", "luck"}, "must be fence or token"},
		{[]string{"somewhere"}, "unexpected argument"},
	} {
		if status, out := quickstart(t, c.args...); status != 2 || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d\n%s", c.args, status, out)
		}
	}
}

func TestAFileThatCannotBeReadIsReportedAndTheOthersAreDone(t *testing.T) {
	dir := folder(t, 5)
	secret := filepath.Join(dir, "secret.txt")
	if err := os.WriteFile(secret, nil, 0); err != nil {
		t.Fatal(err)
	}
	command, temporary := program(t, "-dir", dir, "-ttl", "1s")
	if os.Getuid() == 0 { // root reads everything, so somebody else runs the program
		nobody := &syscall.Credential{Uid: 65534, Gid: 65534}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: nobody}
		command.Path = copyOfProgram(t)
		for dir := temporary; dir != os.TempDir(); dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, _ := command.CombinedOutput()
	if status := command.ProcessState.ExitCode(); status != 0 || !bytes.Contains(out, []byte("permission denied")) ||
		!bytes.Contains(out, []byte("6 files, one accepted result each")) {
		t.Errorf("status %d\n%s", status, out)
	}
}

// copyOfProgram is the program where everybody may run it.
func copyOfProgram(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "quickstart")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnInterruptionLeavesNothingBehind(t *testing.T) {
	command, temporary := program(t, "-dir", folder(t, 50))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "is frozen") { // the hardest moment: one worker cannot hear
	}
	store, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(store) != 1 {
		t.Fatal(store, err)
	}
	began := time.Now()
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = command.Wait()
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %v to end", took)
	}
	if status := command.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d", status)
	}
	mustBeEmpty(t, temporary)
	for _, left := range running(t, store[0]) {
		t.Errorf("left running: %s", left)
	}
}

// running is the command lines that mention what.
func running(t *testing.T, what string) (found []string) {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, what) {
			found = append(found, line)
		}
	}
	return found
}
