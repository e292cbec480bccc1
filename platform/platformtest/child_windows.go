package platformtest

import (
	"os"
	"os/exec"
)

// runAs cannot change the user on Windows; tests that need it take root, which there is not.
func runAs(*exec.Cmd, int) {}

// killed reports whether the process was terminated: its exit code is then 1.
func killed(s *os.ProcessState) bool { return s.ExitCode() == 1 }

// Stop skips the test: Windows cannot suspend a process.
func (c *Child) Stop(...string) {
	c.t.Helper()
	c.t.Skip("Windows cannot suspend a process")
}

// Continue is for the systems that have Stop.
func (*Child) Continue() {}

// AwaitZombie skips the test: Windows has no zombies.
func (c *Child) AwaitZombie() {
	c.t.Helper()
	c.t.Skip("Windows has no zombies")
}
