package repocheck

import (
	"strings"
	"testing"
)

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	findings, err := Links(repository)
	expectNone(t, findings, err)
}

func TestTheReadmeAndTheGuidesAreShort(t *testing.T) {
	findings, err := LongTexts(repository)
	expectNone(t, findings, err)
}

func TestLinksFindsOneThatLeadsNowhere(t *testing.T) {
	cases := map[string]struct{ file, text, want string }{
		"a file beside it":        {"docs/a.md", "see [b](b.md)", ""},
		"one above":               {"docs/a.md", "see [b](../README.md) and [c](../p)", ""},
		"a part of one":           {"docs/a.md", "see [b](b.md#part)", ""},
		"a part of itself":        {"docs/a.md", "see [b](#part)", ""},
		"another site":            {"docs/a.md", "see [b](https://example.com/x)", ""},
		"a file that is gone":     {"docs/a.md", "\nsee [b](c.md)", "docs/a.md:2: leads nowhere: c.md"},
		"from the wrong folder":   {"docs/a.md", "see [b](docs/b.md)", "leads nowhere"},
		"code looks like a link":  {"docs/a.md", "`e.Map[B](f)`", ""},
		"and so does a block":     {"docs/a.md", "```go\nF[B](f)\n```", ""},
		"code as a link's text":   {"docs/a.md", "[`F`](f.go)", "leads nowhere: f.go"},
		"a template for a report": {".github/ISSUE_TEMPLATE/bug.md", "[s](SECURITY.md)", "leads nowhere"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Links(files{"README.md": "", "docs/b.md": "", "p/p.go": "package p", c.file: c.text}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}

func TestLongTextsFindsOneThatNobodyReads(t *testing.T) {
	fixture := files{}
	for name := range longest {
		fixture[name] = "short\n"
	}
	findings, err := LongTexts(fixture.fs())
	expectNone(t, findings, err)
	fixture["README.md"] = strings.Repeat("\n", 250)
	findings, err = LongTexts(fixture.fs())
	expectFinding(t, findings, err, "has 250 lines")
}
