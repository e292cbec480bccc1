package lease

import (
	"time"

	"github.com/samber/mo"
)

// A LossReason says how a lease was lost.
type LossReason string

const (
	// TakenOver: another acquisition holds the lease now.
	TakenOver LossReason = "taken-over"
	// ReleasedElsewhere: the record is a tombstone that this handle did not write.
	ReleasedElsewhere LossReason = "released"
	// Missing: the record is gone from the store.
	Missing LossReason = "missing"
	// Expired: no renewal was confirmed in time, so others may take the lease from now on.
	Expired LossReason = "expired"
)

// lossReason names the loss by the record that the loser found.
func lossReason(found mo.Option[Record]) LossReason {
	record, ok := found.Get()
	switch {
	case !ok:
		return Missing
	case record.HolderID == "":
		return ReleasedElsewhere
	default:
		return TakenOver
	}
}

// holderExpired reports whether a holder must consider its lease gone: no renewal was confirmed for a whole ttl of its own
// monotonic clock. The time of a renewal is the start of its attempt, for an observer may have read the write that early.
func holderExpired(confirmed, now, ttl time.Duration) bool { return now-confirmed >= ttl }

// renewDeadline is how long after a confirmed renewal the holder gives up by itself: a little before the ttl is over,
// so that its work has been told to stop before anybody can take the lease.
func renewDeadline(ttl time.Duration) time.Duration {
	return ttl - min(ttl/10, time.Second)
}
