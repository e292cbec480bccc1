package processlock

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStampsAreWrittenByteForByteAsNodeWritesThem(t *testing.T) { // 2.5.2, 2.5.3, 2.5.4
	for _, name := range []string{
		"process-lock-sqlite/daemon.lock.holder", "process-lock-sqlite-legacy-holder/daemon.lock.holder",
		"process-lock-file/daemon.lock", "file-lock-reclaim/daemon.lock", "file-lock-reclaim/daemon.lock.stale",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "golden", name))
		if err != nil {
			t.Fatal(err)
		}
		s, ok := decodeStamp(string(text))
		if !ok || s.complete() == strings.HasPrefix(name, "process-lock-sqlite/") {
			t.Errorf("%s: %+v, %v", name, s, ok)
		}
		if got := string(s.encode()); got != string(text) {
			t.Errorf("%s: written back as\n%s; want\n%s", name, got, text)
		}
	}
}

func TestStringsAreEscapedAsInJavaScript(t *testing.T) { // 2.5.4
	got := string(stamp{Host: "a<b>&\u2028\u2029\x7f\b\t\n\f\r\x01\"\\é"}.encode())
	if want := `{"host":"a<b>&` + "\u2028\u2029\x7f" + `\b\t\n\f\r\u0001\"\\é","pid":0,"acquiredAt":0,"nonce":""}`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestStampsSurviveWritingAndReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Int64Range(0, 1<<53-1)
		s := stamp{
			Host: rapid.String().Draw(t, "host"), PID: number.Draw(t, "pid"), AcquiredAt: number.Draw(t, "at"), Nonce: rapid.String().Draw(t, "nonce"),
			BootID: rapid.Ptr(rapid.String(), true).Draw(t, "boot"), StartTime: rapid.Ptr(number, true).Draw(t, "start"),
			PIDNamespace: rapid.Uint64().Draw(t, "pid namespace"), TimeNamespace: rapid.Uint64().Draw(t, "time namespace"),
		}
		back, ok := decodeStamp(string(s.encode()))
		if !ok || string(back.encode()) != string(s.encode()) {
			t.Fatalf("%s became %s, %v", s.encode(), back.encode(), ok)
		}
	})
}

func FuzzDecodeStamp(f *testing.F) {
	for _, text := range []string{
		`{"host":"h","bootId":"b","pid":1,"startTime":2,"acquiredAt":3,"nonce":"n"}`, `{"host":"h","pid":1e400,"acquiredAt":3,"nonce":"n"}`,
		`{"host":"h","host":"i","pid":-0,"acquiredAt":3.5,"nonce":"n","pidNamespace":"x"}`, `null`, `[]`, ``, `{"host":`, "\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := decodeStamp(text)
		if !ok {
			if s.complete() || s.Nonce != "" {
				t.Errorf("%q is refused and yields %+v", text, s)
			}
			return
		}
		if again, ok := decodeStamp(string(s.encode())); !ok || string(again.encode()) != string(s.encode()) {
			t.Errorf("%q: %+v became %+v, %v", text, s, again, ok)
		}
	})
}

func TestPausesDoubleUpToSixteenTimesTheFirst(t *testing.T) { // 2.4.1
	const first = 50 * time.Millisecond
	for n, times := range []int{1, 2, 4, 8, 16, 16, 16} {
		usual := time.Duration(times) * first
		low, high := time.Hour, time.Duration(0)
		for range 2000 {
			d := backoff(first, n)
			low, high = min(low, d), max(high, d)
		}
		if low < usual*3/4 || high > usual*5/4 || low > usual*4/5 || high < usual*6/5 {
			t.Errorf("after attempt %d: %v to %v; want %v, 25 %% more or less", n, low, high, usual)
		}
	}
	if d := backoff(first, 1000); d > 20*first || d < 12*first {
		t.Errorf("after attempt 1000: %v", d)
	}
	if d := backoff(math.MaxInt64, 9); d < math.MaxInt64/2 {
		t.Errorf("sixteen times the longest pause is %v", d)
	}
}
