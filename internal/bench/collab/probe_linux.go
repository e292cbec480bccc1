package collab

import "golang.org/x/sys/unix"

// probe tells whether another process has locked the bytes that SQLite locks.
func probe(path string) (bool, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, err
	}
	lock := unix.Flock_t{Type: unix.F_RDLCK, Start: 0x40000000, Len: 512}
	err = unix.FcntlFlock(uintptr(fd), unix.F_GETLK, &lock)
	if closed := unix.Close(fd); err == nil {
		err = closed
	}
	return err == nil && lock.Type != unix.F_UNLCK, err
}
