package repocheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// Module is the path of the module whose rules these are.
const Module = "github.com/rivus/agentkit"

// A Finding is one place where a rule is broken.
type Finding struct {
	Where string // a file, with a line where that helps, or a package
	What  string // what is wrong, and what to do
}

// String is the finding on one line.
func (f Finding) String() string { return f.Where + ": " + f.What }

// A source is one parsed Go file.
type source struct {
	path string // slash-separated, from the root
	dir  string // its package's folder; "." is the root
	test bool   // named _test.go
	ast  *ast.File
}

// walk calls visit for each file below the root that is the repository's own:
// not in a hidden folder, and not the data of tests or of Node.
func walk(fsys fs.FS, visit func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return visit(name)
		}
		base := entry.Name()
		hidden := strings.HasPrefix(base, ".") && base != "." && base != ".ci"
		if hidden || base == "testdata" || base == "node_modules" {
			return fs.SkipDir
		}
		return nil
	})
}

// sources parses every Go file of the repository, whatever system it is for.
func sources(fsys fs.FS, set *token.FileSet) ([]source, error) {
	var found []source
	err := walk(fsys, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		found = append(found, source{
			path: name,
			dir:  path.Dir(name),
			test: strings.HasSuffix(name, "_test.go"),
			ast:  file,
		})
		return nil
	})
	return found, err
}

// at gives a position as file:line.
func at(set *token.FileSet, pos token.Pos) string {
	p := set.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}
