package measure

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Table writes outcomes as a table that is read in a terminal and in Markdown
// alike.
func Table(w io.Writer, outcomes []Outcome) error {
	rows := [][]string{{"work", "ours", "baseline", "ratio", "95 %", "budget", "allocs", ""}}
	for _, o := range outcomes {
		rows = append(rows, o.row())
		for _, peer := range o.Peers {
			rows = append(rows, []string{"", "", peer.Name + " " + Duration(peer.Nanos()), Times(o.Ours.Nanos() / peer.Nanos()), "", "", "", ""})
		}
	}
	return WriteRows(w, rows)
}

func (o Outcome) row() []string {
	baseline, ratio, spread := "", "", ""
	if len(o.Ratios) > 0 {
		baseline = o.Baseline.Name + " " + Duration(o.Baseline.Nanos())
		ratio = Times(o.Ratio())
		if s := summary(o.Ratios); !math.IsInf(s.Lo, 0) {
			spread = fmt.Sprintf("%s–%s", number(s.Lo), number(s.Hi))
		}
	}
	verdict := ""
	if broken := o.Broken(); len(broken) > 0 {
		verdict = "over: " + strings.Join(broken, ", ")
	}
	return []string{o.Name, Duration(o.Ours.Nanos()), baseline, ratio, spread, o.Budget.String(), number(o.Ours.Allocs()), verdict}
}

// String lists what a budget bounds.
func (b Budget) String() string {
	var parts []string
	if b.Ratio > 0 {
		parts = append(parts, Times(b.Ratio))
	}
	if b.Nanos > 0 {
		parts = append(parts, Duration(b.Nanos))
	}
	if b.Allocs >= 0 {
		parts = append(parts, fmt.Sprintf("%g allocs", b.Allocs))
	}
	return strings.Join(parts, ", ")
}

// WriteRows writes a Markdown table with aligned columns; the first row is its
// head.
func WriteRows(w io.Writer, rows [][]string) error {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for n, row := range rows {
		line := "|"
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + " |"
		}
		text.WriteString(line + "\n")
		if n == 0 {
			for _, width := range widths {
				text.WriteString("|" + strings.Repeat("-", width+2))
			}
			text.WriteString("|\n")
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Times writes a ratio.
func Times(ratio float64) string { return number(ratio) + " ×" }

// number has three digits that mean something, or fewer.
func number(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f < 0.005:
		return "< 0.01"
	case f < 10:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
	case f < 100:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
	default:
		return fmt.Sprintf("%.0f", f)
	}
}

// Duration is a time in the unit that suits it.
func Duration(nanos float64) string {
	switch {
	case nanos < 1e3:
		return number(nanos) + " ns"
	case nanos < 1e6:
		return number(nanos/1e3) + " µs"
	case nanos < 1e9:
		return number(nanos/1e6) + " ms"
	default:
		return number(nanos/1e9) + " s"
	}
}
