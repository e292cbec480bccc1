package repocheck

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Snippets finds the Go code in texts for people that no Go file of the
// repository has line for line, apart from indentation: what is shown is what a
// test compiles, and mostly runs.
func Snippets(fsys fs.FS) ([]Finding, error) {
	var code []string
	var shown []snippet
	err := walk(fsys, func(name string) error {
		switch path.Ext(name) {
		case ".go", ".md":
		default:
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".go" {
			code = append(code, unindented(string(text)))
		} else {
			shown = append(shown, goBlocks(name, string(text))...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, b := range shown {
		found := false
		for _, file := range code {
			found = found || strings.Contains(file, b.text)
		}
		if !found {
			findings = append(findings, Finding{b.where, "no Go file has this code: take it from one that a test compiles"})
		}
	}
	return findings, nil
}

// snippet is a piece of code in a text.
type snippet struct{ where, text string }

// goBlocks are the fenced blocks of Go in a text.
func goBlocks(name, text string) []snippet {
	var found []snippet
	var open *snippet
	for i, line := range strings.Split(text, "\n") {
		switch {
		case open == nil && strings.TrimSpace(line) == "```go":
			open = &snippet{where: fmt.Sprintf("%s:%d", name, i+1)}
		case open != nil && strings.TrimSpace(line) == "```":
			open.text = unindented(strings.TrimSuffix(open.text, "\n"))
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return found
}

// unindented is a text whose lines begin with what is not blank, between line breaks.
func unindented(text string) string {
	var b strings.Builder
	b.WriteString("\n")
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}
