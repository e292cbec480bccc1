package lease

import (
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// The three writes a record ever sees. Each raises the revision by one; only the first raises the generation.

// acquired is the record of a new acquisition over what is stored.
func acquired(stored mo.Option[Record], key string, holder platform.ProcessIdentity, holderID string, now time.Time) Record {
	return Record{
		Key:        key,
		Generation: NextToken(stored, key).Generation,
		Revision:   stored.OrEmpty().Revision + 1,
		Holder:     &holder,
		HolderID:   holderID,
		RenewedAt:  now,
	}
}

// renewed is r one beat later.
func renewed(r Record, now time.Time) Record {
	r.Revision++
	r.RenewedAt = now
	return r
}

// released is the tombstone over r.
func released(r Record, now time.Time) Record {
	r.Revision++
	r.Holder, r.HolderID = nil, ""
	r.RenewedAt = now
	return r
}
