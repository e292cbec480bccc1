package platform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// bootID is the kernel's random id of this boot, a lower-case UUID.
func bootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	if id := strings.TrimSpace(string(text)); id != "" {
		return id, nil
	}
	return "", errors.New("/proc/sys/kernel/random/boot_id is empty")
}

// checkProcessTable reports whether the mounted /proc counts processes as this process does. After entering a pid
// namespace without mounting its own, each number in /proc is some other process.
func checkProcessTable() error {
	self, err := os.Readlink("/proc/self")
	if err != nil {
		return err
	}
	if self != strconv.Itoa(os.Getpid()) {
		return fmt.Errorf("/proc belongs to another pid namespace: it calls this process %s, which is process %d", self, os.Getpid())
	}
	return nil
}

// startTime is when the process started, in clock ticks since boot. alive is false only on proof that there is no such
// process, or only its zombie.
func startTime(pid int) (ticks int64, alive bool, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	switch {
	case err == nil:
		return parseStat(string(text))
	case errors.Is(err, unix.ESRCH):
		return 0, false, nil // it ended while it was read
	case !errors.Is(err, fs.ErrNotExist):
		return 0, false, err
	}
	// A /proc mounted with hidepid hides the living too; the signal probe tells them from the dead.
	if kill := unix.Kill(pid, 0); !errors.Is(kill, unix.ESRCH) {
		return 0, false, fmt.Errorf("/proc hides the process, which exists: %w", err)
	}
	return 0, false, nil
}

// parseStat reads a /proc/<pid>/stat line. The name in field 2 may hold blanks and parentheses, so counting starts after
// the last parenthesis.
func parseStat(line string) (ticks int64, alive bool, err error) {
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	const state, start = 0, 22 - 3 // fields 3 and 22 of the line
	if len(fields) <= start || len(fields[state]) != 1 {
		return 0, false, fmt.Errorf("unexpected line %q", line)
	}
	switch fields[state] {
	case "Z", "X", "x":
		return 0, false, nil
	}
	n, err := strconv.ParseUint(fields[start], 10, 63)
	if err != nil {
		return 0, false, fmt.Errorf("unexpected start time in %q", line)
	}
	return int64(n), true, nil
}

// namespaces are the inode numbers of the namespaces this process counts pids and boot time in, 0 where the kernel does
// not show them.
func namespaces() (pid, time uint64) {
	return namespace("/proc/self/ns/pid"), namespace("/proc/self/ns/time")
}

func namespace(path string) uint64 {
	var s unix.Stat_t
	if unix.Stat(path, &s) != nil {
		return 0
	}
	return s.Ino
}
