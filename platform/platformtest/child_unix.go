//go:build linux || darwin

package platformtest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rivus/agentkit/platform"
)

// runAs makes cmd run as another user, without any of this one's groups.
func runAs(cmd *exec.Cmd, uid int) {
	if uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
}

// killed reports whether the process was ended by SIGKILL.
func killed(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Stop suspends the child (SIGSTOP) and waits until it stands still. It does so at a moment when the child writes to none of the
// SQLite databases: in the middle of a transaction it would keep all other processes out of them.
func (c *Child) Stop(databases ...string) {
	c.t.Helper()
	for {
		c.signal(syscall.SIGSTOP)
		c.until("stopped", func(state string) bool { return strings.HasPrefix(state, "T") })
		if !slices.ContainsFunc(databases, c.inTransaction) {
			return
		}
		c.Continue()
	}
}

// inTransaction tells whether nobody else gets to write to a database, for longer than others write.
func (c *Child) inTransaction(database string) bool {
	c.t.Helper()
	ctx := context.Background()
	conn, err := platform.OS().SQLite.Open(ctx, database, platform.ReadWrite)
	if err == nil {
		_, err = conn.Exec(ctx, "PRAGMA busy_timeout = 100; BEGIN IMMEDIATE; ROLLBACK")
		err = errors.Join(err, conn.Close())
	}
	failure, isSQLite := errors.AsType[*platform.SQLiteFailure](err)
	switch {
	case err == nil:
		return false
	case !isSQLite || !failure.Busy():
		c.t.Fatalf("look whether %s is in a transaction of %s: %v", c.name, database, err)
	}
	return true
}

// Continue lets a stopped child go on (SIGCONT).
func (c *Child) Continue() {
	c.t.Helper()
	c.signal(syscall.SIGCONT)
}

// AwaitZombie waits until the killed child is a zombie.
func (c *Child) AwaitZombie() {
	c.t.Helper()
	c.until("a zombie", func(state string) bool { return strings.HasPrefix(state, "Z") })
}

func (c *Child) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatalf("%v to %s: %v", s, c.name, err)
	}
}

// until waits for a state as ps shows it.
func (c *Child) until(what string, is func(state string) bool) {
	c.t.Helper()
	for deadline := time.Now().Add(childTimeout); ; time.Sleep(time.Millisecond) {
		out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(c.PID())).Output()
		if err == nil && is(strings.TrimSpace(string(out))) {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%s is not %s: %q, %v", c.name, what, out, err)
		}
	}
}
