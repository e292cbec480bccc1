package platformtest

import (
	"fmt"
	"sync"

	"github.com/rivus/agentkit/platform"
)

// Processes is a process table in memory, and the view that one process of it has.
type Processes struct {
	table *processTable
	self  int
}

// processTable is what the views share.
type processTable struct {
	mu       sync.Mutex
	host     string
	boot     int
	clock    int64 // the start time of the next process
	running  map[int]platform.ProcessIdentity
	failures map[int]error
	noHost   error
	probes   int
}

// NewProcesses returns the view of a process with this pid, the first of its table, on a host with this name.
func NewProcesses(host string, pid int) *Processes {
	p := &Processes{table: &processTable{host: host, clock: 100, running: map[int]platform.ProcessIdentity{}, failures: map[int]error{}}, self: pid}
	p.Start(pid)
	return p
}

// As returns the view of another process of the same table.
func (p *Processes) As(pid int) *Processes { return &Processes{table: p.table, self: pid} }

// Start starts a process with the given pid, replacing one that has it, and returns its identity. Each start has a later
// start time.
func (p *Processes) Start(pid int) platform.ProcessIdentity {
	t := p.table
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock++
	id := platform.ProcessIdentity{Host: t.host, BootID: fmt.Sprintf("boot-%d", t.boot), PID: pid, StartTime: t.clock}
	t.running[pid] = id
	return id
}

// Put starts a process with exactly this identity, such as one in other namespaces.
func (p *Processes) Put(id platform.ProcessIdentity) {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	p.table.running[id.PID] = id
}

// Kill ends the process.
func (p *Processes) Kill(pid int) {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	delete(p.table.running, pid)
}

// Reboot ends all processes and begins another boot.
func (p *Processes) Reboot() {
	t := p.table
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.running)
	t.boot++
}

// Fail makes looking up pid fail with err, wrapped in [*platform.IdentityUnavailable], until it is called with nil. For a
// view's own pid that is reading Self.
func (p *Processes) Fail(pid int, err error) {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	p.table.failures[pid] = err
}

// FailHost makes Host fail with err, wrapped in [*platform.IdentityUnavailable], until it is called with nil.
func (p *Processes) FailHost(err error) {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	p.table.noHost = err
}

// Probes returns how often some process of the table was looked up, Self included.
func (p *Processes) Probes() int {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	return p.table.probes
}

// Host returns the host name.
func (p *Processes) Host() (string, error) {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	if p.table.noHost != nil {
		return "", &platform.IdentityUnavailable{PID: p.self, Err: p.table.noHost}
	}
	return p.table.host, nil
}

// PID returns the pid of this view.
func (p *Processes) PID() int { return p.self }

// Self returns the identity of this view's process.
func (p *Processes) Self() (platform.ProcessIdentity, error) {
	id, alive, err := p.Identify(p.self)
	if err == nil && !alive {
		err = &platform.IdentityUnavailable{PID: p.self, Err: fmt.Errorf("no process %d was started", p.self)}
	}
	return id, err
}

// Identify returns the identity of the running process with this pid.
func (p *Processes) Identify(pid int) (platform.ProcessIdentity, bool, error) {
	t := p.table
	t.mu.Lock()
	defer t.mu.Unlock()
	t.probes++
	if err := t.failures[pid]; err != nil {
		return platform.ProcessIdentity{}, false, &platform.IdentityUnavailable{PID: pid, Err: err}
	}
	id, alive := t.running[pid]
	return id, alive, nil
}
