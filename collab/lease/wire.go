package lease

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/rivus/agentkit/platform"
)

// The JSON written here is what JavaScript's JSON.stringify writes for the same values: compact, members in a fixed order,
// nothing escaped that need not be. Members unknown to other implementations come last; they ignore them.

// schemaVersion is the version of the file format.
const schemaVersion = 1

// appendFile appends the content of a record file.
func appendFile(b []byte, r Record) []byte {
	b = append(b, `{"schemaVersion":1,"record":{"key":`...)
	b = appendString(b, r.Key)
	b = append(b, `,"generation":`...)
	b = strconv.AppendInt(b, r.Generation, 10)
	b = append(b, `,"revision":`...)
	b = strconv.AppendInt(b, r.Revision, 10)
	b = append(b, `,"holder":`...)
	if r.Holder == nil {
		b = append(b, "null"...)
	} else {
		b = appendHolder(b, *r.Holder)
	}
	b = append(b, `,"holderId":`...)
	if r.HolderID == "" {
		b = append(b, "null"...)
	} else {
		b = appendString(b, r.HolderID)
	}
	b = append(b, `,"renewedAt":`...)
	b = strconv.AppendInt(b, r.RenewedAt.UnixMilli(), 10)
	return append(b, "}}"...)
}

// appendHolder appends a process identity.
func appendHolder(b []byte, p platform.ProcessIdentity) []byte {
	b = append(b, `{"host":`...)
	b = appendString(b, p.Host)
	b = append(b, `,"bootId":`...)
	b = appendString(b, p.BootID)
	b = append(b, `,"pid":`...)
	b = strconv.AppendInt(b, int64(p.PID), 10)
	b = append(b, `,"startTime":`...)
	b = strconv.AppendInt(b, p.StartTime, 10)
	if p.PIDNamespace != 0 {
		b = append(b, `,"pidNamespace":`...)
		b = strconv.AppendUint(b, p.PIDNamespace, 10)
	}
	if p.TimeNamespace != 0 {
		b = append(b, `,"timeNamespace":`...)
		b = strconv.AppendUint(b, p.TimeNamespace, 10)
	}
	return append(b, '}')
}

// appendString appends s as a JSON string. Unlike package encoding/json it leaves <, >, &, U+2028 and U+2029 as they are.
func appendString(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r) // U+FFFD for a byte that is not UTF-8
			i += size
			continue
		}
		i++
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			if c < ' ' {
				b = append(b, `\u00`...)
				b = append(b, hexDigits[c>>4], hexDigits[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
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

// integral returns the integer that a JSON number stands for, however it is written ("1", "1.0", "1e3"), and whether it is one.
func integral(number string) (int64, bool) {
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<62 {
		return 0, false
	}
	return int64(f), true
}
