package repocheck

import "testing"

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
