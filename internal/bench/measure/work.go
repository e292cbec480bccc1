package measure

import (
	"flag"
	"fmt"
	"testing"
	"time"
)

// Work is one way of doing a piece of work.
type Work struct {
	// Name says whose way it is: "agentkit", "errgroup", "a channel".
	Name string
	// Steps is how many steps of the work one iteration takes. Zero means one.
	Steps int
	// Bench does the work b.N times, as any benchmark does.
	Bench func(b *testing.B)
}

// A Cost is what one step of some work takes.
type Cost struct {
	Nanos  float64
	Allocs float64
	Bytes  float64
}

// Cost measures one round of the work.
func (w Work) Cost() (Cost, error) {
	failed := true
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		w.Bench(b)
		failed = b.Failed()
	})
	if failed || result.N == 0 {
		return Cost{}, fmt.Errorf("%s: the benchmark failed", w.Name)
	}
	steps := float64(result.N) * float64(max(w.Steps, 1))
	nanos := float64(result.T.Nanoseconds()) / steps
	return Cost{
		Nanos:  nanos,
		Allocs: float64(result.MemAllocs) / steps,
		Bytes:  float64(result.MemBytes) / steps,
	}, nil
}

// SetRound sets how long one round of any work takes. A program that is no test
// calls it before it measures.
func SetRound(d time.Duration) {
	if flag.Lookup("test.benchtime") == nil {
		testing.Init()
	}
	if err := flag.Set("test.benchtime", d.String()); err != nil {
		panic(err) // the flag is the testing package's own
	}
}
