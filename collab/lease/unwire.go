package lease

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rivus/agentkit/platform"
)

// lenient reads and writes strings and objects as JavaScript does: bytes that are no UTF-8 become U+FFFD, and the last of
// several members with one name counts.
var lenient = []json.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// errSchema tells that a document is not of the one version that is understood.
var errSchema = errors.New("the document's schemaVersion is not 1")

// parseFile reads the content of a record file. It fails with errSchema or says what is wrong with the shape; the
// invariants are [Record.Validate]'s. Unknown members are ignored.
func parseFile(data []byte) (Record, error) {
	if !jsontext.Value(data).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
		return Record{}, errors.New("it is not JSON")
	}
	document, ok := parseObject(data)
	if !ok {
		return Record{}, errSchema
	}
	if version, err := document.integer("schemaVersion"); err != nil || version != schemaVersion {
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
	if members["holderId"].Kind() != jsontext.KindNull {
		if r.HolderID, ok = members.text("holderId"); !ok || r.HolderID == "" {
			return r, errors.New("its holderId is neither null nor a non-empty string")
		}
	}
	ms, ok := members.number("renewedAt")
	if !ok || math.Abs(ms) > math.MaxInt64/2 {
		return r, errors.New("its renewedAt is not a time")
	}
	r.RenewedAt = time.UnixMilli(int64(ms))
	return r, nil
}

// parseHolder reads a process identity or null.
func parseHolder(data jsontext.Value) (*platform.ProcessIdentity, error) {
	if data.Kind() == jsontext.KindNull {
		return nil, nil
	}
	members, ok := parseObject(data)
	if !ok {
		return nil, errors.New("its holder is neither null nor an object")
	}
	host, hasHost := members.text("host")
	boot, hasBoot := members.text("bootId")
	_, hasPID := members.number("pid")
	_, hasStart := members.number("startTime")
	if !hasHost || !hasBoot || !hasPID || !hasStart {
		return nil, errors.New("its holder lacks host, bootId, pid or startTime")
	}
	// A number that is no integer names no process: pid 0 is nobody's, and no process started at -1.
	p := &platform.ProcessIdentity{Host: host, BootID: boot, StartTime: -1}
	if n, err := members.integer("pid"); err == nil && int64(int(n)) == n {
		p.PID = int(n)
	}
	if n, err := members.integer("startTime"); err == nil {
		p.StartTime = n
	}
	p.PIDNamespace = members.inode("pidNamespace")
	p.TimeNamespace = members.inode("timeNamespace")
	return p, nil
}

// object is a JSON object.
type object map[string]jsontext.Value

// parseObject reads data as an object; null, and nothing at all, is none.
func parseObject(data jsontext.Value) (o object, ok bool) {
	ok = data.Kind() == jsontext.KindBeginObject && json.Unmarshal(data, &o, lenient...) == nil
	return o, ok
}

// text returns a member that is a string.
func (o object) text(name string) (s string, ok bool) {
	ok = o[name].Kind() == jsontext.KindString && json.Unmarshal(o[name], &s, lenient...) == nil
	return s, ok
}

// number returns a member that is a finite number.
func (o object) number(name string) (f float64, ok bool) {
	if o[name].Kind() != jsontext.KindNumber {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(o[name]), 64)
	return f, err == nil
}

// integer returns a member that is a whole number, however it is written: "1", "1.0", "1e0".
func (o object) integer(name string) (int64, error) {
	if o[name].Kind() == jsontext.KindNumber {
		if n, err := strconv.ParseInt(string(o[name]), 10, 64); err == nil {
			return n, nil
		}
		if f, ok := o.number(name); ok && f == math.Trunc(f) && math.Abs(f) <= MaxCounter {
			return int64(f), nil
		}
	}
	return 0, fmt.Errorf("its %s is not a whole number", name)
}

// inode returns a member of our own, or 0: another implementation may use the name for something else.
func (o object) inode(name string) uint64 {
	n, _ := strconv.ParseUint(string(o[name]), 10, 64)
	return n
}
