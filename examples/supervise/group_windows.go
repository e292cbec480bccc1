package main

import (
	"os"
	"syscall"
)

// Leases need a system that can identify processes, which Windows is not, so this is never reached there.

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func endGroup(leader *os.Process) error { return leader.Kill() }

func killGroup(leader *os.Process) error { return leader.Kill() }
