//go:build linux || darwin

package platform

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// The bytes that SQLite locks on a database file: PENDING, RESERVED and 510 SHARED ones.
const (
	lockStart  = 0x40000000
	lockShared = lockStart + 2
	lockLength = 512
)

func (*modernc) OpenLockFile(path string, create bool) (LockFile, error) {
	if err := checkDatabasePath(path); err != nil {
		return nil, err
	}
	flags := os.O_RDONLY
	if create {
		// Asking for write access now tells early what SQLite hides: it opens what it may not write read-only.
		flags = os.O_RDWR | os.O_CREATE
	}
	// A pipe opened without O_NONBLOCK would wait for its other end.
	f, err := os.OpenFile(path, flags|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: notRegular(info.Mode())}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &descriptor{file: f, info: info, path: path}, nil
}

// descriptor is a LockFile on an open file.
type descriptor struct {
	file *os.File
	info fs.FileInfo
	path string
}

func (d *descriptor) State() (LockState, error) {
	lock := unix.Flock_t{Type: unix.F_RDLCK, Whence: 0, Start: lockStart, Len: lockLength}
	if err := unix.FcntlFlock(d.file.Fd(), queryLock, &lock); err != nil {
		return LockFree, &fs.PathError{Op: "query lock", Path: d.path, Err: err}
	}
	switch {
	case lock.Type == unix.F_UNLCK:
		return LockFree, nil
	case lock.Start <= lockShared && (lock.Len == 0 || lock.Start+lock.Len >= lockStart+lockLength):
		return LockExclusive, nil
	default:
		return LockContended, nil
	}
}

func (d *descriptor) Proves() bool { return queryShowsOwn }

func (d *descriptor) Current() (bool, error) {
	there, err := os.Lstat(d.path)
	if absent(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return os.SameFile(there, d.info), nil
}

func (d *descriptor) Close() error { return d.file.Close() }
