package lease

import (
	"fmt"
	"time"

	"github.com/rivus/agentkit/platform"
)

// MaxCounter is the largest generation or revision a record may have: 2^53-1, the largest integer that every reader of
// the on-disk formats represents exactly.
const MaxCounter = 1<<53 - 1

// A Record is the stored state of one key. It is never deleted: a released lease leaves its record behind as a tombstone,
// so that the next generation is still greater than every one before it.
type Record struct {
	// Key is the lease's.
	Key string
	// Generation counts the acquisitions of the key, takeovers included. It is the number in the fencing token.
	Generation int64
	// Revision counts the writes of the record.
	Revision int64
	// Holder is the process that holds the lease; nil in a tombstone.
	Holder *platform.ProcessIdentity
	// HolderID tells one acquisition from every other, also from an earlier one by the same process; empty in a
	// tombstone.
	HolderID string
	// RenewedAt is the wall-clock time of the last write, in whole milliseconds. It is for people: expiry never uses it.
	RenewedAt time.Time
}

// Token returns the fencing token of the record's generation.
func (r Record) Token() Token { return Token{Key: r.Key, Generation: r.Generation} }

// Released reports whether the record is a tombstone.
func (r Record) Released() bool { return r.Holder == nil }

// Validate reports why the record cannot be trusted, as a [*RepositoryFailure] with reason [InvalidRecord]: an empty key, a
// generation outside 1..[MaxCounter], a revision outside generation..[MaxCounter], or a holder without an id (or an id without
// a holder). Repositories store any record; the manager validates before it relies on one.
func (r Record) Validate() error {
	problem := ""
	switch {
	case r.Key == "":
		problem = "the key is empty"
	case r.Generation < 1 || r.Generation > MaxCounter:
		problem = fmt.Sprintf("generation %d is outside 1..2^53-1", r.Generation)
	case r.Revision < r.Generation || r.Revision > MaxCounter:
		problem = fmt.Sprintf("revision %d is outside %d..2^53-1", r.Revision, r.Generation)
	case (r.Holder == nil) != (r.HolderID == ""):
		problem = "holder and holder id must be both present or both absent"
	default:
		return nil
	}
	return &RepositoryFailure{
		Key: r.Key, Reason: InvalidRecord,
		Message: "the stored record breaks its invariants: " + problem + "; it is left as it is",
	}
}

// heldBy reports whether the record is the holding of exactly this acquisition. Generation and id must both match: the
// same process holding again under a newer acquisition is another holding.
func (r Record) heldBy(generation int64, holderID string) bool {
	return r.Holder != nil && r.Generation == generation && r.HolderID == holderID
}
