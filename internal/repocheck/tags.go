package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// A failure is a type of the library that is an error with a tag.
type failure struct {
	tag   string
	dir   string // of its package
	pkg   string // the package's name
	typ   string // the type's name
	where string // its method Tag
}

// name is the failure as Go code names it, such as "*lease.Held".
func (f failure) name(pointer bool) string {
	if pointer {
		return "*" + f.pkg + "." + f.typ
	}
	return f.pkg + "." + f.typ
}

// failures finds the tagged errors in the source of every package, those of
// nested modules too: types with the methods Tag and Error. A tag that is not
// written down as one string is a finding.
func failures(fsys fs.FS) ([]failure, []Finding, error) {
	set := token.NewFileSet()
	files, err := sources(fsys, set)
	if err != nil {
		return nil, nil, err
	}
	isError := map[string]bool{}
	var found []failure
	var findings []Finding
	for _, file := range files {
		if file.test || file.ast.Name.Name == "main" || strings.Contains("/"+file.dir+"/", "/internal/") {
			continue
		}
		for _, declaration := range file.ast.Decls {
			d, ok := declaration.(*ast.FuncDecl)
			if !ok || d.Recv == nil || !ast.IsExported(receiver(d)) {
				continue
			}
			f := failure{dir: file.dir, pkg: file.ast.Name.Name, typ: receiver(d), where: at(set, d.Pos())}
			switch d.Name.Name {
			case "Error":
				isError[f.dir+"."+f.typ] = true
			case "Tag":
				if f.tag, ok = returnedString(d); !ok {
					findings = append(findings, Finding{f.where, "a tag is one string: return it as it stands"})
					continue
				}
				found = append(found, f)
			}
		}
	}
	found = slices.DeleteFunc(found, func(f failure) bool { return !isError[f.dir+"."+f.typ] })
	slices.SortFunc(found, func(a, b failure) int { return strings.Compare(a.tag, b.tag) })
	return found, findings, nil
}

// returnedString is the string that a function returns, if that is all it does.
func returnedString(d *ast.FuncDecl) (string, bool) {
	if len(d.Body.List) != 1 {
		return "", false
	}
	r, ok := d.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return "", false
	}
	literal, ok := r.Results[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(literal.Value)
	return s, err == nil
}

// troubleshooting is the guide with an entry for each failure.
const troubleshooting = "docs/troubleshooting.md"

// Troubleshooting compares the tables of the guide with the failures of the
// library. A row has the tag, the type, what it means and what to do; it finds
// one that is missing, that no failure has, or that leaves a cell empty.
func Troubleshooting(fsys fs.FS) ([]Finding, error) {
	text, err := fs.ReadFile(fsys, troubleshooting)
	if err != nil {
		return nil, err
	}
	known, findings, err := failures(fsys)
	if err != nil {
		return nil, err
	}
	rows := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		where := fmt.Sprintf("%s:%d", troubleshooting, i+1)
		cells := strings.Split(strings.Trim(line, "| "), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		tag := strings.Trim(cells[0], "`")
		n := slices.IndexFunc(known, func(f failure) bool { return f.tag == tag })
		switch {
		case n < 0:
			findings = append(findings, Finding{where, "no failure has the tag " + tag})
			continue
		case rows[tag]:
			findings = append(findings, Finding{where, tag + " has two rows"})
		case len(cells) != 4 || slices.Contains(cells, ""):
			findings = append(findings, Finding{where, tag + " wants four cells: the tag, the type, what it means, what to do"})
		case cells[1] != "`"+known[n].name(true)+"`" && cells[1] != "`"+known[n].name(false)+"`":
			findings = append(findings, Finding{where, fmt.Sprintf("%s is the tag of %s, not of %s", tag, known[n].name(true), cells[1])})
		}
		rows[tag] = true
	}
	for _, f := range known {
		if !rows[f.tag] {
			findings = append(findings, Finding{troubleshooting, fmt.Sprintf("has no row for %s (%s)", f.tag, f.name(true))})
		}
	}
	return findings, nil
}
