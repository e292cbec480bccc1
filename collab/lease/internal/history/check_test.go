package history

import (
	"strings"
	"testing"
)

// parse reads a history written as "pid kind key token", separated by commas.
func parse(t *testing.T, text string) []Event {
	t.Helper()
	events, err := Parse(strings.Join(strings.Split(text, ", "), "\n") + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestTheCheckerAcceptsWhatLeasesAllow(t *testing.T) {
	for name, text := range map[string]string{
		"one after the other":                   "1 try a 0, 1 acquired a 1, 1 begin a 1, 1 step a 1, 1 end a 1, 1 released a 1, 2 try a 0, 2 acquired a 2, 2 begin a 2, 2 end a 2",
		"several works of one holding":          "1 try a 0, 1 acquired a 1, 1 begin a 1, 1 end a 1, 1 begin a 1, 1 step a 1, 1 end a 1",
		"killed inside its work":                "1 try a 0, 1 acquired a 1, 1 begin a 1, 1 step a 1, 2 try a 0, 2 acquired a 2, 2 begin a 2, 2 step a 2",
		"stopped before it could report":        "1 try a 0, 2 try a 0, 2 acquired a 2, 2 begin a 2, 2 end a 2, 1 acquired a 1, 1 lost a 1",
		"different keys at once":                "1 try a 0, 2 try b 0, 1 acquired a 1, 2 acquired b 1, 1 begin a 1, 2 begin b 1, 1 step a 1, 2 step b 1",
		"a token that nobody came to report of": "1 try a 0, 1 acquired a 1, 2 try a 0, 2 acquired a 4",
	} {
		if broken := Check(parse(t, text), nil); len(broken) > 0 {
			t.Errorf("%s: %q", name, broken)
		}
	}
	if broken := Check(nil, []Write{{1, "a", 1}, {2, "b", 1}, {1, "a", 1}, {2, "a", 3}, {1, "b", 2}}); len(broken) > 0 {
		t.Errorf("writes: %q", broken)
	}
}

func TestTheCheckerFindsWhatLeasesForbid(t *testing.T) {
	for name, text := range map[string]string{
		"the same token twice":                "1 try a 0, 1 acquired a 1, 2 try a 0, 2 acquired a 1",
		"a token that goes back":              "1 try a 0, 1 acquired a 2, 2 try a 0, 2 acquired a 1",
		"overlapping works, seen by a step":   "1 begin a 1, 2 begin a 2, 1 step a 1",
		"overlapping works, seen by the end":  "1 begin a 1, 2 begin a 2, 2 end a 2, 1 end a 1",
		"fenced work of an older token after": "2 begin a 2, 2 end a 2, 1 begin a 1",
	} {
		if broken := Check(parse(t, text), nil); len(broken) != 1 {
			t.Errorf("%s: found %q, want one problem", name, broken)
		}
	}
	if broken := Check(nil, []Write{{1, "a", 2}, {2, "a", 1}}); len(broken) != 1 {
		t.Errorf("a smaller token after a larger: %q", broken)
	}
}

func TestALogIsReadUpToItsLastWholeLine(t *testing.T) {
	events, err := Parse("1 try a 0\n1 acquired a 1\n1 beg")
	if err != nil || len(events) != 2 || events[1] != (Event{1, Acquired, "a", 1}) {
		t.Errorf("got %v, %v", events, err)
	}
	for _, text := range []string{"x try a 0\n", "1 try a\n", "1 try a x\n"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
