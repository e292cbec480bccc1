package repocheck

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// MaxLines is how long a Go file may be. One that grows past it holds more than
// one idea.
const MaxLines = 400

// Lines finds the Go files that are longer.
func Lines(fsys fs.FS) ([]Finding, error) {
	var findings []Finding
	err := walk(fsys, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if n := bytes.Count(text, []byte("\n")); n > MaxLines {
			findings = append(findings, Finding{name, fmt.Sprintf("has %d lines, more than %d: split it by idea", n, MaxLines)})
		}
		return err
	})
	return findings, err
}

// forbidden are what no text of the repository says. The patterns are written
// so that they do not match themselves.
var forbidden = []struct {
	pattern *regexp.Regexp
	reason  string
	tests   bool // whether tests may say it
}{
	{regexp.MustCompile(`\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b`), "is a note of unfinished work", false},
	{regexp.MustCompile(`(?i)not[ ]implemented|unim[p]lemented`), "says that something is missing", true},
	{regexp.MustCompile(`(^|[^\w.*-])/(work|farm|root|home/\w+|Users/\w+)/`), "is a path of one machine", true},
	{regexp.MustCompile(`(^|[^\w.])/tm[p]/`), "is a path of one machine", true},
	{regexp.MustCompile(`\b(proxy|registry|deb)\.[a-z]+\.(org|com|net)\b`), "is the host of a package registry", false},
	{regexp.MustCompile(`(?i)(^|[^/\w])issue #?\d`), "refers to a tracker that a reader does not have", false},
	{regexp.MustCompile(`\bsha[r]ed/(spec|golden|prototype|DESIGN|STYLE)`), "refers to a file that a reader does not have", false},
}

// texts are the kinds of files that people read.
var texts = []string{".go", ".md", ".sh", ".mjs", ".js", ".yml", ".yaml", ".mod", ".sql", ""}

// Words finds forbidden words: notes of unfinished work, paths of one machine,
// and what a reader cannot look up.
func Words(fsys fs.FS) ([]Finding, error) {
	var findings []Finding
	err := walk(fsys, func(name string) error {
		if !slices.Contains(texts, path.Ext(name)) {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 { // a binary without an extension
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, word := range forbidden {
				if word.tests && strings.HasSuffix(name, "_test.go") {
					continue
				}
				if found := word.pattern.FindString(line); found != "" {
					what := fmt.Sprintf("%q %s", strings.TrimSpace(found), word.reason)
					findings = append(findings, Finding{fmt.Sprintf("%s:%d", name, i+1), what})
				}
			}
		}
		return nil
	})
	return findings, err
}
