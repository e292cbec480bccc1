package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// suspended is how long the machine has been asleep since it started: CLOCK_MONOTONIC_RAW counts that time and
// CLOCK_UPTIME_RAW does not.
func suspended() time.Duration { return difference(unix.CLOCK_MONOTONIC_RAW, unix.CLOCK_UPTIME_RAW) }
