package measure

import (
	"fmt"
	"math"
	"time"
)

// Growth is how the cost of some work grows with its size.
type Growth struct {
	// Name says what the work is, Unit what there is more and more of.
	Name, Unit string
	// Sizes are the sizes to measure, rising; five of them make a plot.
	Sizes []int
	// Ways are ways to do it, ours first.
	Ways []Way
}

// A Way does work of a size once and says how long the part that counts took.
type Way struct {
	Name string
	Do   func(size int) (time.Duration, error)
}

// A Curve is what one way took at each size, and how it grows.
type Curve struct {
	Name  string
	Nanos []float64 // the fastest of the rounds, by size
	// Exponent is the slope of the line through the points where both axes are
	// logarithmic: 0 is constant, 1 linear, 2 quadratic.
	Exponent float64
}

// Run measures every way at every size, some rounds each. The fastest round is
// kept: what disturbs a run only ever adds to it.
func (g Growth) Run(rounds int) ([]Curve, error) {
	curves := make([]Curve, len(g.Ways))
	for i, way := range g.Ways {
		curves[i] = Curve{Name: way.Name, Nanos: make([]float64, len(g.Sizes))}
		for j := range g.Sizes {
			curves[i].Nanos[j] = math.Inf(1)
		}
	}
	for range rounds {
		for j, size := range g.Sizes {
			for i, way := range g.Ways {
				took, err := way.Do(size)
				if err != nil {
					return nil, fmt.Errorf("%s, %s at %d: %w", g.Name, way.Name, size, err)
				}
				curves[i].Nanos[j] = min(curves[i].Nanos[j], float64(took.Nanoseconds()))
			}
		}
	}
	for i := range curves {
		curves[i].Exponent = Exponent(g.Sizes, curves[i].Nanos)
	}
	return curves, nil
}

// Exponent fits cost = a·sizeᵏ by least squares over the logarithms and gives k.
func Exponent(sizes []int, cost []float64) float64 {
	n := float64(len(sizes))
	var sx, sy, sxx, sxy float64
	for i, size := range sizes {
		x, y := math.Log(float64(size)), math.Log(math.Max(cost[i], 1))
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	spread := n*sxx - sx*sx
	if spread == 0 {
		return 0
	}
	return (n*sxy - sx*sy) / spread
}
