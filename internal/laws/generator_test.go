package laws

import (
	"slices"

	"pgregory.net/rapid"
)

// growing makes a random program.
type growing struct {
	kinds []Kind // what it may consist of
	next  int    // the next number: each is used once
}

// leaves are the kinds without parts.
var leaves = []Kind{Value, Step, Step, Fail, Die, Interrupt, Sleep}

// sequentialKinds are those of the model. Steps come up more often, for it is at steps that runs are interrupted.
var sequentialKinds = append(kindsUpTo(Mask), Step, Step, Then, Then, Finally, Acquire)

// allKinds are all there are.
var allKinds = append(kindsUpTo(Timeout), sequentialKinds...)

// plainKinds have no handler and nothing that ends without anyone looking at how.
var plainKinds = []Kind{Value, Step, Fail, Die, Then, Both, Map, Finally, Acquire,
	Scoped, Uninterruptible, Interruptible, Mask, Sleep, All}

func kindsUpTo(last Kind) (kinds []Kind) {
	for k := Value; k <= last; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// programs are random programs of these kinds.
func programs(kinds []Kind) *rapid.Generator[*Program] { return grown(kinds, true) }

// closedPrograms leave nothing in the scope around them.
func closedPrograms(kinds []Kind) *rapid.Generator[*Program] { return grown(kinds, false) }

func grown(kinds []Kind, mayAcquire bool) *rapid.Generator[*Program] {
	return rapid.Custom(func(t *rapid.T) *Program {
		g := &growing{kinds: kinds}
		return g.grow(t, rapid.IntRange(1, 4).Draw(t, "depth"), mayAcquire)
	})
}

// grow makes a program of at most this depth. Where a scope is closing, only a part with a scope of its own may acquire.
func (g *growing) grow(t *rapid.T, depth int, mayAcquire bool) *Program {
	allowed := slices.DeleteFunc(slices.Clone(g.kinds), func(k Kind) bool {
		return depth == 0 && !slices.Contains(leaves, k) || !mayAcquire && (k == Acquire || k == ForkScoped)
	})
	g.next++
	p := &Program{Kind: rapid.SampledFrom(allowed).Draw(t, "kind"), N: g.next}
	if slices.Contains(leaves, p.Kind) {
		return p
	}
	part := func(mayAcquire bool) *Program { return g.grow(t, depth-1, mayAcquire) }
	switch p.Kind {
	case Map, Uninterruptible, Interruptible, Fork, Join, ForkScoped, Timeout:
		p.A = part(mayAcquire)
	case Scoped:
		p.A = part(true)
	case Acquire:
		p.A, p.B = part(mayAcquire), part(false)
	default:
		p.A, p.B = part(mayAcquire), part(mayAcquire)
	}
	return p
}
