package lease

import (
	"fmt"

	"github.com/samber/mo"
)

// A Token is the fencing token of one acquisition. Its generation grows by one with every acquisition of the key and never
// goes back, so that a resource which remembers the highest token it has seen can refuse whoever comes too late.
type Token struct {
	// Key is the lease's.
	Key string
	// Generation is the number that grows.
	Generation int64
}

// String writes the token as "key#generation".
func (t Token) String() string { return fmt.Sprintf("%s#%d", t.Key, t.Generation) }

// NextToken returns the token that the next acquisition of key gets over the stored record: its generation plus one, or
// generation 1 where there is no record.
func NextToken(stored mo.Option[Record], key string) Token {
	return Token{Key: key, Generation: stored.OrEmpty().Generation + 1}
}

// CheckFence decides, for a resource that remembers the last token it accepted, whether to accept token. It returns the
// token to remember next. A token of the same key that is older than last is refused with [*FenceRejected]; an equal or
// newer one, one of another key, and any token where there is no last one yet are accepted.
func CheckFence(last mo.Option[Token], token Token) (Token, error) {
	if seen, ok := last.Get(); ok && seen.Key == token.Key && token.Generation < seen.Generation {
		return Token{}, &FenceRejected{Key: token.Key, Generation: token.Generation, Current: mo.Some(seen.Generation)}
	}
	return token, nil
}
