//go:build linux || darwin

package platform

import (
	"errors"
	"os"
)

// hostName is the kernel's node name.
func hostName() (string, error) { return os.Hostname() }

// readSelf reads this process's identity.
func readSelf() (ProcessIdentity, error) {
	id := ProcessIdentity{PID: os.Getpid()}
	if err := checkProcessTable(); err != nil {
		return id, err
	}
	var alive bool
	var err error
	if id.StartTime, alive, err = startTime(id.PID); err != nil {
		return id, err
	}
	if !alive {
		return id, errors.New("the process table does not show this process")
	}
	if id.Host, err = hostName(); err != nil {
		return id, err
	}
	if id.BootID, err = bootID(); err != nil {
		return id, err
	}
	id.PIDNamespace, id.TimeNamespace = namespaces()
	return id, nil
}
