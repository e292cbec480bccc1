package lease

import (
	"fmt"

	"github.com/rivus/agentkit/platform"
)

// Liveness is what an observer can prove about the process that holds a lease.
type Liveness int

const (
	// Unknown: nothing is proved. The holder is judged by the TTL alone. It is the zero value.
	Unknown Liveness = iota
	// Alive: the holder's process runs.
	Alive
	// Dead: the holder's process is over, so its lease may be taken at once.
	Dead
)

// String returns "unknown", "alive" or "dead".
func (l Liveness) String() string {
	switch l {
	case Unknown:
		return "unknown"
	case Alive:
		return "alive"
	case Dead:
		return "dead"
	}
	return fmt.Sprintf("Liveness(%d)", int(l))
}

// A TakeoverReason says why a lease that had a holder could be taken from it.
type TakeoverReason string

const (
	// BootOver: the holder ran in an earlier boot of this machine.
	BootOver TakeoverReason = "holder's boot is over"
	// ProcessGone: no process has the holder's pid.
	ProcessGone TakeoverReason = "holder's process is gone"
	// PIDReused: another process has the holder's pid now.
	PIDReused TakeoverReason = "pid reused"
	// Silent: the holder did not renew for a whole TTL.
	Silent TakeoverReason = "not renewed for a whole TTL"
)

// HolderLiveness judges a holder from what the observer sees of the holder's pid: found is the process with that pid now,
// nil when there is none. When dead, the reason says why.
//
// A holder on another host is unknown. So is one whose pid or start time was measured in another namespace than the
// observer's: the numbers of one process differ between namespaces. A holder of an earlier boot is dead, and so is one
// whose pid nobody has, or somebody else.
func HolderLiveness(holder, observer platform.ProcessIdentity, found *platform.ProcessIdentity) (Liveness, TakeoverReason) {
	switch {
	case holder.Host != observer.Host:
		return Unknown, ""
	case holder.BootID != observer.BootID:
		return Dead, BootOver
	case !sameNamespace(holder.PIDNamespace, observer.PIDNamespace):
		return Unknown, ""
	case found == nil:
		return Dead, ProcessGone
	case found.BootID != holder.BootID:
		return Dead, BootOver
	case found.StartTime == holder.StartTime:
		return Alive, ""
	case !sameNamespace(holder.TimeNamespace, observer.TimeNamespace):
		return Unknown, ""
	default:
		return Dead, PIDReused
	}
}

// sameNamespace treats a namespace that is not known (0) as the observer's own, as implementations without namespaces do.
func sameNamespace(a, b uint64) bool { return a == 0 || b == 0 || a == b }

// judge looks the holder's pid up, where that can prove anything, and judges. A pid that cannot be looked up is unknown.
func judge(processes platform.Processes, holder, observer platform.ProcessIdentity) (Liveness, TakeoverReason) {
	if verdict, why := HolderLiveness(holder, observer, &holder); verdict != Alive {
		return verdict, why // no look at the pid can change it
	}
	found, alive, err := processes.Identify(holder.PID)
	switch {
	case err != nil:
		return Unknown, ""
	case !alive:
		return HolderLiveness(holder, observer, nil)
	default:
		return HolderLiveness(holder, observer, &found)
	}
}
