package repocheck

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// root is the repository's folder; tests run in their package's.
const root = "../.."

var repository = os.DirFS(root)

// files is a fixture: texts by path.
type files map[string]string

func (f files) fs() fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range f {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// expectNone fails with every finding.
func expectNone(t *testing.T, findings []Finding, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// expectFinding wants exactly one finding that says want, or none where want is
// empty.
func expectFinding(t *testing.T, findings []Finding, err error, want string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case want == "" && len(findings) > 0:
		t.Errorf("got %v, want no finding", findings)
	case want != "" && len(findings) != 1:
		t.Errorf("got %v, want one finding that says %q", findings, want)
	case want != "" && !strings.Contains(findings[0].String(), want):
		t.Errorf("got %v, want a finding that says %q", findings[0], want)
	}
}
