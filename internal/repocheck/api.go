package repocheck

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// public lists the packages whose exported API is kept in api/: the rooms and
// the annexes of the main module that exist.
func public(fsys fs.FS) []string {
	nested := nestedModules(fsys)
	var found []string
	add := func(dir string) {
		if sources, _ := fs.Glob(fsys, dir+"/*.go"); len(sources) > 0 && !inAny(dir, nested) {
			found = append(found, dir)
		}
	}
	for dir := range rooms {
		add(dir)
	}
	for dir := range annexes {
		add(dir)
	}
	slices.Sort(found)
	return found
}

// exported reads what a package exports on Linux, the same on every machine.
func exported(fsys fs.FS, dir string) (*doc.Package, *token.FileSet, error) {
	system := build.Default
	system.GOOS, system.GOARCH, system.CgoEnabled = "linux", "amd64", false
	system.ReadDir = func(dir string) ([]fs.FileInfo, error) {
		entries, err := fs.ReadDir(fsys, dir)
		var infos []fs.FileInfo
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				return nil, err
			}
			infos = append(infos, info)
		}
		return infos, err
	}
	system.OpenFile = func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
	system.JoinPath = path.Join
	system.IsDir = func(name string) bool {
		info, err := fs.Stat(fsys, name)
		return err == nil && info.IsDir()
	}
	listing, err := system.ImportDir(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range listing.GoFiles {
		text, err := fs.ReadFile(fsys, path.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		file, err := parser.ParseFile(set, path.Join(dir, name), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		parsed = append(parsed, file)
	}
	described, err := doc.NewFromFiles(set, parsed, Module+"/"+dir)
	return described, set, err
}

// API writes down what a package exports, without comments: declarations in a
// fixed order, so that a change of one is one change of the text.
func API(fsys fs.FS, dir string) (string, error) {
	described, set, err := exported(fsys, dir)
	if err != nil {
		return "", err
	}
	p := apiPrinter{set: set}
	fmt.Fprintf(&p.text, "package %s // %s/%s\n", described.Name, Module, dir)
	p.values(described.Consts)
	p.values(described.Vars)
	p.functions(described.Funcs)
	for _, t := range described.Types {
		p.declaration(t.Decl)
		p.values(t.Consts)
		p.values(t.Vars)
		p.functions(t.Funcs)
		p.functions(t.Methods)
	}
	return p.text.String(), p.err
}

type apiPrinter struct {
	set  *token.FileSet
	text bytes.Buffer
	err  error
}

func (p *apiPrinter) declaration(d ast.Node) {
	p.text.WriteString("\n")
	var text bytes.Buffer
	if err := format.Node(&text, p.set, d); err != nil && p.err == nil {
		p.err = err
	}
	// Unexported members leave blank lines behind where they stood.
	for line := range strings.Lines(text.String()) {
		if strings.TrimSpace(line) != "" {
			p.text.WriteString(line)
		}
	}
	p.text.WriteString("\n")
}

func (p *apiPrinter) values(list []*doc.Value) {
	for _, v := range list {
		p.declaration(v.Decl)
	}
}

func (p *apiPrinter) functions(list []*doc.Func) {
	for _, f := range list {
		p.declaration(&ast.FuncDecl{Recv: f.Decl.Recv, Name: f.Decl.Name, Type: f.Decl.Type})
	}
}
