package repocheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A listed package is what the go command tells about one.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Export     string // the file with its compiled type information
	Module     *struct{ Main bool }
}

// list asks the go command for the main module's packages and all they import.
// It compiles what is not compiled yet.
func list(dir string) (map[string]listed, error) {
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Module", "./...")
	command.Dir = dir
	var stderr strings.Builder
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	packages := map[string]listed{}
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		packages[p.ImportPath] = p
	}
}

// imports reads packages from the compiler's own files.
func imports(set *token.FileSet, packages map[string]listed) types.Importer {
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		p, ok := packages[path]
		if !ok || p.Export == "" {
			return nil, fmt.Errorf("no type information for %s", path)
		}
		return os.Open(p.Export)
	})
}

// parse reads the files of a package that are built on this system.
func (p listed) parse(set *token.FileSet) ([]*ast.File, error) {
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	return parsed, nil
}

// mayRun tells whether a package of this module is an application, a test's
// helper, or package effect itself.
func mayRun(importPath string) bool {
	dir := strings.TrimPrefix(importPath, Module+"/")
	return dir == "effect" || forTests(dir) || strings.HasPrefix(dir, "examples/")
}
