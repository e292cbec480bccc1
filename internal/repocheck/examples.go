package repocheck

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// exampleRow is a line of the table of examples: name, link, what it shows,
// command.
var exampleRow = regexp.MustCompile("^\\| \\[`([^`]+)`\\]\\(([^)]+)\\) \\| (.+) \\| `([^`]+)` \\|$")

// Examples finds the examples that a reader would not find, or could not run:
// those without a line in the table of examples/README.md, a test, or the
// table's command in the comment at their top. It finds lines without an example
// too.
func Examples(fsys fs.FS) ([]Finding, error) {
	const readme = "examples/README.md"
	text, err := fs.ReadFile(fsys, readme)
	if err != nil {
		return nil, err
	}
	commands := map[string]string{}
	var findings []Finding
	for i, line := range strings.Split(string(text), "\n") {
		row := exampleRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		name, link, command := row[1], row[2], row[4]
		if _, err := fs.Stat(fsys, "examples/"+name+"/main.go"); err != nil || link != name {
			what := fmt.Sprintf("%q is no folder with a main.go, or not what the line links to", name)
			findings = append(findings, Finding{fmt.Sprintf("%s:%d", readme, i+1), what})
		}
		commands[name] = command
	}
	entries, err := fs.ReadDir(fsys, "examples")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			problem, err := checkExample(fsys, entry.Name(), commands[entry.Name()])
			if err != nil {
				return nil, err
			}
			if problem != "" {
				findings = append(findings, Finding{"examples/" + entry.Name(), problem})
			}
		}
	}
	return findings, nil
}

// checkExample is what is wrong with an example whose command is this, by the
// table.
func checkExample(fsys fs.FS, name, command string) (problem string, _ error) {
	if command == "" {
		return "has no line in the table of examples/README.md", nil
	}
	source, err := fs.ReadFile(fsys, "examples/"+name+"/main.go")
	if err != nil {
		return "", err
	}
	comment, _, _ := strings.Cut(string(source), "\npackage main")
	// The comment may go on with what is optional, in brackets.
	says := strings.Contains(comment+"\n", "//\t"+command+"\n") || strings.Contains(comment, "//\t"+command+" [")
	if !strings.HasPrefix(command, "go run ./examples/"+name) || !says {
		return fmt.Sprintf("does not say how to run it as the table does: %s", command), nil
	}
	tests, err := fs.Glob(fsys, "examples/"+name+"/*_test.go")
	if len(tests) == 0 {
		problem = "has no test"
	}
	return problem, err
}
