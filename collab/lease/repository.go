package lease

import (
	"context"

	"github.com/samber/mo"
)

// A Repository stores the records of leases. It is the port between a [Manager] and a store; [OpenSQLite], [OpenFile] and
// [NewMemory] are ours, and package leasetest holds the contract that any implementation must pass.
//
// Methods are called by many goroutines at once. They fail with [*RevisionConflict] (Save only) or [*RepositoryFailure];
// any other error is taken for a failure with reason [IO]. A store that cannot answer should return when ctx is done. Each
// implementation is a comparable value.
type Repository interface {
	// Load returns the record of key as stored; found is false where there is none. Only its shape is checked.
	Load(ctx context.Context, key string) (record Record, found bool, err error)

	// Save writes record if the stored revision of its key is the expected one (absent: if there is no record), else it
	// changes nothing and fails with [*RevisionConflict]. Comparing and writing are one step for all processes that share the
	// store. It returns once the write would survive a power cut. An error other than a conflict leaves open whether
	// the write was applied.
	Save(ctx context.Context, record Record, expected mo.Option[int64]) error

	// Fence waits until this caller alone, of all processes that share the store, has the fence of key, and keeps it until
	// release is called. Fences of other keys are independent. A process that ends frees its fences. When ctx is done
	// first, Fence fails with its cause and holds nothing.
	Fence(ctx context.Context, key string) (release func() error, err error)
}

// A Renewer is a [Repository] that can renew many leases in one step. A manager over one sends all its renewals of a beat
// together, so that a thousand leases cost one transaction.
type Renewer interface {
	Repository

	// Renew writes each record over the revision just before its own, as Save does, all in one step. Conflicts holds the
	// indexes of the records whose stored revision was another: nothing was written for those, all others were. With an error it is
	// open whether anything was applied. Unlike Save it need not survive a power cut: what would be lost is a renewal, never an
	// acquisition.
	Renew(ctx context.Context, records []Record) (conflicts []int, err error)
}

// asRepositoryFailure makes any error of a store other than a conflict a [*RepositoryFailure].
func asRepositoryFailure(key string, err error) error {
	switch err.(type) {
	case *RepositoryFailure, *RevisionConflict:
		return err
	}
	return &RepositoryFailure{Key: key, Reason: IO, Message: "the store failed", Cause: err}
}
