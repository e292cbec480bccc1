package repocheck

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// withoutExample lists what has no example, a line each: "package.Name: reason".
const withoutExample = "internal/repocheck/testdata/no-example.txt"

// Shown finds the exported functions and types without an example that runs,
// in the nested modules too. An example runs when it says what it prints.
//
// One example shows what it is named for and every name of its package that it
// mentions: related names are better shown together. A type is shown by its
// constructors and its constants too, for the documentation lists them below it.
//
// The list of exceptions is checked as well: each has a reason, exists, and has
// no example after all, and together they are no more than a tenth of the names.
func Shown(fsys fs.FS) ([]Finding, error) {
	list, err := fs.ReadFile(fsys, withoutExample)
	if err != nil {
		return nil, err
	}
	excused, findings := readExcuses(string(list))
	excuses, total := len(excused), 0
	for _, dir := range documented(fsys) {
		described, _, err := exported(fsys, dir)
		if err != nil {
			return nil, err
		}
		shown, err := shownIn(fsys, dir)
		if err != nil {
			return nil, err
		}
		for name, members := range toShow(described) {
			total++
			full := described.Name + "." + name
			has := shown[name] || slices.ContainsFunc(members, func(member string) bool { return shown[member] })
			line, excuse := excused[full]
			delete(excused, full)
			switch {
			case !has && !excuse:
				findings = append(findings, Finding{dir, fmt.Sprintf("%s has no example: mention it in one, or say why in %s", full, withoutExample)})
			case has && excuse:
				findings = append(findings, Finding{line, full + " has an example: remove the line"})
			}
		}
	}
	for name, line := range excused {
		findings = append(findings, Finding{line, "there is no " + name})
	}
	if 10*excuses > total {
		findings = append(findings, Finding{withoutExample, fmt.Sprintf("excuses %d of %d names, more than a tenth", excuses, total)})
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	return findings, nil
}

// documented lists the public packages, those that are modules of their own too.
func documented(fsys fs.FS) []string {
	var dirs []string
	for dir := range maps.Keys(rooms) {
		dirs = append(dirs, dir)
	}
	for dir := range maps.Keys(annexes) {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return slices.DeleteFunc(dirs, func(dir string) bool {
		found, _ := fs.Glob(fsys, dir+"/*.go")
		return len(found) == 0
	})
}

// readExcuses reads the list: where each name stands, and the lines that are wrong.
func readExcuses(list string) (excused map[string]string, findings []Finding) {
	excused = map[string]string{}
	for i, line := range strings.Split(strings.TrimSuffix(list, "\n"), "\n") {
		if line == "" && list == "" {
			break
		}
		where := fmt.Sprintf("%s:%d", withoutExample, i+1)
		name, reason, _ := strings.Cut(line, ": ")
		if strings.TrimSpace(reason) == "" {
			findings = append(findings, Finding{where, fmt.Sprintf("%q gives no reason: write package.Name: reason", line)})
		}
		if _, twice := excused[name]; twice {
			findings = append(findings, Finding{where, name + " is listed twice"})
		}
		excused[name] = where
	}
	return excused, findings
}

// toShow are the names that need an example, each with the names that the
// documentation lists below it.
func toShow(described *doc.Package) map[string][]string {
	units := map[string][]string{}
	functions := func(list []*doc.Func) (names []string) {
		for _, f := range list {
			units[f.Name] = nil
			names = append(names, f.Name)
		}
		return names
	}
	functions(described.Funcs)
	for _, t := range described.Types {
		members := functions(t.Funcs)
		for _, value := range slices.Concat(t.Consts, t.Vars) {
			members = append(members, value.Names...)
		}
		units[t.Name] = members
	}
	return units
}

// shownIn lists the names of a package that the examples beside it show.
func shownIn(fsys fs.FS, dir string) (map[string]bool, error) {
	names, err := fs.Glob(fsys, dir+"/*_test.go")
	if err != nil {
		return nil, err
	}
	shown := map[string]bool{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		// Objects are resolved, so that a variable that is named as the package is no mention of it.
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		own := importedAs(file, Module+"/"+dir)
		for _, example := range doc.Examples(file) {
			if example.Output == "" && !example.EmptyOutput {
				continue // it is compiled, and does not run
			}
			subject, _, _ := strings.Cut(example.Name, "_")
			shown[subject] = true
			ast.Inspect(example.Code, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == own && x.Obj == nil {
						shown[s.Sel.Name] = true
					}
				}
				return true
			})
		}
	}
	return shown, nil
}

// importedAs is the name by which a file knows a package; empty when it does not.
func importedAs(file *ast.File, target string) string {
	for _, spec := range file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err != nil || name != target {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(target)
	}
	return ""
}
