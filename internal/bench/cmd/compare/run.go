package main

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"time"

	"github.com/rivus/agentkit/internal/bench/collab"
	"github.com/rivus/agentkit/internal/bench/core"
	"github.com/rivus/agentkit/internal/bench/measure"
)

type options struct {
	names   *regexp.Regexp
	rounds  int
	round   time.Duration
	cluster bool // compare with etcd and Kubernetes' client too
}

// A report is the outcome of one run.
type report struct {
	machine    string
	core       []measure.Outcome
	collab     []measure.Outcome
	original   original
	cluster    string // a table, as the command there prints it
	latencies  []latency
	footprints []footprint
	growths    []growth
}

type latency struct {
	measure.Latency
	took []time.Duration
}

type footprint struct {
	measure.Footprint
	ours, baseline float64
}

type growth struct {
	measure.Growth
	curves []measure.Curve
}

// run measures what is asked for and prints each part as it is done.
func run(w io.Writer, o options) (*report, error) {
	r := &report{machine: fmt.Sprintf("%s on %s/%s, %d processors, %d rounds of %v",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), o.rounds, o.round)}
	fmt.Fprintln(w, r.machine)
	parts := []struct {
		measure func(options) error
		write   func(io.Writer) error
	}{
		{func(o options) (err error) { r.core, err = o.outcomes(core.All()); return err }, r.writeCore},
		{r.measureOriginal, r.writeOriginal},
		{func(o options) (err error) { r.collab, err = o.outcomes(collab.All()); return err }, r.writeCollab},
		{r.measureCluster, r.writeCluster},
		{r.measureLatencies, r.writeLatencies},
		{r.measureFootprints, r.writeFootprints},
		{r.measureGrowths, r.writeGrowths},
	}
	for _, part := range parts {
		if err := part.measure(o); err != nil {
			return r, err
		}
		if err := part.write(w); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (o options) outcomes(comparisons []measure.Comparison) ([]measure.Outcome, error) {
	var outcomes []measure.Outcome
	unit, err := measure.Comparison{Ours: core.Call}.Run(o.rounds)
	if err != nil {
		return nil, err
	}
	for _, c := range comparisons {
		if !o.names.MatchString(c.Name) {
			continue
		}
		outcome, err := c.Run(o.rounds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		outcome.Unit = unit.Ours.Nanos()
		outcomes = append(outcomes, outcome)
	}
	return outcomes, nil
}

func (r *report) measureLatencies(o options) error {
	for _, l := range collab.Latencies() {
		if !o.names.MatchString(l.Name) {
			continue
		}
		took, err := l.Run()
		if err != nil {
			return err
		}
		r.latencies = append(r.latencies, latency{l, took})
	}
	return nil
}

func (r *report) measureFootprints(o options) error {
	for _, f := range []measure.Footprint{core.IdleFibers(), collab.QueuedKeys()} {
		if !o.names.MatchString(f.Name) {
			continue
		}
		ours, baseline := f.Run()
		r.footprints = append(r.footprints, footprint{f, ours, baseline})
	}
	return nil
}

func (r *report) measureGrowths(o options) error {
	for _, g := range append(core.Growths(), collab.Growths()...) {
		if !o.names.MatchString(g.Name) {
			continue
		}
		curves, err := g.Run(3)
		if err != nil {
			return err
		}
		r.growths = append(r.growths, growth{g, curves})
	}
	return nil
}

// broken names every budget that was exceeded.
func (r *report) broken() []string {
	var broken []string
	for _, outcomes := range [][]measure.Outcome{r.core, r.collab} {
		for _, o := range outcomes {
			for _, part := range o.Broken() {
				broken = append(broken, o.Name+": "+part)
			}
		}
	}
	for _, l := range r.latencies {
		if l.Median > 0 && l.median() > l.Median {
			broken = append(broken, l.Name+": median")
		}
	}
	for _, f := range r.footprints {
		if f.Broken(f.ours, f.baseline) {
			broken = append(broken, f.Name+": bytes")
		}
	}
	return broken
}

func (l latency) median() time.Duration { return l.took[len(l.took)/2] }
