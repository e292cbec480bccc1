package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
)

func (r *report) writeCore(w io.Writer) error {
	return table(w, "The core", r.core)
}

func (r *report) writeCollab(w io.Writer) error {
	return table(w, "Locks, leases and lanes", r.collab)
}

func table(w io.Writer, title string, outcomes []measure.Outcome) error {
	if len(outcomes) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n## %s\n\n", title)
	return measure.Table(w, outcomes)
}

func (r *report) writeLatencies(w io.Writer) error {
	if len(r.latencies) == 0 {
		return nil
	}
	fmt.Fprint(w, "\n## From one process to another\n\n")
	rows := [][]string{{"", "fastest", "median", "slowest", "attempts", "budget"}}
	for _, l := range r.latencies {
		budget := ""
		if l.Median > 0 {
			budget = "median " + l.Median.String()
		}
		rows = append(rows, []string{
			l.Name, round(l.took[0]), round(l.median()), round(l.took[len(l.took)-1]), fmt.Sprint(len(l.took)), budget,
		})
	}
	return measure.WriteRows(w, rows)
}

func round(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }

func (r *report) writeFootprints(w io.Writer) error {
	if len(r.footprints) == 0 {
		return nil
	}
	fmt.Fprint(w, "\n## Memory\n\n")
	rows := [][]string{{"one of a million", "bytes", "baseline", "ratio", "budget"}}
	for _, f := range r.footprints {
		row := []string{f.Name, fmt.Sprintf("%.0f", f.ours), "", "", ""}
		if f.BaselineName != "" {
			row[2] = fmt.Sprintf("%s %.0f", f.BaselineName, f.baseline)
			row[3] = fmt.Sprintf("%.2f ×", f.ours/f.baseline)
		}
		switch {
		case f.Ratio > 0:
			row[4] = fmt.Sprintf("%.1f ×", f.Ratio)
		case f.Bytes > 0:
			row[4] = fmt.Sprintf("%.0f bytes", f.Bytes)
		}
		rows = append(rows, row)
	}
	return measure.WriteRows(w, rows)
}

func (r *report) writeGrowths(w io.Writer) error {
	if len(r.growths) == 0 {
		return nil
	}
	fmt.Fprint(w, "\n## How cost grows\n\n")
	rows := [][]string{{"work", "size", "way", "exponent", "smallest", "largest"}}
	for _, g := range r.growths {
		last := len(g.Sizes) - 1
		for _, c := range g.curves {
			rows = append(rows, []string{
				g.Name, fmt.Sprintf("%d–%d %s", g.Sizes[0], g.Sizes[last], g.Unit), c.Name, fmt.Sprintf("%.2f", c.Exponent),
				time.Duration(c.Nanos[0]).Round(time.Microsecond).String(), time.Duration(c.Nanos[last]).Round(time.Microsecond).String(),
			})
		}
	}
	return measure.WriteRows(w, rows)
}

// file is the name of a growth's plot.
func (g growth) file() string {
	words := strings.FieldsFunc(strings.ToLower(g.Name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return "growth-" + strings.Join(words, "-") + ".svg"
}
