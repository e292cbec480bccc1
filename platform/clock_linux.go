package platform

import (
	"time"

	"golang.org/x/sys/unix"
)

// suspended is how long the machine has been suspended since it started: CLOCK_BOOTTIME counts that time and
// CLOCK_MONOTONIC does not. Both carry the offsets of a time namespace, which cancel out of differences.
func suspended() time.Duration { return difference(unix.CLOCK_BOOTTIME, unix.CLOCK_MONOTONIC) }
