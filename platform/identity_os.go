package platform

import (
	"os"
	"sync"
)

// osProcessTable identifies processes through the system, remembering what cannot change while this process lives.
type osProcessTable struct {
	mu   sync.Mutex
	self ProcessIdentity // zero until it has been read
}

func (*osProcessTable) Host() (string, error) {
	host, err := hostName()
	if err != nil {
		return "", &IdentityUnavailable{PID: os.Getpid(), Err: err}
	}
	return host, nil
}

func (*osProcessTable) PID() int { return os.Getpid() }

func (t *osProcessTable) Self() (ProcessIdentity, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.self.PID != 0 {
		return t.self, nil
	}
	self, err := readSelf()
	if err != nil {
		return ProcessIdentity{}, &IdentityUnavailable{PID: os.Getpid(), Err: err}
	}
	t.self = self
	return self, nil
}

func (t *osProcessTable) Identify(pid int) (ProcessIdentity, bool, error) {
	if pid < 1 {
		return ProcessIdentity{}, false, nil
	}
	// The host, the boot and the namespaces in which pid is looked up are this process's own. They come first: a process
	// that cannot tell its own identity has no business declaring another one dead.
	id, err := t.Self()
	if err != nil {
		return ProcessIdentity{}, false, &IdentityUnavailable{PID: pid, Err: err}
	}
	started, alive, err := startTime(pid)
	if err != nil {
		return ProcessIdentity{}, false, &IdentityUnavailable{PID: pid, Err: err}
	}
	if !alive {
		return ProcessIdentity{}, false, nil
	}
	id.PID, id.StartTime = pid, started
	return id, true, nil
}
