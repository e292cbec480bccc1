package repocheck

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// Links finds the links between texts of the repository that lead nowhere.
func Links(fsys fs.FS) ([]Finding, error) {
	var findings []Finding
	check := func(name string) error {
		if path.Ext(name) != ".md" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(withoutBlocks(string(text)), "\n") {
			for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, "code"), -1) {
				target, _, _ := strings.Cut(m[1], "#")
				if target == "" || strings.Contains(target, "://") {
					continue
				}
				if _, err := fs.Stat(fsys, path.Join(path.Dir(name), target)); err != nil {
					findings = append(findings, Finding{fmt.Sprintf("%s:%d", name, i+1), "leads nowhere: " + m[1]})
				}
			}
		}
		return nil
	}
	if err := walk(fsys, check); err != nil {
		return nil, err
	}
	templates, err := fs.Glob(fsys, ".github/ISSUE_TEMPLATE/*.md") // walk passes hidden folders by
	if err != nil {
		return nil, err
	}
	for _, name := range templates {
		if err := check(name); err != nil {
			return nil, err
		}
	}
	return findings, nil
}

// longest is how long the texts for people may be: what is longer is not read.
var longest = map[string]int{
	"README.md":               250,
	"docs/choosing.md":        150,
	"docs/fencing.md":         150,
	"docs/operating.md":       150,
	"docs/repository.md":      150,
	"docs/testing.md":         150,
	"docs/troubleshooting.md": 150,
	"docs/versioning.md":      150,
}

// LongTexts finds those of them that are longer, or are not there.
func LongTexts(fsys fs.FS) ([]Finding, error) {
	var findings []Finding
	for name, most := range longest {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if n := strings.Count(string(text), "\n"); n >= most {
			findings = append(findings, Finding{name, fmt.Sprintf("has %d lines; it must have less than %d", n, most)})
		}
	}
	return findings, nil
}
