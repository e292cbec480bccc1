package repocheck

import (
	"strings"
	"testing"
)

func TestNoFileIsLongerThanOneIdea(t *testing.T) {
	findings, err := Lines(repository)
	expectNone(t, findings, err)
}

func TestNoTextSaysAForbiddenWord(t *testing.T) {
	findings, err := Words(repository)
	expectNone(t, findings, err)
}

func TestLinesFindsAFileThatIsTooLong(t *testing.T) {
	long := "package p\n" + strings.Repeat("\n", MaxLines-1)
	findings, err := Lines(files{"p/p.go": long, "p/testdata/q.go": long + "\n", "p/q.md": long + "\n"}.fs())
	expectFinding(t, findings, err, "")
	findings, err = Lines(files{"p/p_test.go": long + "\n"}.fs())
	expectFinding(t, findings, err, "has 401 lines")
}

func TestWordsFindsWhatNoTextShouldSay(t *testing.T) {
	cases := map[string]struct{ file, text, want string }{
		"unfinished work":                {"p/p.go", "// TO" + "DO: finish", "unfinished"},
		"in a test too":                  {"p/p_test.go", "// FIX" + "ME", "unfinished"},
		"in a script without a name":     {".ci/run", "# HA" + "CK", "unfinished"},
		"as part of a word it is none":   {"p/p.go", "// methoTO" + "DOS", ""},
		"something missing":              {"p/p.go", `panic("not` + ` implemented")`, "missing"},
		"a path of one machine":          {"p.md", "see /wo" + "rk/main/x", "one machine"},
		"a home folder":                  {"p.md", "`/ho" + "me/ann/x`", "one machine"},
		"a relative path is none":        {"p.md", "the folder ./wo" + "rk/x and net" + "/wo" + "rk/x", ""},
		"a temporary file":               {"p/p.go", `open("/t` + `mp/x")`, "one machine"},
		"in a test it may be a subject":  {"p/p_test.go", `open("/t` + `mp/x")`, ""},
		"the host of a registry":         {"p.md", "from proxy" + ".golang.org", "registry"},
		"a tracker's number":             {"p.md", "as iss" + "ue 7 asks", "tracker"},
		"a link to a public one is fine": {"p.md", "golang/go#77687", ""},
		"a file outside the repository":  {"p/p.go", "// see sha" + "red/spec", "reader does not have"},
		"the data of a test may say it":  {"p/testdata/a.md", "TO" + "DO", ""},
		"and so may a kind not for eyes": {"p/a.json", "TO" + "DO", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Words(files{c.file: c.text}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
