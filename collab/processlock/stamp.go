package processlock

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"math"

	"github.com/rivus/agentkit/platform"
)

// A stamp is the record a holder writes: <path>.holder beside a SQLite lock, the lock file itself without SQLite. The
// order of the members is their order on disk.
type stamp struct {
	Host       string  `json:"host"`
	BootID     *string `json:"bootId,omitzero"`
	PID        int64   `json:"pid"`
	StartTime  *int64  `json:"startTime,omitzero"`
	AcquiredAt int64   `json:"acquiredAt"` // milliseconds since the epoch
	Nonce      string  `json:"nonce"`
	// The namespaces in which PID and StartTime mean something; 0 when unknown. Other implementations ignore them.
	PIDNamespace  uint64 `json:"pidNamespace,omitzero"`
	TimeNamespace uint64 `json:"timeNamespace,omitzero"`
}

// encode is the stamp's text: one compact JSON object with no newline and nothing escaped that need not be.
func (s stamp) encode() []byte {
	text, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // a struct of strings and integers
	}
	return text
}

// complete reports whether the stamp identifies a process beyond its pid, as a lock file's must.
func (s stamp) complete() bool { return s.BootID != nil && s.StartTime != nil }

// identity is the process that a complete stamp names.
func (s stamp) identity() platform.ProcessIdentity {
	return platform.ProcessIdentity{
		Host: s.Host, BootID: *s.BootID, PID: int(s.PID), StartTime: *s.StartTime,
		PIDNamespace: s.PIDNamespace, TimeNamespace: s.TimeNamespace,
	}
}

// decodeStamp reads a stamp. Unknown members are ignored; ok is false for anything but an object in which host, pid,
// acquiredAt and nonce have their types, and bootId and startTime have theirs if they are there.
func decodeStamp(text string) (s stamp, ok bool) {
	var members map[string]jsontext.Value
	lenient := []json.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if json.Unmarshal([]byte(text), &members, lenient...) != nil {
		return stamp{}, false
	}
	ok = true
	str := func(name string) string {
		var v string
		ok = ok && members[name].Kind() == '"' && json.Unmarshal(members[name], &v, lenient...) == nil
		return v
	}
	number := func(name string) int64 {
		var v float64
		ok = ok && members[name].Kind() == '0' && json.Unmarshal(members[name], &v) == nil
		return whole(v)
	}
	s.Host, s.PID, s.AcquiredAt, s.Nonce = str("host"), number("pid"), number("acquiredAt"), str("nonce")
	if _, there := members["bootId"]; there {
		s.BootID = new(str("bootId"))
	}
	if _, there := members["startTime"]; there {
		s.StartTime = new(number("startTime"))
	}
	if !ok {
		return stamp{}, false
	}
	// Members of our own are not required to make sense: another implementation may use the names for itself.
	s.PIDNamespace, s.TimeNamespace = inode(members["pidNamespace"]), inode(members["timeNamespace"])
	return s, true
}

// whole is v as an integer; a number that is none becomes -1, which no process has as its pid or start time.
func whole(v float64) int64 {
	if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return -1
	}
	return int64(v)
}

// inode is the number in value, or 0.
func inode(value jsontext.Value) uint64 {
	var n uint64
	if value.Kind() != '0' || json.Unmarshal(value, &n) != nil {
		return 0
	}
	return n
}
