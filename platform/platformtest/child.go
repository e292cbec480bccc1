package platformtest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// childTimeout bounds every wait for a child process, so that a test fails instead of hanging.
const childTimeout = 20 * time.Second

// A Child is a real process running a [Program] of the test binary. It is killed when its test ends.
type Child struct {
	t     testing.TB
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string

	reap   sync.Once
	reaped error
}

// ChildOptions says how to start a child process.
type ChildOptions struct {
	// Program is the name of the program, as in Main.
	Program string
	// Args are its arguments.
	Args []string
	// Wrap is a command that starts it, such as unshare with its flags; the child's own command line is appended.
	Wrap []string
	// UID is the user to run as, which takes root. 0: this process's.
	UID int
	// Env are further environment variables.
	Env []string
}

// Start starts a child process. What it writes to its standard error goes to the test's log.
func Start(t testing.TB, program string, args ...string) *Child {
	t.Helper()
	return StartWith(t, ChildOptions{Program: program, Args: args})
}

// StartWith is Start with options.
func StartWith(t testing.TB, o ChildOptions) *Child {
	t.Helper()
	// The test binary lies in a folder that other users may not enter; an open descriptor of it they may execute.
	self, err := os.Open(executable())
	if err != nil {
		t.Fatalf("open the test binary: %v", err)
	}
	defer self.Close()
	command := append(append([]string(nil), o.Wrap...), binary(), "-test.run=^$")
	cmd := exec.Command(command[0], command[1:]...)
	cmd.ExtraFiles = []*os.File{self}
	cmd.Env = append(append(os.Environ(), o.Env...), programVariable+"="+o.Program, argsVariable+"="+strings.Join(o.Args, "\x1f"))
	cmd.Dir = os.TempDir()
	runAs(cmd, o.UID)
	return launch(t, o.Program, cmd)
}

// StartCommand starts any other command as a child.
func StartCommand(t testing.TB, command ...string) *Child {
	t.Helper()
	return launch(t, command[0], exec.Command(command[0], command[1:]...))
}

func launch(t testing.TB, name string, cmd *exec.Cmd) *Child {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, theirs, err := os.Pipe() // of our own: one of cmd's is closed by its Wait, with what nobody has read yet
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = theirs
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = stdout.Close()
		t.Fatalf("start %s: %v", name, err)
	}
	c := &Child{t: t, name: fmt.Sprintf("%s (pid %d)", name, cmd.Process.Pid), cmd: cmd, stdin: stdin, lines: make(chan string, 1024)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(c.lines)
		for in := bufio.NewScanner(stdout); in.Scan(); {
			c.lines <- in.Text()
		}
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = c.Wait()
		_ = stdout.Close()  // a process that the child left behind may still have it
		for range c.lines { // so that its reader ends
		}
		<-read
		if t.Failed() && stderr.Len() > 0 {
			t.Logf("%s wrote: %s", c.name, stderr.String())
		}
	})
	return c
}

// PID returns the process id of the child.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Line returns the next line the child writes; the test fails when none comes.
func (c *Child) Line() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatalf("%s ended: %v", c.name, c.Wait())
		}
		return line
	case <-time.After(childTimeout):
		c.t.Fatalf("%s said nothing for %v", c.name, childTimeout)
	}
	return ""
}

// Expect requires the next line to be this one.
func (c *Child) Expect(want string) {
	c.t.Helper()
	if got := c.Line(); got != want {
		c.t.Fatalf("%s said %q; want %q", c.name, got, want)
	}
}

// Quiet requires the child to write nothing for d.
func (c *Child) Quiet(d time.Duration) {
	c.t.Helper()
	select {
	case line := <-c.lines:
		c.t.Fatalf("%s said %q; want nothing", c.name, line)
	case <-time.After(d):
	}
}

// Send writes a line to the child.
func (c *Child) Send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.stdin, line+"\n"); err != nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
}

// Kill kills the child (SIGKILL) and waits until it is gone, and no zombie any more.
func (c *Child) Kill() {
	c.t.Helper()
	c.KillUnreaped()
	_ = c.Wait()
	if !killed(c.cmd.ProcessState) {
		c.t.Fatalf("%s ended by itself: %v", c.name, c.cmd.ProcessState)
	}
}

// KillUnreaped kills the child and leaves it a zombie until its test ends or Wait is called.
func (c *Child) KillUnreaped() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatalf("kill %s: %v", c.name, err)
	}
}

// Wait waits for the child's end and returns how it ended.
func (c *Child) Wait() error {
	c.reap.Do(func() {
		_ = c.stdin.Close()
		c.reaped = c.cmd.Wait()
	})
	return c.reaped
}
