package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

const effectPath = Module + "/effect"

// bridges run an effect on behalf of the one around them: they continue its
// fiber or start a child of a scope, and open no root.
var bridges = []string{"Await", "StartIn"}

// Runners lists the functions and methods of package effect that run one: they
// take an effect and a context, or are called Run or Main something, and what
// they return is no effect. A method is listed as Type.Method.
func Runners(effect *types.Package) []string {
	var found []string
	consider := func(name string, f *types.Func) {
		if f.Exported() && !slices.Contains(bridges, name) && runs(f) {
			found = append(found, name)
		}
	}
	for _, name := range effect.Scope().Names() {
		switch object := effect.Scope().Lookup(name).(type) {
		case *types.Func:
			consider(name, object)
		case *types.TypeName:
			named, ok := object.Type().(*types.Named)
			if !ok || !object.Exported() {
				continue
			}
			for method := range named.Methods() {
				consider(name+"."+method.Name(), method)
			}
		}
	}
	return found
}

func runs(f *types.Func) bool {
	signature := f.Signature()
	takesEffect := signature.Recv() != nil && isNamed(signature.Recv().Type(), effectPath, "Effect")
	takesContext := false
	for parameter := range signature.Params().Variables() {
		kind := parameter.Type()
		if slice, ok := kind.(*types.Slice); ok {
			kind = slice.Elem()
		}
		takesEffect = takesEffect || isNamed(kind, effectPath, "Effect")
		takesContext = takesContext || isNamed(kind, "context", "Context")
	}
	for result := range signature.Results().Variables() {
		if isNamed(result.Type(), effectPath, "Effect") {
			return false
		}
	}
	called := strings.HasPrefix(f.Name(), "Run") || strings.HasPrefix(f.Name(), "Main")
	return takesEffect && (takesContext || called)
}

// isNamed tells whether a type, or what it points to, is path.name.
func isNamed(t types.Type, path, name string) bool {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// Runs finds where a package runs an effect: every mention of a runner, called
// or not. It knows them by their type, so a Run of something else is no finding.
func Runs(set *token.FileSet, info *types.Info) []Finding {
	var findings []Finding
	for id, object := range info.Uses {
		f, ok := object.(*types.Func)
		if !ok || f.Pkg() == nil || f.Pkg().Path() != effectPath {
			continue
		}
		if f = f.Origin(); f.Exported() && !slices.Contains(bridges, f.Name()) && runs(f) {
			findings = append(findings, Finding{
				at(set, id.Pos()),
				fmt.Sprintf("runs an effect (%s): return it, and let the application run it", f.Name()),
			})
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.Where, b.Where) })
	return findings
}

// check type-checks a package's files and notes what each name refers to.
func check(path string, set *token.FileSet, parsed []*ast.File, importer types.Importer) (*types.Package, *types.Info, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer, FakeImportC: true}
	checked, err := config.Check(path, set, parsed, info)
	return checked, info, err
}
