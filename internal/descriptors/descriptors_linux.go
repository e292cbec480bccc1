package descriptors

import (
	"os"

	"golang.org/x/sys/unix"
)

// Few runs f while the process can open n files more, and then lets it open as many as before. [CloseGaps] must have run.
func Few(n int, f func()) error {
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		return err
	}
	limit := before
	limit.Cur = uint64(Open() + n)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	f()
	return unix.Setrlimit(unix.RLIMIT_NOFILE, &before)
}

// Open is how many files the process has open. Their numbers have no gaps once [CloseGaps] has run.
func Open() int {
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	return len(all) - 1 // one was for looking
}

// CloseGaps fills the gaps between the descriptors, and starts what the runtime starts with the first file.
func CloseGaps() error {
	for {
		f, err := os.Open("/dev/null")
		if err != nil {
			return err
		}
		kept = append(kept, f) // or it would be closed when it is collected
		if int(f.Fd()) == Open()-1 {
			return nil
		}
	}
}

var kept []*os.File
