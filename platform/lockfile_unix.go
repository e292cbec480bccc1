//go:build linux || darwin

package platform

import (
	"errors"
	"io/fs"

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
	flags := unix.O_RDONLY
	if create {
		// Asking for write access now tells early what SQLite hides: it opens what it may not write read-only.
		flags = unix.O_RDWR | unix.O_CREAT
	}
	// A pipe opened without O_NONBLOCK would wait for its other end. The bare descriptor, without the poller that comes
	// with an os.File, halves the cost of a question.
	fd, err := retry(func() (int, error) {
		return unix.Open(path, flags|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o666)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	d := &descriptor{fd: fd, path: path}
	if err := unix.Fstat(fd, &d.stat); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "stat", Path: path, Err: err}, d.Close())
	}
	switch d.stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return d, nil
	case unix.S_IFDIR:
		err = unix.EISDIR
	default:
		err = errors.New("not a regular file")
	}
	return nil, errors.Join(&fs.PathError{Op: "open", Path: path, Err: err}, d.Close())
}

// retry repeats a system call that a signal cut short.
func retry[A any](call func() (A, error)) (A, error) {
	for {
		if a, err := call(); !errors.Is(err, unix.EINTR) {
			return a, err
		}
	}
}

// descriptor is a LockFile on an open file.
type descriptor struct {
	fd   int // -1 once closed
	stat unix.Stat_t
	path string
}

func (d *descriptor) State() (LockState, error) {
	lock := unix.Flock_t{Type: unix.F_RDLCK, Whence: 0, Start: lockStart, Len: lockLength}
	if err := unix.FcntlFlock(uintptr(d.fd), queryLock, &lock); err != nil {
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
	var there unix.Stat_t
	_, err := retry(func() (struct{}, error) { return struct{}{}, unix.Lstat(d.path, &there) })
	if absent(err) {
		return false, nil
	}
	if err != nil {
		return false, &fs.PathError{Op: "stat", Path: d.path, Err: err}
	}
	return there.Dev == d.stat.Dev && there.Ino == d.stat.Ino, nil
}

func (d *descriptor) Close() error {
	if d.fd < 0 {
		return nil
	}
	err := unix.Close(d.fd)
	d.fd = -1
	if err != nil {
		return &fs.PathError{Op: "close", Path: d.path, Err: err}
	}
	return nil
}
