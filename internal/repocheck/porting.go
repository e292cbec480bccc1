package repocheck

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

const (
	portingTables  = "docs/porting.md"
	portingExports = "docs/porting/exports.json"
)

// exports is what Effect exports: the version ported from, and the one before,
// whose names many people know better.
type exports struct {
	Modules map[string]struct{ Values, Types []string }
	Older   struct{ Modules map[string][]string }
}

// has tells whether the older version exports a name, "fork" of the module
// itself or "FiberRef.get" of another.
func (e exports) olderHas(module, name string) bool {
	if other, rest, ok := strings.Cut(name, "."); ok {
		module, name = other, rest
	}
	return slices.Contains(e.Older.Modules[module], name)
}

// A portingRow is one line of a table: names of Effect, and what they are here.
type portingRow struct {
	line       int
	names      []string
	here       string
	olderNames []string
}

// Porting compares the tables for people who port from Effect with what Effect
// exports and what this module does. It finds an export without a row, a row
// without an export, an answer that is missing, a Go name that does not exist,
// and an older name that never did.
func Porting(fsys fs.FS) ([]Finding, error) {
	text, err := fs.ReadFile(fsys, portingTables)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(fsys, portingExports)
	if err != nil {
		return nil, err
	}
	var known exports
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, fmt.Errorf("read %s: %w", portingExports, err)
	}
	names, err := goNames(fsys, core)
	if err != nil {
		return nil, err
	}
	tables := portingRows(string(text))
	var findings []Finding
	for module, rows := range tables {
		findings = append(findings, checkTable(module, rows, known, names)...)
	}
	for module, own := range known.Modules {
		given := map[string]bool{}
		for _, row := range tables[module] {
			for _, name := range row.names {
				given[name] = true
			}
		}
		for _, name := range slices.Concat(own.Values, own.Types) {
			if !given[name] {
				findings = append(findings, Finding{portingTables, fmt.Sprintf("has no row for %s.%s", module, name)})
			}
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	return findings, nil
}

func checkTable(module string, rows []portingRow, known exports, names map[string]bool) []Finding {
	var findings []Finding
	find := func(row portingRow, format string, arguments ...any) {
		findings = append(findings, Finding{fmt.Sprintf("%s:%d", portingTables, row.line), fmt.Sprintf(format, arguments...)})
	}
	own := known.Modules[module]
	seen := map[string]bool{}
	for _, row := range rows {
		for _, name := range row.names {
			if !slices.Contains(own.Values, name) && !slices.Contains(own.Types, name) {
				find(row, "Effect exports no %s.%s", module, name)
			}
			if seen[name] {
				find(row, "%s.%s has two rows", module, name)
			}
			seen[name] = true
		}
		if row.here == "" {
			find(row, "%s has no answer", strings.Join(row.names, ", "))
		}
		for _, name := range mentioned(row.here) {
			if !names[name] {
				find(row, "there is no %s", name)
			}
		}
		for _, name := range row.olderNames {
			if !known.olderHas(module, name) {
				find(row, "the older version had no %s", name)
			}
		}
	}
	return findings
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	// A name of ours in code: a package's member with or without a member of
	// its own, or a type of package effect with a member.
	ownName = regexp.MustCompile(`(?:^|[^\w.])((?:errors|scope|effect|effecttest)\.[A-Z]\w*(?:\.[A-Z]\w*)?|[A-Z]\w*\.[A-Z]\w*)`)
)

// portingRows reads the rows of every table, by the heading above it, which is
// the module's name.
func portingRows(text string) map[string][]portingRow {
	tables := map[string][]portingRow{}
	module := ""
	for i, line := range strings.Split(text, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			module = strings.TrimSpace(heading)
		}
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) < 5 {
			continue
		}
		tables[module] = append(tables[module], portingRow{
			line:       i + 1,
			names:      codeIn(cells[1]),
			here:       strings.TrimSpace(cells[2]),
			olderNames: codeIn(cells[3]),
		})
	}
	return tables
}

func codeIn(cell string) []string {
	var found []string
	for _, span := range codeSpan.FindAllString(cell, -1) {
		found = append(found, strings.Trim(span, "`"))
	}
	return found
}

// mentioned lists the names of ours that a cell's code uses, with their package.
func mentioned(cell string) []string {
	var found []string
	for _, code := range codeIn(cell) {
		for _, match := range ownName.FindAllStringSubmatch(code, -1) {
			name := match[1]
			if first := name[0]; first >= 'A' && first <= 'Z' {
				name = "effect." + name
			}
			found = append(found, name)
		}
	}
	return found
}

// core tells whether a package is what programs are ported to.
func core(dir string) bool {
	return !strings.HasPrefix(dir, "collab/") && !strings.HasPrefix(dir, "platform")
}

// goNames are the exported names of packages, as package.Name and
// package.Type.Member.
func goNames(fsys fs.FS, of func(dir string) bool) (map[string]bool, error) {
	names := map[string]bool{}
	for _, dir := range public(fsys) {
		if !of(dir) {
			continue
		}
		described, _, err := exported(fsys, dir)
		if err != nil {
			return nil, err
		}
		add := func(parts ...string) {
			names[described.Name+"."+strings.Join(parts, ".")] = true
		}
		functions := func(list []*doc.Func) {
			for _, f := range list {
				add(f.Name)
			}
		}
		values := func(list []*doc.Value) {
			for _, v := range list {
				for _, name := range v.Names {
					add(name)
				}
			}
		}
		functions(described.Funcs)
		values(described.Vars)
		values(described.Consts)
		for _, t := range described.Types {
			add(t.Name)
			functions(t.Funcs)
			values(t.Vars)
			values(t.Consts)
			for _, method := range t.Methods {
				add(t.Name, method.Name)
			}
			for _, member := range members(t.Decl) {
				add(t.Name, member)
			}
		}
		for _, t := range described.Types {
			for _, inner := range described.Types {
				if embeds(t.Decl, inner.Name) {
					for _, method := range inner.Methods {
						add(t.Name, method.Name)
					}
				}
			}
		}
	}
	return names, nil
}

// embeds tells whether a type has a field without a name of another type, whose
// methods it has then too.
func embeds(declaration *ast.GenDecl, name string) bool {
	found := false
	ast.Inspect(declaration, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || len(field.Names) > 0 {
			return true
		}
		ast.Inspect(field.Type, func(n ast.Node) bool {
			switch t := n.(type) {
			case *ast.IndexExpr: // what a generic type is made of is not embedded
				found = found || isIdent(t.X, name)
				return false
			case *ast.Ident:
				found = found || t.Name == name
			}
			return true
		})
		return false
	})
	return found
}

func isIdent(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// members are the fields and interface methods that a type declares.
func members(declaration *ast.GenDecl) []string {
	var found []string
	ast.Inspect(declaration, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			for _, name := range field.Names {
				if name.IsExported() {
					found = append(found, name.Name)
				}
			}
		}
		return true
	})
	return found
}
