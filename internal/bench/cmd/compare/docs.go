package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rivus/agentkit/internal/bench/measure"
)

// introduction stands above the tables of performance.md.
const introduction = `# Performance

This page is written by a command from its own output:

    cd internal/bench
    (cd node && npm install)    # once, for the rows beside Effect on Node
    go run ./cmd/compare -cluster -docs ../../docs

Each row is one piece of work done in several ways, which take turns in one run. A ratio is ours to the baseline's, round
by round: the median, and the interval in which it lies with a confidence of 95 %%, as benchstat computes it. Times belong to the
machine of that run and are no promise; ratios travel better. Everything is measured beside a heap of %d MB, as programs have
one: with next to none, the collector of each way starts over every few megabytes.

Budgets are what we hold ourselves to. One that is a time is meant for a machine whose call through a function value takes
%v ns; on a slower one it is longer by as much.

`

// writeDocs writes the page and its plots into a folder.
func (r *report) writeDocs(dir string) error {
	var page bytes.Buffer
	fmt.Fprintf(&page, introduction, measure.HeapMB, measure.UnitNanos)
	page.WriteString(r.machine + ".\n")
	for _, write := range []func(io.Writer) error{r.writeCore, r.writeOriginal, r.writeCollab, r.writeCluster, r.writeLatencies, r.writeFootprints, r.writeGrowths} {
		if err := write(&page); err != nil {
			return err
		}
	}
	for _, g := range r.growths {
		var plot bytes.Buffer
		if err := g.Plot(&plot, g.curves); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, g.file()), plot.Bytes(), 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&page, "\n![%s](%s)\n", g.Name, g.file())
	}
	r.writeLosses(&page)
	return os.WriteFile(filepath.Join(dir, "performance.md"), page.Bytes(), 0o666)
}

// writeLosses says where something else is faster, and what ours does for it.
func (r *report) writeLosses(w io.Writer) {
	fmt.Fprint(w, "\n## Where we lose, and why\n\n")
	for _, outcomes := range [][]measure.Outcome{r.core, r.collab} {
		for _, o := range outcomes {
			if faster := faster(o); len(faster) > 0 {
				fmt.Fprintf(w, "- **%s**: %s. %s\n", o.Name, strings.Join(faster, ", "), o.Why)
			}
		}
	}
	if broken := r.broken(); len(broken) > 0 {
		fmt.Fprint(w, "\nOver budget in this run:\n\n")
		for _, b := range broken {
			fmt.Fprintf(w, "- %s\n", b)
		}
	}
}

// faster lists the ways that take less than nine tenths of our time.
func faster(o measure.Outcome) []string {
	var list []string
	for _, other := range append([]measure.Sample{o.Baseline}, o.Peers...) {
		if len(other.Rounds) > 0 && other.Nanos() < 0.9*o.Ours.Nanos() && !strings.HasPrefix(other.Name, "agentkit") && other.Name != "scope.Do" {
			list = append(list, fmt.Sprintf("%s takes %.2f of the time", other.Name, other.Nanos()/o.Ours.Nanos()))
		}
	}
	return list
}
