package repocheck

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the exported API of each package into api/")

// golden is the file that keeps a package's API.
func golden(dir string) string {
	return filepath.Join(root, "api", strings.ReplaceAll(dir, "/", "_")+".txt")
}

func TestTheExportedAPIIsTheOneInTheGoldenFile(t *testing.T) {
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden("any")), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range public(repository) {
		t.Run(dir, func(t *testing.T) {
			got, err := API(repository, dir)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(golden(dir), []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden(dir))
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s\naccept it with: go test ./internal/repocheck -run API -update", difference(string(want), got))
			}
		})
	}
}

func TestEveryGoldenFileBelongsToAPackage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "api", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, dir := range public(repository) {
		known[golden(dir)] = true
	}
	for _, file := range files {
		if !known[file] {
			t.Errorf("%s belongs to no public package: remove it", file)
		}
	}
}

func TestAPIShowsWhatIsExportedAndNothingElse(t *testing.T) {
	got, err := API(files{
		"errors/a.go": `package errors

// C is a constant.
const C = 1

var hidden int

// T has one field to see.
type T[A any] struct {
	// Seen is.
	Seen A

	hidden int
}

// New makes one.
func New[A any](a A) *T[A] { return &T[A]{Seen: a} }

// Map is generic.
func (t *T[A]) Map[B any](f func(A) B) *T[B] { return nil }

func (t *T[A]) quiet() {}
`,
		"errors/a_windows.go": "package errors\n\nfunc OnlyThere() {}\n",
		"errors/a_test.go":    "package errors\n\nfunc OnlyTested() {}\n",
	}.fs(), "errors")
	if err != nil {
		t.Fatal(err)
	}
	const want = `package errors // github.com/rivus/agentkit/errors

const C = 1

type T[A any] struct {
	Seen A
	// contains filtered or unexported fields
}

func New[A any](a A) *T[A]

func (t *T[A]) Map[B any](f func(A) B) *T[B]
`
	if got != want {
		t.Errorf("%s", difference(want, got))
	}
}

// difference shows the lines that only one of two texts has.
func difference(want, got string) string {
	var report strings.Builder
	show := func(mark, text, other string) {
		lines := map[string]bool{}
		for line := range strings.Lines(other) {
			lines[line] = true
		}
		for line := range strings.Lines(text) {
			if !lines[line] {
				report.WriteString(mark + line)
			}
		}
	}
	show("- ", want, got)
	show("+ ", got, want)
	if report.Len() == 0 {
		return "the order has changed"
	}
	return strings.TrimSuffix(report.String(), "\n")
}
