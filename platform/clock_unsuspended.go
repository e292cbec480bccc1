//go:build !linux && !darwin

package platform

import "time"

// suspended is 0. On Windows Go's monotonic clock is the interrupt time, which counts suspension already.
func suspended() time.Duration { return 0 }
