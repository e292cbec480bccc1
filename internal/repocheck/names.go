package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

var (
	// A name of a package in code: effect.Fork, lease.Config.TTL.
	packageName = regexp.MustCompile(`(?:^|[^\w./])([a-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	// A member of some type: Lease.RunFenced.
	memberName = regexp.MustCompile(`(?:^|[^\w.])[A-Z]\w*\.[A-Z]\w*`)
	// In a row of the README's table: what follows a dot, and what stands alone.
	calledName = regexp.MustCompile(`\.([A-Z]\w*)`)
	aloneName  = regexp.MustCompile(`^([A-Z]\w*)`)
	// A test, by its whole name or, after an ellipsis, by how it ends.
	testName = regexp.MustCompile(`^(?:(Test[A-Z]\w*)|…(\w+))$`)
)

// Names finds the names of ours in the README and the guides that no package
// exports, and the tests that are not there. Blocks of code are compiled elsewhere, and the porting tables have a
// check of their own.
func Names(fsys fs.FS) ([]Finding, error) {
	everything := func(string) bool { return true }
	names, err := goNames(fsys, everything)
	if err != nil {
		return nil, err
	}
	known := vocabulary{names: names, packages: map[string]bool{}, members: map[string]bool{}}
	for name := range names {
		parts := strings.Split(name, ".")
		known.packages[parts[0]] = true
		known.members[strings.Join(parts[1:], ".")] = true
		known.members[parts[len(parts)-1]] = true
	}
	if known.tests, err = testsOf(fsys); err != nil {
		return nil, err
	}
	guides, err := fs.Glob(fsys, "docs/*.md")
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, name := range append(guides, "README.md") {
		if name == portingTables {
			continue
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(withoutBlocks(string(text)), "\n") {
			for _, wrong := range known.unknown(name == "README.md", line) {
				findings = append(findings, Finding{fmt.Sprintf("%s:%d", name, i+1), "there is no " + wrong})
			}
		}
	}
	return findings, nil
}

// vocabulary is what the packages export.
type vocabulary struct {
	names, packages, members map[string]bool
	tests                    []string
}

// testsOf are the names of all tests.
func testsOf(fsys fs.FS) ([]string, error) {
	files, err := sources(fsys, token.NewFileSet())
	var tests []string
	for _, file := range files {
		for _, declaration := range file.ast.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && file.test && strings.HasPrefix(f.Name.Name, "Test") {
				tests = append(tests, f.Name.Name)
			}
		}
	}
	return tests, err
}

// unknown are the names on a line that nobody exports. Rows of the README's
// porting table name functions and methods without saying whose they are.
func (v vocabulary) unknown(readme bool, line string) (wrong []string) {
	cells := strings.Split(line, "|")
	row := readme && len(cells) == 4 && strings.Contains(cells[1], "`") && strings.Contains(cells[2], "`")
	if row && !strings.Contains(cells[2], "](") {
		line = cells[2]
	} else {
		row = false
	}
	for _, code := range codeIn(line) {
		if m := testName.FindStringSubmatch(code); m != nil {
			is := func(test string) bool { return test == m[1] || m[2] != "" && strings.HasSuffix(test, m[2]) }
			if !slices.ContainsFunc(v.tests, is) {
				wrong = append(wrong, code)
			}
			continue
		}
		for _, m := range packageName.FindAllStringSubmatch(code, -1) {
			name := m[1] + "." + m[2]
			if !v.packages[m[1]] {
				continue
			}
			if m[3] != "" && v.names[name] {
				name += "." + m[3]
			}
			if !v.names[name] {
				wrong = append(wrong, name)
			}
		}
		if !row {
			for _, name := range memberName.FindAllString(code, -1) {
				if name = strings.TrimLeft(name, " (*["); !v.members[name] {
					wrong = append(wrong, name)
				}
			}
			continue
		}
		for _, m := range slices.Concat(calledName.FindAllStringSubmatch(code, -1), aloneName.FindAllStringSubmatch(code, -1)) {
			if name := m[1]; name != "Key" && !v.members[name] {
				wrong = append(wrong, name)
			}
		}
	}
	return wrong
}

// withoutBlocks is a text with its fenced blocks of code emptied, line for line.
func withoutBlocks(text string) string {
	inside := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			inside = !inside
		}
		if fence || inside {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}
