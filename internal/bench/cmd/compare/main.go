// Command compare runs the benchmarks and prints what they cost beside their
// baselines and budgets, all from one run.
//
//	go run ./cmd/compare                  all of it
//	go run ./cmd/compare -run 'fork|race' the rows whose names match
//	go run ./cmd/compare -strict          exit status 1 where a budget is broken
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/rivus/agentkit/internal/bench/core"
	"github.com/rivus/agentkit/internal/bench/measure"
)

type options struct {
	names      *regexp.Regexp
	rounds     int
	footprints bool
}

func main() {
	pattern := flag.String("run", "", "only the comparisons whose name this regular expression matches")
	rounds := flag.Int("rounds", 7, "how many rounds each comparison takes")
	round := flag.Duration("round", 100*time.Millisecond, "how long each way works in one round")
	footprints := flag.Bool("memory", true, "measure the memory of idle fibers too")
	strict := flag.Bool("strict", false, "exit with status 1 if a budget is broken")
	flag.Parse()
	names, err := regexp.Compile(*pattern)
	if err != nil || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "compare: -run takes a regular expression, -rounds at least 1:", err)
		os.Exit(2)
	}
	measure.SetRound(*round)
	broken, err := compare(os.Stdout, options{names, *rounds, *footprints})
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	if broken > 0 && *strict {
		os.Exit(1)
	}
}

// compare writes the tables and counts the broken budgets.
func compare(w io.Writer, o options) (broken int, err error) {
	fmt.Fprintf(w, "%s on %s/%s, %d processors, %d rounds\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), o.rounds)
	var outcomes []measure.Outcome
	for c := range slices.Values(core.All()) {
		if !o.names.MatchString(c.Name) {
			continue
		}
		outcome, err := c.Run(o.rounds)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", c.Name, err)
		}
		if len(outcome.Broken()) > 0 {
			broken++
		}
		outcomes = append(outcomes, outcome)
	}
	if err := measure.Table(w, outcomes); err != nil {
		return 0, err
	}
	idle := core.IdleFibers()
	if !o.footprints || !o.names.MatchString(idle.Name) {
		return broken, nil
	}
	ours, baseline := idle.Run()
	if ours/baseline > idle.Budget {
		broken++
	}
	_, err = fmt.Fprintf(w, "\n%s: %.0f bytes, a goroutine with a cancel context %.0f: %.2f × (budget %.1f ×)\n", idle.Name, ours, baseline, ours/baseline, idle.Budget)
	return broken, err
}
