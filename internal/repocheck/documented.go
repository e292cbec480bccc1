package repocheck

import (
	"go/ast"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"unicode"
)

// PackageDocs finds the packages without a doc.go that tells their story. A
// program may tell it in any of its files.
func PackageDocs(fsys fs.FS) ([]Finding, error) {
	files, err := sources(fsys, token.NewFileSet())
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, file := range files {
		if file.test {
			continue
		}
		if !told[file.dir] {
			told[file.dir] = false
		}
		where := strings.TrimPrefix(file.path, file.dir+"/")
		if file.ast.Doc != nil && (where == "doc.go" || file.ast.Name.Name == "main") {
			told[file.dir] = true
		}
	}
	var findings []Finding
	for dir, ok := range told {
		if !ok {
			findings = append(findings, Finding{dir, "has no doc.go with a package comment"})
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.Where, b.Where) })
	return findings, nil
}

// ExportedDocs finds exported names without a comment: functions, methods of
// exported types, types, constants, variables, fields and interface methods.
// Members of one block may share the comment above the first, as long as nothing
// stands between them, and a field's name in the comment of its type will do.
func ExportedDocs(fsys fs.FS) ([]Finding, error) {
	set := token.NewFileSet()
	files, err := sources(fsys, set)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, file := range files {
		if file.test || file.ast.Name.Name == "main" || strings.Contains("/"+file.dir+"/", "/internal/") {
			continue
		}
		v := documentation{set: set}
		for _, declaration := range file.ast.Decls {
			v.declaration(declaration)
		}
		findings = append(findings, v.findings...)
	}
	return findings, nil
}

type documentation struct {
	set      *token.FileSet
	findings []Finding
}

func (v *documentation) missing(name *ast.Ident, what string) {
	v.findings = append(v.findings, Finding{at(v.set, name.Pos()), what + " " + name.Name + " has no comment"})
}

func (v *documentation) declaration(declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d))) {
			v.missing(d.Name, "func")
		}
	case *ast.GenDecl:
		if d.Tok == token.TYPE {
			for _, spec := range d.Specs {
				v.typeSpec(d, spec.(*ast.TypeSpec))
			}
		} else if d.Tok != token.IMPORT {
			v.values(d)
		}
	}
}

func (v *documentation) typeSpec(d *ast.GenDecl, spec *ast.TypeSpec) {
	if !spec.Name.IsExported() {
		return
	}
	if spec.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
		v.missing(spec.Name, "type")
	}
	about := strings.FieldsFunc(spec.Doc.Text()+" "+d.Doc.Text(), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	switch t := spec.Type.(type) {
	case *ast.StructType:
		v.members(t.Fields, about, "field")
	case *ast.InterfaceType:
		v.members(t.Methods, about, "method")
	}
}

// members checks a struct's fields or an interface's methods; about are the
// words of their type's comment. An embedded one has its comment elsewhere.
func (v *documentation) members(list *ast.FieldList, about []string, what string) {
	run := block{set: v.set}
	for _, field := range list.List {
		if run.covers(field, field.Doc, field.Comment) {
			continue
		}
		for _, name := range field.Names {
			if name.IsExported() && !slices.Contains(about, name.Name) {
				v.missing(name, what)
			}
		}
	}
}

func (v *documentation) values(d *ast.GenDecl) {
	if d.Doc != nil {
		return // of the one value, or of the block as a whole
	}
	run := block{set: v.set}
	for _, spec := range d.Specs {
		value := spec.(*ast.ValueSpec)
		if run.covers(value, value.Doc, value.Comment) {
			continue
		}
		for _, name := range value.Names {
			if name.IsExported() {
				v.missing(name, d.Tok.String())
			}
		}
	}
}

// A block is a run of lines that one comment covers.
type block struct {
	set     *token.FileSet
	covered bool
	ended   int // the last line of the previous member
}

// covers tells whether a member has a comment or shares the one above.
func (b *block) covers(member ast.Node, doc, comment *ast.CommentGroup) bool {
	begins := b.set.Position(member.Pos()).Line
	adjacent := b.ended > 0 && begins == b.ended+1
	b.covered = doc != nil || adjacent && b.covered
	b.ended = b.set.Position(member.End()).Line
	return b.covered || comment != nil
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
