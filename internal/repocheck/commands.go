package repocheck

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Commands finds the commands that the README promises and the checks before
// landing do not run as they stand there. Those are the lines of its code that
// begin with GOTOOLCHAIN=auto.
func Commands(fsys fs.FS) ([]Finding, error) {
	readme, err := fs.ReadFile(fsys, "README.md")
	if err != nil {
		return nil, err
	}
	script, err := fs.ReadFile(fsys, ".ci/run")
	if err != nil {
		return nil, err
	}
	promised := commandsIn(string(readme))
	run := commandsIn(string(script))
	var findings []Finding
	for _, required := range []string{"GOTOOLCHAIN=auto go run ./examples/quickstart", "GOTOOLCHAIN=auto go test ./..."} {
		if !slices.Contains(promised, required) {
			findings = append(findings, Finding{"README.md", fmt.Sprintf("does not show %q", required)})
		}
	}
	for _, command := range promised {
		if !slices.Contains(run, command) {
			findings = append(findings, Finding{".ci/run", fmt.Sprintf("does not run %q, which the README shows", command)})
		}
	}
	return findings, nil
}

// workflow is the definition of the checks for whoever hosts a copy.
const workflow = ".github/workflows/ci.yml"

// Workflow finds what that definition leaves out: the command of the README and
// the checks before landing, with the Go version of go.mod.
func Workflow(fsys fs.FS) ([]Finding, error) {
	text, err := fs.ReadFile(fsys, workflow)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	if !slices.Contains(commandsIn(string(text)), "GOTOOLCHAIN=auto go test ./...") {
		findings = append(findings, Finding{workflow, "does not run the tests as the README does"})
	}
	for _, wanted := range []string{"ubuntu-", "macos-", "windows-", " .ci/run\n", "go-version-file: go.mod"} {
		if !strings.Contains(string(text), wanted) {
			findings = append(findings, Finding{workflow, fmt.Sprintf("has no %q", wanted)})
		}
	}
	if strings.Contains(string(text), "go-version:") {
		findings = append(findings, Finding{workflow, "names a Go version, which go.mod does"})
	}
	return findings, nil
}

func commandsIn(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "GOTOOLCHAIN=auto ") {
			found = append(found, line)
		}
	}
	return found
}
