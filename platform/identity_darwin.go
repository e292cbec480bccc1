package platform

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// bootID is the kernel's id of this boot. kern.boottime would not do: it moves when the wall clock is stepped.
func bootID() (string, error) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return "", err
	}
	if id = strings.TrimSpace(id); id == "" {
		return "", errors.New("kern.bootsessionuuid is empty")
	}
	return id, nil
}

// checkProcessTable has nothing to check: there is one process table.
func checkProcessTable() error { return nil }

// startTime is when the process started in milliseconds since the epoch, in whole seconds, as ps prints it. alive is
// false only on proof that there is no such process, or only its zombie.
func startTime(pid int) (ms int64, alive bool, err error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) {
		// The kernel answers with an empty record for a pid that does not exist, which x/sys reports as EIO.
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			return 0, false, nil
		}
		return 0, false, err
	}
	if err != nil {
		return 0, false, err
	}
	const zombie = 5 // SZOMB of sys/proc.h
	if info.Proc.P_stat == zombie {
		return 0, false, nil
	}
	return info.Proc.P_starttime.Sec * 1000, true, nil
}

// namespaces are unknown: macOS has none.
func namespaces() (pid, time uint64) { return 0, 0 }
