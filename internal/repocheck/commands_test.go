package repocheck

import (
	"strings"
	"testing"
)

func TestTheChecksRunTheCommandsOfTheReadme(t *testing.T) {
	findings, err := Commands(repository)
	expectNone(t, findings, err)
}

func TestCommandsFindsAPromiseThatIsNotRun(t *testing.T) {
	const both = "    GOTOOLCHAIN=auto go run ./examples/quickstart\n    GOTOOLCHAIN=auto go test ./...\n"
	cases := map[string]struct{ readme, script, want string }{
		"both, run as they stand":   {both, both, ""},
		"a command with a flag":     {both, "GOTOOLCHAIN=auto go run ./examples/quickstart\nGOTOOLCHAIN=auto go test -short ./...\n", `does not run "GOTOOLCHAIN=auto go test ./..."`},
		"a command commented out":   {both, "GOTOOLCHAIN=auto go run ./examples/quickstart\n# GOTOOLCHAIN=auto go test ./...\n", "does not run"},
		"a promise more":            {both + "    GOTOOLCHAIN=auto go run ./x\n", both, `does not run "GOTOOLCHAIN=auto go run ./x"`},
		"a readme that forgets one": {"    GOTOOLCHAIN=auto go test ./...\n", both, "does not show"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Commands(files{"README.md": c.readme, ".ci/run": c.script}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}

func TestTheWorkflowRunsTheCommandsOfTheReadmeOnThreeSystems(t *testing.T) {
	findings, err := Workflow(repository)
	expectNone(t, findings, err)
}

func TestWorkflowFindsWhatIsLeftOut(t *testing.T) {
	const all = "ubuntu-latest macos-latest windows-latest\ngo-version-file: go.mod\nGOTOOLCHAIN=auto go test ./...\nsudo .ci/run\n"
	for name, c := range map[string]struct{ without, with, want string }{
		"complete":            {"", "", ""},
		"a system":            {"macos-latest", "", `no "macos-"`},
		"the tests":           {" go test ./...", "", "as the README does"},
		"only some tests":     {"test ./...", "test ./effect", "as the README does"},
		"the whole check":     {"sudo .ci/run", "", ".ci/run"},
		"the version, but it": {"", "go-version: 1.27.4\n", "names a Go version"},
	} {
		t.Run(name, func(t *testing.T) {
			text := all + c.with
			if c.with == "" || c.without != "" {
				text = strings.Replace(all, c.without, c.with, 1)
			}
			findings, err := Workflow(files{workflow: text}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
