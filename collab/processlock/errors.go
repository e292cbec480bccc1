package processlock

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// Held is the failure to take a lock that another process, or another acquisition in this one, holds.
type Held struct {
	// Path is the lock's path as the caller gave it.
	Path string
	// Holder is what the holder left on record, absent when it left nothing readable. It may be out of date: what counts
	// is the lock, not the record.
	Holder mo.Option[Holder]
}

// Tag returns "ProcessLockHeld".
func (*Held) Tag() string { return "ProcessLockHeld" }

// Error names the lock, its holder and since when.
func (e *Held) Error() string {
	who := "a process that left no record of itself"
	if h, ok := e.Holder.Get(); ok {
		who = fmt.Sprintf("%s since %s", h, h.AcquiredAt.Format(time.RFC3339))
	}
	return fmt.Sprintf("process lock %s is held by %s; wait for it to be released, or stop that process", e.Path, who)
}

// Lost is what an explicit release (or [Lock.Verify]) finds when the lock had stopped excluding others before.
type Lost struct {
	// Path is the lock's path as the caller gave it.
	Path string
	// Holder is who holds the lock now, if somebody left a record.
	Holder mo.Option[Holder]
	// Reason completes "the lock was lost: ...".
	Reason string
}

// Tag returns "ProcessLockLost".
func (*Lost) Tag() string { return "ProcessLockLost" }

// Error says what became of the lock.
func (e *Lost) Error() string {
	text := fmt.Sprintf("process lock %s was lost before it was released: %s", e.Path, e.Reason)
	if h, ok := e.Holder.Get(); ok {
		text += fmt.Sprintf("; %s holds it since %s", h, h.AcquiredAt.Format(time.RFC3339))
	}
	return text + "; treat what was written since as unprotected"
}

// PathInvalid refuses a path that cannot be a lock. Nothing was created.
type PathInvalid struct {
	// Path is what was given.
	Path string
	// Reason completes "the path ...".
	Reason string
}

// Tag returns "ProcessLockPathInvalid".
func (*PathInvalid) Tag() string { return "ProcessLockPathInvalid" }

// Error says what is wrong with the path and what would do.
func (e *PathInvalid) Error() string {
	return fmt.Sprintf("process lock: the path %q %s; name a file of its own in an existing local folder", e.Path, e.Reason)
}

// PermissionDenied is the failure to take a lock whose file or folder this process may not read and write. A lock on a
// file that cannot be written would exclude nobody.
type PermissionDenied struct {
	// Path is the lock's path as the caller gave it.
	Path string
	// Err is the system's or SQLite's error.
	Err error
}

// Tag returns "ProcessLockPermissionDenied".
func (*PermissionDenied) Tag() string { return "ProcessLockPermissionDenied" }

// Error says what is missing.
func (e *PermissionDenied) Error() string {
	return fmt.Sprintf("process lock %s: %v; every process that shares the lock must be able to write the file and its folder", e.Path, e.Err)
}

// Unwrap returns the system's error.
func (e *PermissionDenied) Unwrap() error { return e.Err }

// Failure is an input/output error on the way to a lock. Whether the lock is held is not known; this caller does not
// hold it.
type Failure struct {
	// Path is the lock's path as the caller gave it.
	Path string
	// Op is what was being done: "open", "lock", "write holder".
	Op string
	// Err is the system's or SQLite's error.
	Err error
}

// Tag returns "ProcessLockFailure".
func (*Failure) Tag() string { return "ProcessLockFailure" }

// Error names the operation and the reason, and says what to do.
func (e *Failure) Error() string {
	text := fmt.Sprintf("process lock %s: %s: %v", e.Path, e.Op, e.Err)
	if _, tagged := errors.TagOf(e.Err); !tagged { // else it has said so itself
		text += "; remove the reason and try again"
	}
	return text
}

// Unwrap returns the underlying error.
func (e *Failure) Unwrap() error { return e.Err }

// ConfigInvalid refuses options that make no sense.
type ConfigInvalid struct {
	// Message says which and why.
	Message string
}

// Tag returns "ProcessLockConfigInvalid".
func (*ConfigInvalid) Tag() string { return "ProcessLockConfigInvalid" }

// Error returns the message.
func (e *ConfigInvalid) Error() string { return "process lock: " + e.Message }

// failed gives an error from below the type a caller can act on. Interruptions, and failures that say all there is to
// say already, pass.
func failed(ctx context.Context, path, op string, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return interruption(ctx)
	}
	if sqlite, ok := errors.AsType[*platform.SQLiteFailure](err); ok {
		if sqlite.Primary() == platform.SQLiteReadOnly {
			return &PermissionDenied{Path: path, Err: err}
		}
		return &Failure{Path: path, Op: op, Err: err}
	}
	if _, ok := errors.AsType[errors.Tagged](err); ok {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &PermissionDenied{Path: path, Err: err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &PathInvalid{Path: path, Reason: "is in a folder that does not exist"}
	case errors.Is(err, syscall.ELOOP):
		return &PathInvalid{Path: path, Reason: "is a symbolic link"}
	case errors.Is(err, syscall.EISDIR):
		return &PathInvalid{Path: path, Reason: "is a directory"}
	default:
		return &Failure{Path: path, Op: op, Err: err}
	}
}

// interruption is the error of a caller whose context has ended. It satisfies errors.Is for the context's error and for
// its cause.
func interruption(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// kind names a file type for a person.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "not a regular file (" + strings.ToLower(mode.Type().String()) + ")"
	}
}
