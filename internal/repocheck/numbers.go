package repocheck

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Numbers finds rows of the README's table of figures that the page of measured
// ones has not: the first four cells must be the same.
func Numbers(fsys fs.FS) ([]Finding, error) {
	const readme, page, heading = "README.md", "docs/performance.md", "## How fast it is"
	quoted, err := fs.ReadFile(fsys, readme)
	if err != nil {
		return nil, err
	}
	measured, err := fs.ReadFile(fsys, page)
	if err != nil {
		return nil, err
	}
	_, section, found := strings.Cut(string(quoted), heading)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := figures(section)
	if !found || len(rows) == 0 {
		return []Finding{{readme, fmt.Sprintf("has no figures under %q", heading)}}, nil
	}
	var findings []Finding
	known := figures(string(measured))
	for _, row := range rows {
		if !slices.Contains(known, row) {
			findings = append(findings, Finding{readme, fmt.Sprintf("%q is not a row of %s", strings.Join(row[:], " | "), page)})
		}
	}
	return findings, nil
}

// figures are the first four cells of each row of the tables in a text.
func figures(text string) (rows [][4]string) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(line, "| \n"), "|")
		if !strings.HasPrefix(line, "|") || len(cells) < 4 || strings.HasPrefix(line, "|-") || strings.HasPrefix(strings.TrimSpace(cells[0]), "work") {
			continue
		}
		var row [4]string
		for i := range row {
			row[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, row)
	}
	return rows
}
