//go:build unix

package main

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// kill ends the process where it is, with no chance to clean up.
func (p *process) kill() error { return p.command.Process.Signal(syscall.SIGKILL) }

// stop freezes the process and returns when the kernel says that it is frozen.
func (p *process) stop() error {
	if err := p.command.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(p.command.Process.Pid, &status, syscall.WUNTRACED, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return os.NewSyscallError("wait4", err)
		case status.Stopped() && status.StopSignal() == syscall.SIGSTOP:
			return nil
		default:
			return &notStopped{status}
		}
	}
}

type notStopped struct{ status syscall.WaitStatus }

func (e *notStopped) Error() string { return "the process ended instead of stopping" }

// resume lets a frozen process go on.
func (p *process) resume() error { return p.command.Process.Signal(syscall.SIGCONT) }

// wasKilled tells whether the kernel says that the process ended by SIGKILL.
func wasKilled(exit *os.ProcessState) bool {
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
