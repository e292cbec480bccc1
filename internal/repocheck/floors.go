package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rooms are the packages of the house, each with what it may import of ours.
// docs/architecture.md shows them as floors.
var rooms = map[string][]string{
	"errors":             {},
	"scope":              {"errors"},
	"platform":           {"errors"},
	"effect":             {"scope", "errors"},
	"collab/processlock": {"platform", "effect", "scope", "errors"},
	"collab/lease":       {"collab/processlock", "platform", "effect", "scope", "errors"},
	"collab/lanes":       {"effect", "scope", "errors"},

	"collab/lanes/leased": {"collab/lanes", "collab/lease", "platform", "effect", "scope", "errors"},
}

// cellar is where packages lie that every room may import and that import no
// room: what two rooms must share without showing it to users.
const cellar = "internal"

// annexes extend a room: each may import what the room may, and the room. What
// tests need is an annex that only tests and other annexes import.
var annexes = map[string]annex{
	"effect/effecttest":      {room: "effect", forTests: true},
	"platform/platformtest":  {room: "platform", forTests: true},
	"collab/lease/leasetest": {room: "collab/lease", forTests: true},
	"collab/lease/fencepg":   {room: "collab/lease"},
	"effect/cron":            {room: "effect"},
	"effect/fiberhttp":       {room: "effect"},
	"effect/otel":            {room: "effect"},
}

type annex struct {
	room     string
	forTests bool
}

// outside packages are no part of the house: programs that may import every
// public package, and the checks, the laws of the core, the benchmarks and the
// code of the guides, which answer for themselves.
var outside = []string{"examples/", "internal/repocheck/", "internal/laws/", "internal/bench/", "internal/guides/"}

// doors are what only platform may open: everything else of collab reaches the
// machine through its ports, so that a test can put a fake in their place. What
// the pattern names is vocabulary, with which nothing can be reached.
var doors = map[string]*regexp.Regexp{
	"os":                 regexp.MustCompile(`^(Err\w+|PathError|LinkError|SyscallError|FileMode|FileInfo|Mode\w+|PathSeparator|IsPathSeparator)$`),
	"os/exec":            nil,
	"syscall":            regexp.MustCompile(`^(Errno|E[A-Z0-9]+)$`),
	"golang.org/x/sys":   nil,
	"modernc.org/sqlite": nil,
}

// dependencies are the modules that the library may need. Others belong in a
// nested module, so that those who do not use them need not download them.
var (
	dependencies     = []string{"github.com/samber/mo", "github.com/samber/lo", "modernc.org/sqlite", "golang.org/x/sys"}
	testDependencies = []string{"pgregory.net/rapid", "golang.org/x/sync"}
)

// Floors finds the imports that point up the floors or past a port, packages
// that have no place in the table, and dependencies that users would not need.
func Floors(fsys fs.FS) ([]Finding, error) {
	set := token.NewFileSet()
	files, err := sources(fsys, set)
	if err != nil {
		return nil, err
	}
	nested := nestedModules(fsys)
	var findings []Finding
	for _, file := range files {
		for _, spec := range file.ast.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			problem := checkImport(file, target, inAny(file.dir, nested))
			if problem != "" {
				findings = append(findings, Finding{at(set, spec.Pos()), problem})
			}
		}
	}
	return findings, nil
}

func checkImport(file source, target string, nested bool) string {
	if target == Module || strings.HasPrefix(target, Module+"/") {
		return checkOwn(file, strings.TrimPrefix(strings.TrimPrefix(target, Module), "/"))
	}
	if strings.HasPrefix(file.dir, "collab/") && !file.test && !nested && !forTests(file.dir) && opensDoor(file, target) {
		return fmt.Sprintf("%s uses %s: reach it through platform", file.dir, target)
	}
	first, _, _ := strings.Cut(target, "/")
	external := strings.Contains(first, ".")
	if !external || nested || inAny(target, dependencies) {
		return ""
	}
	if (file.test || forTests(file.dir)) && inAny(target, testDependencies) {
		return ""
	}
	return fmt.Sprintf("%s imports %s, which is not a dependency of the library: use a nested module", file.dir, target)
}

// opensDoor tells whether a file uses more of a package than its vocabulary.
func opensDoor(file source, target string) bool {
	for door, vocabulary := range doors {
		if !inAny(target, []string{door}) {
			continue
		}
		if vocabulary == nil {
			return true
		}
		opened := false
		ast.Inspect(file.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				x, ok := s.X.(*ast.Ident)
				opened = opened || ok && x.Name == path.Base(target) && !vocabulary.MatchString(s.Sel.Name)
			}
			return true
		})
		return opened
	}
	return false
}

// checkOwn judges an import of our own package target.
func checkOwn(file source, target string) string {
	if slices.ContainsFunc(outside, func(p string) bool { return strings.HasPrefix(file.dir+"/", p) }) {
		return ""
	}
	from, known := roomOf(file.dir)
	if !known {
		return fmt.Sprintf("%s has no floor: give it a place in the table of rooms", file.dir)
	}
	to, known := roomOf(target)
	switch {
	case !known:
		return fmt.Sprintf("%s imports %s, which has no floor", file.dir, target)
	case to != from && to != cellar && !slices.Contains(rooms[from], to):
		return fmt.Sprintf("%s imports %s, which is not on a floor below it", file.dir, target)
	case forTests(target) && !file.test && !forTests(file.dir):
		return fmt.Sprintf("%s imports %s, which is for tests", file.dir, target)
	}
	return ""
}

// roomOf is the room that a package is, extends, or is an internal part of.
func roomOf(dir string) (string, bool) {
	if a, ok := annexes[dir]; ok {
		return a.room, true
	}
	if strings.HasPrefix(dir, cellar+"/") {
		return cellar, true
	}
	room, _, _ := strings.Cut(dir, "/internal/")
	_, ok := rooms[room]
	return room, ok
}

func forTests(dir string) bool { return annexes[dir].forTests }

// nestedModules are the folders below the root with a go.mod of their own.
func nestedModules(fsys fs.FS) []string {
	var found []string
	_ = walk(fsys, func(name string) error {
		if dir, ok := strings.CutSuffix(name, "/go.mod"); ok {
			found = append(found, dir)
		}
		return nil
	})
	return found
}

// inAny tells whether a path is one of these, or below one.
func inAny(name string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return name == root || strings.HasPrefix(name, root+"/")
	})
}
