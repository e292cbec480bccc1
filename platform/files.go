package platform

import (
	"io/fs"
	"time"

	"github.com/samber/mo"
)

// FileSystem is the part of the file system that locks and leases use. Failures are those of package os (usually a
// *fs.PathError), so errors.Is with fs.ErrNotExist, fs.ErrPermission and the like works on them.
type FileSystem interface {
	// CreateExclusive creates an empty file where nothing is, with mode 0666 minus the umask, and reports whether it did.
	// Of several callers at one moment exactly one gets true. Something being there, a dangling symlink included, is
	// (false, nil).
	CreateExclusive(path string) (created bool, err error)

	// WriteAtomic puts a regular file with this content at path in one step: it writes a temporary file in the same
	// directory (a dot, 16 hex digits, ".tmp"), syncs it and renames it over path; the directory is not synced. The new
	// file's mode is mode, else that of what is at path, else 0666 minus the umask. A symlink at path is replaced, not
	// followed. After a failure the temporary file is gone and path is as it was.
	WriteAtomic(path string, data []byte, mode mo.Option[fs.FileMode]) error

	// SyncDir makes what was created, renamed and removed in a directory survive a power cut. Where the system does that by
	// itself (Windows) it does nothing.
	SyncDir(dir string) error

	// WriteVolatile puts a regular file with this content at path for readers who do without it if need be: it is not
	// synced, and where nothing was before, a reader may find the file empty for a moment. What is there is replaced in
	// one step; a symlink is not followed. The mode is 0666 minus the umask.
	WriteVolatile(path string, data []byte) error

	// Read returns the whole content of a regular file. A missing one is fs.ErrNotExist. It never waits: anything that
	// is not a regular file (a pipe, a socket, a device) is refused with an error.
	Read(path string) ([]byte, error)

	// Stat describes what is at path without following a symlink. found is false when nothing is there, also when a
	// parent is not a directory.
	Stat(path string) (info FileInfo, found bool, err error)

	// Remove unlinks a file or a symlink, or removes an empty directory. Nothing being there is success.
	Remove(path string) error

	// ResolveDir returns the absolute path of an existing directory with every symlink resolved, so that two names of
	// one directory give one answer.
	ResolveDir(dir string) (string, error)
}

// FileInfo describes a file.
type FileInfo struct {
	// Mode holds the type and the permission bits.
	Mode fs.FileMode
	// Size is in bytes.
	Size int64
	// ModTime is when the content last changed.
	ModTime time.Time
	// ID tells this file from another one at the same path: it changes when the file is replaced. Empty where the
	// system has no such number.
	ID string
}
