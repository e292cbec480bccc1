package lease

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// 5.4.2
func TestGoldenRecordFilesReadAsDescribedAndAreWrittenByteForByte(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/file*/*.lease.json")
	if err != nil || len(paths) != 20 {
		t.Fatalf("found %d golden record files (%v), want 20", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		record, err := parseFile(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if err := record.Validate(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := string(encodeFile(record)); got != string(data) {
			t.Errorf("%s is written as\n%s, want\n%s", path, got, data)
		}
		if want := FileName(record.Key) + ".lease.json"; filepath.Base(path) != want {
			t.Errorf("key %q is in %s, want %s", record.Key, path, want)
		}
	}
}

// 2.5.4
func TestStringsAreEscapedAsJavaScriptDoes(t *testing.T) {
	for in, want := range map[string]string{
		"plain":               `"plain"`,
		"<>&\u2028\u2029\x7f": "\"<>&\u2028\u2029\x7f\"",
		"\"\\/":               `"\"\\/"`,
		"\b\t\n\f\r":          `"\b\t\n\f\r"`,
		"\x00\x1f\x0b":        `"\u0000\u001f\u000b"`,
		"ключ ☕😀":             `"ключ ☕😀"`,
		"a\xffb":              "\"a\ufffdb\"",
	} {
		if got := string(encode(in)); got != want {
			t.Errorf("encode(%q) = %s, want %s", in, got, want)
		}
	}
}

const goodHolder = `{"host":"h","bootId":"b","pid":7,"startTime":8}`

// 5.4.3
func TestRecordFilesOfAnotherShapeAreToldApart(t *testing.T) {
	record := func(members string) string { return `{"schemaVersion":1,"record":{` + members + `}}` }
	const good = `"key":"k","generation":1,"revision":2,"holder":null,"holderId":null,"renewedAt":3`
	for name, c := range map[string]struct {
		text   string
		ok     bool
		schema bool
	}{
		"good":                      {text: record(good), ok: true},
		"blanks":                    {text: " {\n\"schemaVersion\" : 1.0 , \"record\" : {" + good + "} } \n", ok: true},
		"unknown members":           {text: `{"x":[1],"schemaVersion":1,"record":{"y":{},` + good + `}}`, ok: true},
		"numbers written otherwise": {text: record(strings.Replace(good, `"generation":1`, `"generation":1e0`, 1)), ok: true},
		"fractional time":           {text: record(strings.Replace(good, `"renewedAt":3`, `"renewedAt":3.75`, 1)), ok: true},
		"invalid UTF-8 is replaced": {text: record(strings.Replace(good, `"k"`, "\"k\xff\"", 1)), ok: true},
		"empty file":                {text: ""},
		"not JSON":                  {text: record(good) + "x"},
		"half a file":               {text: record(good)[:30]},
		"no object":                 {text: `[1]`, schema: true},
		"null":                      {text: `null`, schema: true},
		"no version":                {text: `{"record":{` + good + `}}`, schema: true},
		"version as text":           {text: `{"schemaVersion":"1","record":{` + good + `}}`, schema: true},
		"version 2":                 {text: `{"schemaVersion":2,"record":{` + good + `}}`, schema: true},
		"version in another case":   {text: `{"SchemaVersion":1,"record":{` + good + `}}`, schema: true},
		"no record (9.1)":           {text: `{"schemaVersion":1}`},
		"null record":               {text: `{"schemaVersion":1,"record":null}`},
		"record is a list":          {text: `{"schemaVersion":1,"record":[]}`},
		"members in another case":   {text: record(strings.Replace(good, `"key"`, `"Key"`, 1))},
		"key is a number":           {text: record(strings.Replace(good, `"k"`, `1`, 1))},
		"generation is text":        {text: record(strings.Replace(good, `"generation":1`, `"generation":"1"`, 1))},
		"generation is a fraction":  {text: record(strings.Replace(good, `"generation":1`, `"generation":1.5`, 1))},
		"generation is enormous":    {text: record(strings.Replace(good, `"generation":1`, `"generation":1e300`, 1))},
		"no holder":                 {text: record(strings.Replace(good, `"holder":null,`, ``, 1))},
		"holder is text":            {text: record(strings.Replace(good, `"holder":null`, `"holder":"me"`, 1))},
		"holder lacks a member":     {text: record(strings.Replace(good, `"holder":null`, `"holder":{"host":"h","bootId":"b","pid":7}`, 1))},
		"holder id is empty":        {text: record(strings.Replace(good, `"holderId":null`, `"holderId":""`, 1))},
		"no holder id":              {text: record(strings.Replace(good, `"holderId":null,`, ``, 1))},
		"time is text":              {text: record(strings.Replace(good, `"renewedAt":3`, `"renewedAt":"3"`, 1))},
		"time is infinite":          {text: record(strings.Replace(good, `"renewedAt":3`, `"renewedAt":1e999`, 1))},
	} {
		_, err := parseFile([]byte(c.text))
		if (err == nil) != c.ok || errors.Is(err, errSchema) != c.schema {
			t.Errorf("%s: parseFile = %v, want ok %v, unsupported schema %v", name, err, c.ok, c.schema)
		}
	}
}

// 5.3.5, fact 11
func TestHoldersAreReadLenientlyAndKeepNamespaces(t *testing.T) {
	for text, want := range map[string]platform.ProcessIdentity{
		goodHolder: {Host: "h", BootID: "b", PID: 7, StartTime: 8},
		`{"extra":1,"host":"h","bootId":"b","pid":7,"startTime":8,"ttl":9}`:                           {Host: "h", BootID: "b", PID: 7, StartTime: 8},
		`{"host":"h","bootId":"b","pid":7,"startTime":8,"pidNamespace":4026531836,"timeNamespace":2}`: {Host: "h", BootID: "b", PID: 7, StartTime: 8, PIDNamespace: 4026531836, TimeNamespace: 2},
		`{"host":"h","bootId":"b","pid":7.5,"startTime":8.5}`:                                         {Host: "h", BootID: "b", PID: 0, StartTime: -1},
		`{"host":"h","bootId":"b","pid":-1,"startTime":8,"pidNamespace":"x","timeNamespace":-2}`:      {Host: "h", BootID: "b", PID: -1, StartTime: 8},
	} {
		got, err := parseHolder([]byte(text))
		if err != nil || got == nil || *got != want {
			t.Errorf("parseHolder(%s) = %+v, %v; want %+v", text, got, err, want)
			continue
		}
		if want.PIDNamespace != 0 {
			if again := string(encodeHolder(*got)); again != text {
				t.Errorf("a holder with namespaces is written as %s, want %s", again, text)
			}
		}
	}
}

// 8.6
func TestCountersThatOthersCannotReadAreNotWritten(t *testing.T) {
	for _, change := range []func(*Record){
		func(r *Record) { r.Generation = MaxCounter + 1 },
		func(r *Record) { r.Revision = MaxCounter + 1 },
		func(r *Record) { r.RenewedAt = time.UnixMilli(MaxCounter + 1) },
	} {
		r := holds
		change(&r)
		failure, ok := errors.AsType[*RepositoryFailure](checkCounters(r))
		if !ok || failure.Reason != IO {
			t.Errorf("checkCounters(%+v) = %v, want an io failure", r, failure)
		}
	}
	if err := checkCounters(holds); err != nil {
		t.Error(err)
	}
}

func FuzzParsingARecordFileNeverPanicsAndWritingItBackIsStable(f *testing.F) {
	f.Add([]byte(`{"schemaVersion":1,"record":{"key":"k","generation":1,"revision":2,"holder":` + goodHolder + `,"holderId":"i","renewedAt":3}}`))
	f.Add([]byte("{}"))
	f.Add([]byte(`{"schemaVersion":1,"record":{"key":"\ud800","generation":1e2,"revision":2.0,"holder":null,"holderId":null,"renewedAt":-0.5}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := parseFile(data)
		if err != nil {
			return
		}
		written := encodeFile(record)
		if !json.Valid(written) || !utf8.Valid(written) {
			t.Fatalf("%q is written as %q", data, written)
		}
		again, err := parseFile(written)
		if err != nil {
			t.Fatalf("%q is not read back: %v", written, err)
		}
		if second := encodeFile(again); string(second) != string(written) {
			t.Fatalf("%q is written differently the second time: %q", written, second)
		}
	})
}

func FuzzParsingAHolderNeverPanics(f *testing.F) {
	f.Add([]byte(goodHolder))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		holder, err := parseHolder(data)
		if err != nil || holder == nil {
			return
		}
		again, err := parseHolder(encodeHolder(*holder))
		if err != nil || *again != *holder {
			t.Fatalf("%+v is read back as %+v, %v", holder, again, err)
		}
	})
}
