package effecttest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Recording is what a program did: the lines it logged and how it ended. Exit is compared with reflect.DeepEqual; see
// [Trace.JSON].
type Recording struct {
	Trace []string
	Exit  any
}

// Compare is nil when got is the recording that was wanted, as far as its order is promised, and else an error that shows
// both.
func Compare(want, got Recording, order Order) error {
	err := order.compare(want, got)
	if err == nil {
		return nil
	}
	for _, other := range order.alternatives {
		if order.over(other).compare(other, got) == nil {
			return nil
		}
	}
	return fmt.Errorf("%w\n%s", err, sideBySide(want, got))
}

// over is o for another recording: what that has not got has no order there.
func (o Order) over(other Recording) Order {
	chains := o.chains
	o.chains = nil
	for _, chain := range chains {
		o.chains = append(o.chains, slices.DeleteFunc(slices.Clone(chain), func(name string) bool {
			return !slices.ContainsFunc(other.Trace, func(line string) bool { return isLine(line, name) })
		}))
	}
	return o
}

func (o Order) compare(want, got Recording) error {
	if err := o.compareTraces(want.Trace, got.Trace); err != nil {
		return err
	}
	if !reflect.DeepEqual(want.Exit, got.Exit) {
		return fmt.Errorf("another exit")
	}
	return nil
}

func (o Order) compareTraces(want, got []string) error {
	if o.strength == forced {
		return equalLines(want, got)
	}
	kept := o.withoutOptional(got)
	if err := sameLines(o.withoutOptional(want), kept); err != nil {
		return err
	}
	if o.strength == ties {
		w, g := slices.Compact(instants(o.withoutOptional(want))), slices.Compact(instants(kept))
		if !slices.Equal(w, g) {
			return fmt.Errorf("the instants are %q; want %q", g, w)
		}
	}
	return o.ordered(got)
}

func equalLines(want, got []string) error {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			return fmt.Errorf("line %d was not wanted: %q", i, got[i])
		case i >= len(got):
			return fmt.Errorf("line %d is missing: %q", i, want[i])
		case want[i] != got[i]:
			return fmt.Errorf("line %d is %q; want %q", i, got[i], want[i])
		}
	}
	return nil
}

// ordered checks the lines that the rules put in order.
func (o Order) ordered(got []string) error {
	for _, chain := range o.chains {
		rest := got
		for _, name := range chain {
			i := slices.IndexFunc(rest, func(line string) bool { return isLine(line, name) })
			switch {
			case i >= 0:
				rest = rest[i+1:]
			case slices.Contains(o.optional, name) && !slices.ContainsFunc(got, func(line string) bool { return isLine(line, name) }):
			default:
				return fmt.Errorf("%q does not come in the order %q", name, chain)
			}
		}
	}
	return nil
}

func sameLines(want, got []string) error {
	left := slices.Clone(want)
	for _, line := range got {
		i := slices.Index(left, line)
		if i < 0 {
			return fmt.Errorf("a line that was not wanted: %q", line)
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		return fmt.Errorf("lines are missing: %q", left)
	}
	return nil
}

// instant is the time of a line, empty without one.
func instant(line string) string {
	_, at := cutTime(line)
	return at
}

func instants(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = instant(line)
	}
	return out
}

// cutTime splits a line into its text and its time.
func cutTime(line string) (text, at string) {
	i := strings.LastIndexByte(line, '@')
	if i < 0 || i+1 == len(line) || strings.Trim(line[i+1:], "0123456789") != "" {
		return line, ""
	}
	return line[:i], line[i+1:]
}

// isLine tells whether a line is the named one: without its time, unless the name has one.
func isLine(line, name string) bool {
	text, _ := cutTime(line)
	return line == name || text == name
}

func sideBySide(want, got Recording) string {
	var b strings.Builder
	fmt.Fprintf(&b, "want %q\n     exit %v\ngot  %q\n     exit %v", want.Trace, want.Exit, got.Trace, got.Exit)
	return b.String()
}
