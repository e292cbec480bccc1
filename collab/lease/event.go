package lease

import "github.com/rivus/agentkit/platform"

// An Event is something that happened to a lease of this manager: [Acquired], [RenewFailed], [Released] or [*Lost].
type Event interface{ leaseEvent() }

// Acquired tells that this manager took a lease.
type Acquired struct {
	// Token is the new acquisition's.
	Token Token
	// Takeover is how it was taken from a previous holder; nil where the key was free.
	Takeover *Takeover
}

// A Takeover is how a lease was taken from a holder that had not released it.
type Takeover struct {
	// From is the process that had the lease.
	From platform.ProcessIdentity
	// Generation is the one that ended.
	Generation int64
	// Reason says how it is known that the lease may be taken: [Silent], or a proof of death ("the holder's boot is over").
	Reason string
}

// RenewFailed tells that the store refused or failed a renewal. The lease is still held; the next heartbeat tries again.
type RenewFailed struct {
	// Token is that of the holding.
	Token Token
	// Failures counts the failed renewals since the last one that succeeded.
	Failures int
	// Err is what the store reported, as a [*RepositoryFailure].
	Err error
}

// Released tells that this manager gave a lease back.
type Released struct {
	// Token is the one that ended.
	Token Token
}

func (Acquired) leaseEvent()    {}
func (RenewFailed) leaseEvent() {}
func (Released) leaseEvent()    {}
func (*Lost) leaseEvent()       {}
