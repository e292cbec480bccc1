package platform

import (
	"fmt"
	"testing"
)

const statTail = " 1 4242 4242 0 -1 4194560 100 0 0 0 1 2 3 4 20 0 1 0 170779 1000000 200 18446744073709551615"

func TestParseStat(t *testing.T) { // PN-2, PN-3, PN-4
	for _, c := range []struct {
		name, line string
		ticks      int64
		alive      bool
		wrong      bool
	}{
		{name: "usual", line: "4242 (sleep) S" + statTail, ticks: 170779, alive: true},
		{name: "blanks and parentheses", line: "4242 (a) S 1 (b c) R" + statTail, ticks: 170779, alive: true},
		{name: "name of parentheses", line: "4242 ()))) D" + statTail, ticks: 170779, alive: true},
		{name: "zombie", line: "4242 (sleep) Z" + statTail},
		{name: "dead", line: "4242 (sleep) X" + statTail},
		{name: "name like a zombie", line: "4242 (x) Z) S" + statTail, ticks: 170779, alive: true},
		{name: "empty", line: "", wrong: true},
		{name: "cut short", line: "4242 (sleep) S 1 2 3", wrong: true},
		{name: "start time no number", line: "4242 (sleep) S 1 4242 4242 0 -1 4194560 100 0 0 0 1 2 3 4 20 0 1 0 17x 1", wrong: true},
		{name: "start time negative", line: "4242 (sleep) S 1 4242 4242 0 -1 4194560 100 0 0 0 1 2 3 4 20 0 1 0 -17 1", wrong: true},
	} {
		ticks, alive, err := parseStat(c.line)
		if ticks != c.ticks || alive != c.alive || err != nil != c.wrong {
			t.Errorf("%s: %d, %v, %v; want %d, %v, error %v", c.name, ticks, alive, err, c.ticks, c.alive, c.wrong)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("sleep", "S", int64(170779))
	f.Add("a) S 1 (b c", "R", int64(0))
	f.Add(")\n(", "Z", int64(1))
	f.Fuzz(func(t *testing.T, name, state string, start int64) {
		if len(state) != 1 || state[0] <= ' ' || state[0] == ')' || state[0] > '~' || start < 0 {
			t.Skip()
		}
		line := fmt.Sprintf("7 (%s) %s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %d 20", name, state, start)
		ticks, alive, err := parseStat(line)
		ended := state == "Z" || state == "X" || state == "x"
		if err != nil || alive == ended || alive && ticks != start {
			t.Errorf("%q: %d, %v, %v", line, ticks, alive, err)
		}
	})
}
