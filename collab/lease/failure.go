package lease

import (
	"fmt"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// Held is the failure to acquire a lease that somebody else holds.
type Held struct {
	// Key is the lease's.
	Key string
	// Generation is the holder's.
	Generation int64
	// Holder is the process that has the lease.
	Holder platform.ProcessIdentity
	// HolderID names its acquisition.
	HolderID string
	// RenewedAt is the wall-clock time of the holder's last write.
	RenewedAt time.Time
}

// Tag returns "LeaseHeld".
func (e *Held) Tag() string { return "LeaseHeld" }

// Error names the holder and says what can be done.
func (e *Held) Error() string {
	return fmt.Sprintf("lease %q is held by %v (generation %d, last renewed %s); try again later or acquire it with lease.Wait",
		abbreviate(e.Key), e.Holder, e.Generation, e.RenewedAt.UTC().Format(time.RFC3339Nano))
}

// Lost tells a holder that its lease is no longer its own.
type Lost struct {
	// Key is the lease's.
	Key string
	// Generation is the one of the acquisition that was lost.
	Generation int64
	// Reason is how it was lost.
	Reason LossReason
	// By is the process that holds the lease now, where it is known.
	By *platform.ProcessIdentity
}

// Tag returns "LeaseLost".
func (e *Lost) Tag() string { return "LeaseLost" }

// Error says how the lease was lost.
func (e *Lost) Error() string {
	how := ""
	switch e.Reason {
	case TakenOver:
		how = "it was taken over"
		if e.By != nil {
			how += " by " + e.By.String()
		}
	case ReleasedElsewhere:
		how = "its record was released by somebody else"
	case Missing:
		how = "its record is gone from the store"
	case Expired:
		how = "no renewal was confirmed in time, so others may take it"
	}
	return fmt.Sprintf("lease %q (generation %d) is lost: %s; stop the work it covered and acquire it again", e.Key, e.Generation, how)
}

// FenceRejected refuses the bearer of a stale token.
type FenceRejected struct {
	// Key is the lease's.
	Key string
	// Generation is the refused token's.
	Generation int64
	// Current is the highest generation known; absent when the record is gone. Equal to Generation when the lease was
	// released.
	Current mo.Option[int64]
}

// Tag returns "FenceRejected".
func (e *FenceRejected) Tag() string { return "FenceRejected" }

// Error says which token was refused and why, and what becomes of the work.
func (e *FenceRejected) Error() string {
	why := "there is no record of the lease any more; acquire it again before you write"
	if current, ok := e.Current.Get(); ok {
		why = fmt.Sprintf("generation %d is current; drop this result, the lease's new holder does the work again", current)
		if current == e.Generation {
			why = "the lease was released; acquire it again before you write"
		}
	}
	return fmt.Sprintf("token %d of lease %q is refused: %s", e.Generation, e.Key, why)
}

// ConfigInvalid refuses a configuration.
type ConfigInvalid struct {
	// Message says which field is wrong, and how.
	Message string
}

// Tag returns "LeaseConfigInvalid".
func (e *ConfigInvalid) Tag() string { return "LeaseConfigInvalid" }

// Error says what is wrong.
func (e *ConfigInvalid) Error() string { return "lease configuration: " + e.Message }

// KeyInvalid refuses a key that not every store can keep apart from others.
type KeyInvalid struct {
	// Key is the one that was refused.
	Key string
	// Message completes "the key ... is refused: ".
	Message string
}

// Tag returns "LeaseKeyInvalid".
func (e *KeyInvalid) Tag() string { return "LeaseKeyInvalid" }

// Error says what is wrong with the key.
func (e *KeyInvalid) Error() string {
	return fmt.Sprintf("lease key %q is refused: %s; use a non-empty UTF-8 string without NUL", abbreviate(e.Key), e.Message)
}

// abbreviate keeps messages readable whatever a key holds.
func abbreviate(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// Reentrant refuses what could only wait for the caller itself: fenced work of a key inside fenced work of that key, or
// acquiring with [Wait] a key that the same fiber holds.
type Reentrant struct {
	// Key is the lease's.
	Key string
	// Generation is that of the holding around the caller.
	Generation int64
	// Operation is "run fenced" or "acquire".
	Operation string
}

// Tag returns "LeaseReentrant".
func (e *Reentrant) Tag() string { return "LeaseReentrant" }

// Error says what would have hung.
func (e *Reentrant) Error() string {
	return fmt.Sprintf("%s of lease %q inside its own holding (generation %d) would wait for itself for ever; use the handle and token at hand",
		e.Operation, e.Key, e.Generation)
}

// RevisionConflict tells a writer that the record is not at the revision it wanted to replace. Nothing was written.
type RevisionConflict struct {
	// Key is the record's.
	Key string
	// Expected is the revision the writer wanted to replace; absent: it expected no record.
	Expected mo.Option[int64]
	// Stored is the revision in the store; absent: there is no record, or the store did not say.
	Stored mo.Option[int64]
}

// Tag returns "RevisionConflict".
func (e *RevisionConflict) Tag() string { return "RevisionConflict" }

// Error names both revisions.
func (e *RevisionConflict) Error() string {
	name := func(revision mo.Option[int64]) string {
		if r, ok := revision.Get(); ok {
			return fmt.Sprintf("revision %d", r)
		}
		return "no record"
	}
	return fmt.Sprintf("record of lease %q: expected %s, found %s; load it again before writing", e.Key, name(e.Expected), name(e.Stored))
}

// A FailureReason classes what a repository cannot do.
type FailureReason string

const (
	// Busy: other processes kept the store busy for too long, and nothing was written. Trying again may help.
	Busy FailureReason = "busy"
	// IO: the store could not be read or written.
	IO FailureReason = "io"
	// InvalidRecord: what is stored for the key is no valid record. It is never overwritten.
	InvalidRecord FailureReason = "invalid-record"
	// UnsupportedSchema: the store was written by another version of the format. It is never overwritten.
	UnsupportedSchema FailureReason = "unsupported-schema"
	// Unavailable: the platform lacks what leases need.
	Unavailable FailureReason = "unavailable"
)

// RepositoryFailure tells that the store of the leases could not do its part.
type RepositoryFailure struct {
	// Key is the lease's; empty when the store as a whole failed.
	Key string
	// Reason is the kind of failure.
	Reason FailureReason
	// Message says what failed, and what to do.
	Message string
	// Cause is the error below; nil where there is none.
	Cause error
}

// Tag returns "LeaseRepositoryFailure".
func (e *RepositoryFailure) Tag() string { return "LeaseRepositoryFailure" }

// Error names the lease, the kind of failure and its cause, and says what can be done.
func (e *RepositoryFailure) Error() string {
	text := "lease store: "
	if e.Key != "" {
		text = fmt.Sprintf("store of lease %q: ", abbreviate(e.Key))
	}
	text += string(e.Reason) + ": " + e.Message
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if next := e.remedy(); next != "" {
		text += "; " + next
	}
	return text
}

// remedy is what can be done about the failure, unless what is said already ends with that.
func (e *RepositoryFailure) remedy() string {
	switch e.Reason {
	case Busy:
		return "acquiring with lease.Wait waits until that is over"
	case IO:
		if _, tagged := errors.TagOf(e.Cause); !tagged {
			return "remove the reason and try again"
		}
	case InvalidRecord:
		return "repair it and keep its generation (without the record the tokens of the key begin again at 1)"
	case UnsupportedSchema:
		return "use a version of the program that knows it, or another store"
	}
	return "" // Unavailable: the message says what to use instead
}

// Unwrap returns the cause.
func (e *RepositoryFailure) Unwrap() error { return e.Cause }
