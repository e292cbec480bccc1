package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rivus/agentkit/internal/bench/core"
	"github.com/rivus/agentkit/internal/bench/measure"
)

// original is what Effect itself takes for the works of the core.
type original struct {
	skipped      string // why it was not measured
	Effect, Node string // versions
	Nanos        map[string]float64
	ours         map[string]float64
}

// measureOriginal runs the script on Node and the same works here right after.
func (r *report) measureOriginal(o options) error {
	if o.names.String() != "" && !o.names.MatchString("Effect on Node") {
		return nil // not asked for
	}
	node, script, missing := findOriginal()
	if missing != "" {
		r.original.skipped = missing
		return nil
	}
	command := exec.Command(node, script, fmt.Sprint(o.round.Milliseconds()), fmt.Sprint(o.rounds))
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("run Effect on Node: %w", err)
	}
	if err := json.Unmarshal(output, &r.original); err != nil {
		return fmt.Errorf("read what Effect on Node measured: %w", err)
	}
	r.original.ours = map[string]float64{}
	for _, p := range core.Ported() {
		sample := measure.Sample{}
		for range o.rounds {
			cost, err := p.Work.Cost()
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			sample.Rounds = append(sample.Rounds, cost)
		}
		r.original.ours[p.Script] = sample.Nanos()
	}
	return nil
}

// findOriginal finds Node and the script with Effect beside it, or says what is
// missing.
func findOriginal() (node, script, missing string) {
	node = os.Getenv("AGENTKIT_NODE")
	if node == "" {
		found, err := exec.LookPath("node")
		if err != nil {
			return "", "", "Node is not installed"
		}
		node = found
	}
	script, err := filepath.Abs(filepath.Join("node", "bench.mjs"))
	if err == nil {
		_, err = os.Stat(script)
	}
	if err != nil {
		return "", "", "run this command in internal/bench"
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(script), "node_modules", "effect")); errors.Is(err, os.ErrNotExist) {
		return "", "", "Effect is not installed: run npm install in internal/bench/node"
	}
	return node, script, ""
}

func (r *report) writeOriginal(w io.Writer) error {
	o := r.original
	if o.skipped != "" {
		_, err := fmt.Fprintf(w, "\nBeside Effect on Node: skipped, %s.\n", o.skipped)
		return err
	}
	if o.Nanos == nil {
		return nil
	}
	fmt.Fprintf(w, "\n## Beside Effect %s on Node %s\n\n", o.Effect, strings.TrimPrefix(o.Node, "v"))
	rows := [][]string{{"work", "agentkit", "Effect", "ratio"}}
	for _, p := range core.Ported() {
		ours, theirs := o.ours[p.Script], o.Nanos[p.Script]
		rows = append(rows, []string{p.Name, measure.Duration(ours), measure.Duration(theirs), measure.Times(ours / theirs)})
	}
	return measure.WriteRows(w, rows)
}
