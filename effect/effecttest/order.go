package effecttest

import "slices"

// Order is how much of a recording's order is promised. Make one with [Forced], [Ties] or [Cooperative].
type Order struct {
	strength     strength
	chains       [][]string
	optional     []string
	alternatives []Recording
}

type strength uint8

const (
	forced strength = iota
	ties
	cooperative
)

// Forced promises every line at its place. It is the zero Order.
var Forced Order

// Ties promises the instants: several things happen at one of them, and their lines may come in any order that the rules allow.
func Ties(rules ...Rule) Order { return order(ties, rules) }

// Cooperative promises which lines there are. Their order is what the rules say; a test states those that a scheduler which runs
// fibers in parallel keeps too.
func Cooperative(rules ...Rule) Order { return order(cooperative, rules) }

func order(s strength, rules []Rule) Order {
	o := Order{strength: s}
	for _, rule := range rules {
		rule(&o)
	}
	return o
}

// Rule is a promise about the order of some lines. Lines are named by their text without the time; a name with a time stands
// for that line only.
type Rule func(*Order)

// InOrder promises that these lines come one after the other, with any others between them.
func InOrder(lines ...string) Rule {
	return func(o *Order) { o.chains = append(o.chains, lines) }
}

// AnyOrder promises nothing about the order.
func AnyOrder() Rule { return func(*Order) {} }

// Maybe says that each of these lines may be there or not, as often as it is listed.
func Maybe(lines ...string) Rule {
	return func(o *Order) { o.optional = append(o.optional, lines...) }
}

// OrElse allows another recording in place of the one that is wanted. Of the orders that [InOrder] states, those hold for it
// whose lines are all in it.
func OrElse(other Recording) Rule {
	return func(o *Order) { o.alternatives = append(o.alternatives, other) }
}

// of is o without the chains that the lines have not all of.
func (o Order) of(lines []string) Order {
	o.chains = slices.DeleteFunc(slices.Clone(o.chains), func(chain []string) bool {
		return slices.ContainsFunc(chain, func(name string) bool {
			return !slices.ContainsFunc(lines, func(line string) bool { return isLine(line, name) })
		})
	})
	return o
}

// withoutOptional is lines without those that may be missing.
func (o Order) withoutOptional(lines []string) []string {
	kept := slices.Clone(lines)
	for _, name := range o.optional {
		if i := slices.IndexFunc(kept, func(line string) bool { return isLine(line, name) }); i >= 0 {
			kept = slices.Delete(kept, i, i+1)
		}
	}
	return kept
}
