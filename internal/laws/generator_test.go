package laws_test

import (
	"slices"

	"github.com/rivus/agentkit/internal/laws"
	"pgregory.net/rapid"
)

// growing makes a random program.
type growing struct {
	kinds []laws.Kind // what it may consist of
	next  int         // the next number: each is used once
}

// leaves are the kinds without parts.
var leaves = []laws.Kind{laws.Value, laws.Step, laws.Step, laws.Fail, laws.Die, laws.Interrupt, laws.Sleep}

// sequentialKinds are those of the model. Steps come up more often, for it is at steps that runs are interrupted.
var sequentialKinds = append(kindsUpTo(laws.Mask), laws.Step, laws.Step, laws.Then, laws.Then, laws.Finally, laws.Acquire)

// allKinds are all there are.
var allKinds = append(kindsUpTo(laws.Timeout), sequentialKinds...)

// plainKinds have no handler and nothing that ends without anyone looking at how.
var plainKinds = []laws.Kind{laws.Value, laws.Step, laws.Fail, laws.Die, laws.Then, laws.Both, laws.Map, laws.Finally, laws.Acquire,
	laws.Scoped, laws.Uninterruptible, laws.Interruptible, laws.Mask, laws.Sleep, laws.All}

func kindsUpTo(last laws.Kind) (kinds []laws.Kind) {
	for k := laws.Value; k <= last; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// programs are random programs of these kinds.
func programs(kinds []laws.Kind) *rapid.Generator[*laws.Program] {
	return rapid.Custom(func(t *rapid.T) *laws.Program {
		g := &growing{kinds: kinds}
		return g.grow(t, rapid.IntRange(1, 4).Draw(t, "depth"), true)
	})
}

// grow makes a program of at most this depth. Where a scope is closing, only a part with a scope of its own may acquire.
func (g *growing) grow(t *rapid.T, depth int, mayAcquire bool) *laws.Program {
	allowed := slices.DeleteFunc(slices.Clone(g.kinds), func(k laws.Kind) bool {
		return depth == 0 && !slices.Contains(leaves, k) || !mayAcquire && (k == laws.Acquire || k == laws.ForkScoped)
	})
	g.next++
	p := &laws.Program{Kind: rapid.SampledFrom(allowed).Draw(t, "kind"), N: g.next}
	if slices.Contains(leaves, p.Kind) {
		return p
	}
	part := func(mayAcquire bool) *laws.Program { return g.grow(t, depth-1, mayAcquire) }
	switch p.Kind {
	case laws.Map, laws.Uninterruptible, laws.Interruptible, laws.Fork, laws.Join, laws.ForkScoped, laws.Timeout:
		p.A = part(mayAcquire)
	case laws.Scoped:
		p.A = part(true)
	case laws.Acquire:
		p.A, p.B = part(mayAcquire), part(false)
	default:
		p.A, p.B = part(mayAcquire), part(mayAcquire)
	}
	return p
}
