package repocheck

import (
	"strings"
	"testing"
)

func TestEveryExampleIsInTheTableAndTested(t *testing.T) {
	findings, err := Examples(repository)
	expectNone(t, findings, err)
}

func TestExamplesFindsOneThatAReaderWouldNotFind(t *testing.T) {
	const (
		row     = "| [`a`](a) | what it shows | `go run ./examples/a -x` |\n"
		comment = "// Command a does.\n//\n//\tgo run ./examples/a -x"
		code    = "\npackage main\n"
		test    = "package main"
	)
	cases := map[string]struct{ readme, main, test, want string }{
		"as it must be":               {row, comment + code, test, ""},
		"options in the comment":      {row, comment + " [-y]" + code, test, ""},
		"no line":                     {"", comment + code, test, "has no line"},
		"a line without an example":   {row + "| [`b`](b) | it | `go run ./examples/b` |", comment + code, test, `"b" is no folder`},
		"a line that links elsewhere": {strings.Replace(row, "(a)", "(b)", 1), comment + code, test, "not what the line links to"},
		"no test":                     {row, comment + code, "", "has no test"},
		"another command":             {row, comment + "y" + code, test, "does not say how"},
		"a command not at the top":    {row, "// Command a does." + code + comment, test, "does not say how"},
		"a command of another":        {strings.ReplaceAll(row, "a -x", "b"), comment + code, test, "does not say how"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fixture := files{"examples/README.md": c.readme, "examples/a/main.go": c.main}
			if c.test != "" {
				fixture["examples/a/main_test.go"] = c.test
			}
			findings, err := Examples(fixture.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
