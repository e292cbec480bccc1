package processlock

import (
	"crypto/rand"
	"fmt"
)

// newNonce returns a random version 4 UUID, which tells one acquisition from every other.
func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
