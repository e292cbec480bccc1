package lease

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rivus/agentkit/platform"
)

// errSchema tells that a document is not of the one version that is understood.
var errSchema = errors.New("the document's schemaVersion is not 1")

// parseFile reads the content of a record file. It fails with errSchema or says what is wrong with the shape; the invariants are
// [Record.Validate]'s. Unknown members are ignored, a byte order mark is too.
func parseFile(data []byte) (Record, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !json.Valid(data) {
		return Record{}, errors.New("it is not JSON")
	}
	document, ok := parseObject(data)
	if !ok {
		return Record{}, errSchema
	}
	if version, ok := document.number("schemaVersion"); !ok {
		return Record{}, errSchema
	} else if n, ok := integral(version); !ok || n != schemaVersion {
		return Record{}, errSchema
	}
	members, ok := parseObject(document["record"])
	if !ok {
		return Record{}, errors.New("it has no record")
	}
	return parseRecord(members)
}

// parseRecord reads the six members of a record.
func parseRecord(members object) (r Record, err error) {
	var ok bool
	if r.Key, ok = members.text("key"); !ok {
		return r, errors.New("its key is not a string")
	}
	if r.Generation, err = members.integer("generation"); err != nil {
		return r, err
	}
	if r.Revision, err = members.integer("revision"); err != nil {
		return r, err
	}
	if r.Holder, err = parseHolder(members["holder"]); err != nil {
		return r, err
	}
	if !members.null("holderId") {
		if r.HolderID, ok = members.text("holderId"); !ok || r.HolderID == "" {
			return r, errors.New("its holderId is neither null nor a non-empty string")
		}
	}
	renewed, ok := members.number("renewedAt")
	if !ok {
		return r, errors.New("its renewedAt is not a number")
	}
	ms, err := strconv.ParseFloat(renewed, 64)
	if err != nil || math.Abs(ms) > 1<<62 {
		return r, fmt.Errorf("its renewedAt %s is not a time", renewed)
	}
	r.RenewedAt = time.UnixMilli(int64(ms))
	return r, nil
}

// parseHolder reads a process identity or null.
func parseHolder(data []byte) (*platform.ProcessIdentity, error) {
	if string(data) == "null" {
		return nil, nil
	}
	members, ok := parseObject(data)
	if !ok {
		return nil, errors.New("its holder is neither null nor an object")
	}
	var p platform.ProcessIdentity
	var host, boot, pid, start bool
	p.Host, host = members.text("host")
	p.BootID, boot = members.text("bootId")
	pidText, pid := members.number("pid")
	startText, start := members.number("startTime")
	if !host || !boot || !pid || !start {
		return nil, errors.New("its holder lacks host, bootId, pid or startTime")
	}
	// A fraction names no process: pid 0 is nobody's, and no process started at -1.
	if n, ok := integral(pidText); ok && int64(int(n)) == n {
		p.PID = int(n)
	}
	p.StartTime = -1
	if n, ok := integral(startText); ok {
		p.StartTime = n
	}
	p.PIDNamespace = members.optionalID("pidNamespace")
	p.TimeNamespace = members.optionalID("timeNamespace")
	return &p, nil
}

// object is a JSON object whose member names are matched exactly, unlike those of package encoding/json's structs.
type object map[string]json.RawMessage

// parseObject reads data as an object; null, and nothing at all, is none.
func parseObject(data []byte) (object, bool) {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, false
	}
	return o, o != nil
}

func (o object) null(name string) bool { return string(o[name]) == "null" }

// text returns a member that is a string.
func (o object) text(name string) (string, bool) {
	raw := o[name]
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// number returns a member that is a number, as written.
func (o object) number(name string) (string, bool) {
	raw := o[name]
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return "", false
	}
	return string(raw), true
}

// integer returns a member that is a whole number.
func (o object) integer(name string) (int64, error) {
	text, ok := o.number(name)
	if ok {
		if n, ok := integral(text); ok {
			return n, nil
		}
	}
	return 0, fmt.Errorf("its %s is not a whole number", name)
}

// optionalID returns a member that is a positive integer, or 0.
func (o object) optionalID(name string) uint64 {
	text, _ := o.number(name)
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
