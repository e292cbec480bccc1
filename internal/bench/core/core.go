package core

import (
	"slices"

	"github.com/rivus/agentkit/internal/bench/measure"
)

// All are the comparisons of the core, in the order in which they are shown.
func All() []measure.Comparison {
	return slices.Concat(Chains(), Fibers(), Collections(), Scopes(), Waiting(), Rooms())
}
