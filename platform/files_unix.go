//go:build unix

package platform

import (
	"fmt"
	"io/fs"
	"syscall"
)

const openNonblock = syscall.O_NONBLOCK

// fileID is the device and inode number.
func fileID(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%x:%x", uint64(s.Dev), s.Ino)
	}
	return ""
}
