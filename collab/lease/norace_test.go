//go:build !race

package lease_test

// slowdown is how much more time the race detector may take.
const slowdown = 1
