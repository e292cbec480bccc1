package processlock

import (
	"fmt"
	"time"

	"github.com/samber/mo"
)

// Holder describes who took a lock, from the record it left. With SQLite the record serves diagnostics only.
type Holder struct {
	// Host is the holder's host name.
	Host string
	// PID is the holder's process id on that host.
	PID int
	// AcquiredAt is wall-clock time at the holder, in milliseconds.
	AcquiredAt time.Time
	// BootID and StartTime complete the identity where the record has them: always in a lock file, never in what SQLite
	// locks leave today.
	BootID    mo.Option[string]
	StartTime mo.Option[int64]
}

// String names the holder for a person.
func (h Holder) String() string { return fmt.Sprintf("pid %d on %s", h.PID, h.Host) }

// Mechanism is how a lock excludes other processes.
type Mechanism string

// The mechanisms.
const (
	// MechanismSQLite is an exclusive transaction on an empty SQLite database: the kernel frees it with its holder.
	MechanismSQLite Mechanism = "sqlite"
	// MechanismFile is a file holding the holder's identity: the next one reclaims it when the holder is gone.
	MechanismFile Mechanism = "file"
)

// holder is what callers see of a stamp: everything but the nonce.
func (s stamp) holder() Holder {
	h := Holder{Host: s.Host, PID: int(s.PID), AcquiredAt: time.UnixMilli(s.AcquiredAt)}
	if s.BootID != nil {
		h.BootID = mo.Some(*s.BootID)
	}
	if s.StartTime != nil {
		h.StartTime = mo.Some(*s.StartTime)
	}
	return h
}
