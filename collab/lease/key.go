package lease

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// ValidateKey refuses, with [*KeyInvalid], keys that not every store can keep apart: empty, not UTF-8, or with a NUL.
func ValidateKey(key string) error {
	switch {
	case key == "":
		return &KeyInvalid{Key: key, Message: "it is empty"}
	case !utf8.ValidString(key):
		return &KeyInvalid{Key: key, Message: "it is not valid UTF-8"}
	case strings.IndexByte(key, 0) >= 0:
		return &KeyInvalid{Key: key, Message: "it holds a NUL character"}
	}
	return nil
}

// Encoded names longer than maxEncoded are cut to prefixKept characters and told apart by a hash.
const (
	maxEncoded = 160
	prefixKept = 64
)

// FileName returns the name under which the files of key are kept: every byte but ASCII letters, digits, "-" and "_" is
// written as % and two upper-case hex digits, so no key can name another folder or another key's file. A name longer than 160
// characters becomes its first 64, "~" and the SHA-256 of the key in hex.
func FileName(key string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(key) {
		c := key[i]
		if 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	name := b.String()
	if len(name) <= maxEncoded {
		return name
	}
	sum := sha256.Sum256([]byte(key))
	return name[:prefixKept] + "~" + hex.EncodeToString(sum[:])
}
