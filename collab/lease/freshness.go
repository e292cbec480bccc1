package lease

import (
	"time"

	"github.com/rivus/agentkit/platform"
)

// An Observation is what an observer remembers of a key's record: which revision it saw, and when it first saw that one
// on its own monotonic clock. No clock but the observer's takes part, so clocks need not agree.
type Observation struct {
	// Revision is the one that was read.
	Revision int64
	// FirstSeen is when it was first read.
	FirstSeen time.Duration
	// Asleep is how long the observer's machine had been suspended by then. After a suspend nothing is known about how
	// long the record has gone unrenewed while somebody was awake to renew it.
	Asleep time.Duration
}

// suspendTolerance is how far two readings of how long the machine has slept may differ without a suspend in between: the
// two clocks behind a reading are not read at one instant.
const suspendTolerance = 100 * time.Millisecond

// Observe returns what the observer remembers after reading record at a moment: the same revision keeps the time at which
// it was first seen, a new one starts afresh, and so does any after the machine was suspended.
func (o Observation) Observe(record Record, now, asleep time.Duration) Observation {
	if o.Revision == record.Revision && asleep-o.Asleep <= suspendTolerance {
		return o
	}
	return Observation{Revision: record.Revision, FirstSeen: now, Asleep: asleep}
}

// IsFresh reports whether record must still be respected: it has a holder, and the observer has not yet seen this very
// revision for a whole ttl. At exactly ttl it is stale. A revision that was not observed before is fresh; a tombstone never is.
func IsFresh(record Record, seen Observation, now, ttl time.Duration) bool {
	return !record.Released() && (seen.Revision != record.Revision || now-seen.FirstSeen < ttl)
}

// CanAcquire reports whether the lease of record may be taken: it was released, its holder is dead, or it is not fresh.
// Holders that are alive or unknown keep a fresh lease.
func CanAcquire(record Record, holder platform.Liveness, fresh bool) bool {
	return record.Released() || holder == platform.LivenessDead || !fresh
}
