//go:build unix

package processlock_test

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o666) }
