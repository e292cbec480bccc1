package repocheck

import "testing"

func TestNoImportPointsUpTheFloors(t *testing.T) {
	findings, err := Floors(repository)
	expectNone(t, findings, err)
}

func TestFloorsFindsWhatBreaksTheTable(t *testing.T) {
	const head = "package x\n"
	ours := func(name string) string { return head + `import _ "` + Module + "/" + name + `"` }
	cases := map[string]struct {
		file, text string
		want       string // part of the finding; empty: allowed
	}{
		"effect may import scope":                      {"effect/a.go", ours("scope"), ""},
		"scope may not import effect":                  {"scope/a.go", ours("effect"), "not on a floor below"},
		"effect may not import its neighbour platform": {"effect/a.go", ours("platform"), "not on a floor below"},
		"lease may import its neighbour processlock":   {"collab/lease/a.go", ours("collab/processlock"), ""},
		"processlock may not import lease":             {"collab/processlock/a.go", ours("collab/lease"), "not on a floor below"},
		"lanes may not import platform":                {"collab/lanes/a.go", ours("platform"), "not on a floor below"},
		"files for other systems count":                {"scope/a_windows.go", ours("effect"), "not on a floor below"},
		"tests are held to the floors too":             {"scope/a_test.go", ours("effect"), "not on a floor below"},
		"an annex may import its room":                 {"effect/effecttest/a.go", ours("effect"), ""},
		"a room may not import its annex":              {"effect/a.go", ours("effect/effecttest"), "for tests"},
		"a room's tests may import its annex":          {"effect/a_test.go", ours("effect/effecttest"), ""},
		"and the annex of a floor below":               {"collab/lease/a_test.go", ours("platform/platformtest"), ""},
		"an annex may import another":                  {"collab/lease/leasetest/a.go", ours("platform/platformtest"), ""},
		"an internal part is held as its room is":      {"scope/internal/list/a.go", ours("effect"), "not on a floor below"},
		"a room may import its internal part":          {"scope/a.go", ours("scope/internal/list"), ""},
		"a room may import from the cellar":            {"scope/a.go", ours("internal/keys"), ""},
		"the cellar may not import a room":             {"internal/keys/a.go", ours("errors"), "not on a floor below"},
		"a package without a place is found":           {"collab/queue/a.go", ours("effect"), "has no floor"},
		"and so is an import of one":                   {"collab/lease/a.go", ours("collab/queue"), "has no floor"},
		"examples may import everything":               {"examples/e/a.go", ours("collab/lease"), ""},
		"collab reaches files through platform":        {"collab/lease/a.go", head + "import \"os\"\nvar _ = os.Remove", "through platform"},
		"processes too":                                {"collab/lease/a.go", head + "import \"syscall\"\nvar _ = syscall.Kill", "through platform"},
		"and SQLite":                                   {"collab/lease/a.go", head + `import _ "modernc.org/sqlite/lib"`, "through platform"},
		"it may speak of the system's errors":          {"collab/lease/a.go", head + "import \"os\"\nvar _ = os.ErrNotExist", ""},
		"its tests may use the system":                 {"collab/lease/a_test.go", head + "import \"os\"\nvar _ = os.Remove", ""},
		"platform may use the system":                  {"platform/a.go", head + `import _ "golang.org/x/sys/unix"`, ""},
		"an unlisted dependency is found":              {"effect/a.go", head + `import _ "github.com/pkg/errors"`, "not a dependency"},
		"a test dependency is for tests":               {"effect/a.go", head + `import _ "pgregory.net/rapid"`, "not a dependency"},
		"where it is allowed":                          {"effect/a_test.go", head + `import _ "pgregory.net/rapid"`, ""},
		"a nested module has its own dependencies":     {"collab/lease/fencepg/a.go", head + `import _ "example.com/driver"`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fixture := files{c.file: c.text, "collab/lease/fencepg/go.mod": "module x"}
			findings, err := Floors(fixture.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
