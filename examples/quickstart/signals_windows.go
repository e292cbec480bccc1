package main

import (
	"errors"
	"os"
	"syscall"
)

// Windows has no signal that freezes a process, and leases are not supported there.

var errNoSignals = errors.New("this example needs a Unix system: it freezes a process with SIGSTOP")

func ownGroup() *syscall.SysProcAttr { return nil }

func (p *process) kill() error { return errNoSignals }

func (p *process) stop() error { return errNoSignals }

func (p *process) resume() error { return errNoSignals }

func wasKilled(*os.ProcessState) bool { return false }
