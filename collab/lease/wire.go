package lease

import (
	"encoding/json/v2"
	"strconv"

	"github.com/rivus/agentkit/platform"
)

// What is written here is what JavaScript's JSON.stringify writes for the same values: compact, members in this order,
// nothing escaped that need not be.

// schemaVersion is the version of the file format, and of the database's.
const schemaVersion = 1

type fileJSON struct {
	SchemaVersion int        `json:"schemaVersion"`
	Record        recordJSON `json:"record"`
}

type recordJSON struct {
	Key        string      `json:"key"`
	Generation int64       `json:"generation"`
	Revision   int64       `json:"revision"`
	Holder     *holderJSON `json:"holder"`
	HolderID   *string     `json:"holderId"`
	RenewedAt  int64       `json:"renewedAt"` // milliseconds since the epoch
}

type holderJSON struct {
	Host      string `json:"host"`
	BootID    string `json:"bootId"`
	PID       int    `json:"pid"`
	StartTime int64  `json:"startTime"`
	// Members of our own come last; other implementations ignore them.
	PIDNamespace  uint64 `json:"pidNamespace,omitzero"`
	TimeNamespace uint64 `json:"timeNamespace,omitzero"`
}

// encodeFile is the content of a record file.
func encodeFile(r Record) []byte {
	f := fileJSON{schemaVersion, recordJSON{Key: r.Key, Generation: r.Generation, Revision: r.Revision, RenewedAt: r.RenewedAt.UnixMilli()}}
	if r.Holder != nil {
		f.Record.Holder = new(holderJSON(*r.Holder))
	}
	if r.HolderID != "" {
		f.Record.HolderID = &r.HolderID
	}
	return encode(f)
}

// encodeHolder is a process identity in a database.
func encodeHolder(p platform.ProcessIdentity) []byte { return encode(holderJSON(p)) }

func encode(v any) []byte {
	text, err := json.Marshal(v, lenient...)
	if err != nil {
		panic(err) // structs of strings and integers
	}
	return text
}

// checkCounters refuses what other implementations could not read back: numbers that a float64 does not hold exactly.
func checkCounters(r Record) error {
	for _, n := range []int64{r.Generation, r.Revision, r.RenewedAt.UnixMilli()} {
		if n > MaxCounter || n < -MaxCounter {
			return &RepositoryFailure{Key: r.Key, Reason: IO, Message: "the record holds the number " + strconv.FormatInt(n, 10) + ", which is beyond ±(2^53-1)"}
		}
	}
	return nil
}
