//go:build linux || darwin

package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// difference returns how far clock a is ahead of clock b, or 0 where the system lacks one of them.
func difference(a, b int32) time.Duration {
	var at, bt unix.Timespec
	if unix.ClockGettime(b, &bt) != nil || unix.ClockGettime(a, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano() - bt.Nano())
}
