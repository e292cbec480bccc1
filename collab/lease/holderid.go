package lease

import (
	"crypto/rand"
	"encoding/hex"
)

// newHolderID returns a random UUID (version 4), which names one acquisition.
func newHolderID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
