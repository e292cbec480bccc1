package repocheck

import "testing"

func TestEveryPackageHasADocFile(t *testing.T) {
	findings, err := PackageDocs(repository)
	expectNone(t, findings, err)
}

func TestEveryExportedNameHasAComment(t *testing.T) {
	findings, err := ExportedDocs(repository)
	expectNone(t, findings, err)
}

func TestPackageDocsFindsAPackageWithoutAStory(t *testing.T) {
	cases := map[string]struct {
		fixture files
		want    string
	}{
		"a doc.go with a comment":        {files{"p/doc.go": "// Package p is.\npackage p", "p/a.go": "package p"}, ""},
		"a doc.go without one":           {files{"p/doc.go": "package p"}, "no doc.go"},
		"a comment somewhere else":       {files{"p/a.go": "// Package p is.\npackage p"}, "no doc.go"},
		"a program's own file will do":   {files{"p/main.go": "// Command p does.\npackage main"}, ""},
		"a program without a word":       {files{"p/main.go": "package main"}, "no doc.go"},
		"tests alone are no package":     {files{"p/a_test.go": "package p"}, ""},
		"a comment in a test is no help": {files{"p/a.go": "package p", "p/doc_test.go": "// Package p is.\npackage p"}, "no doc.go"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := PackageDocs(c.fixture.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}

func TestExportedDocsFindsANameWithoutAComment(t *testing.T) {
	cases := map[string]struct{ text, want string }{
		"a documented function":             {"// F does.\nfunc F() {}", ""},
		"a bare function":                   {"func F() {}", "func F"},
		"an unexported one":                 {"func f() {}", ""},
		"a bare method":                     {"// T is.\ntype T[A any] struct{}\nfunc (t *T[A]) M() {}", "func M"},
		"a method of an unexported type":    {"type t struct{}\nfunc (t) M() {}", ""},
		"a bare type":                       {"type T int", "type T"},
		"a type in a block with one":        {"// These are.\ntype (\nT int\n)", "type T"},
		"a bare field":                      {"// T is.\ntype T struct { A int }", "field A"},
		"a field that its type names":       {"// T has A.\ntype T struct { A int }", ""},
		"not as a part of a word":           {"// T has Apples.\ntype T struct { A int }", "field A"},
		"a field with a comment above":      {"// T is.\ntype T struct {\n// A is.\nA int\n}", ""},
		"a field with a comment beside":     {"// T is.\ntype T struct {\nA int // is\n}", ""},
		"fields that share a comment":       {"// T is.\ntype T struct {\n// Both are.\nA int\nB int\n}", ""},
		"a field after a gap shares none":   {"// T is.\ntype T struct {\n// A is.\nA int\n\nB int\n}", "field B"},
		"a comment beside is not shared":    {"// T is.\ntype T struct {\nA int // is\nB int\n}", "field B"},
		"an embedded field needs none":      {"// T is.\ntype T struct {\nerror\n}", ""},
		"an unexported field needs none":    {"// T is.\ntype T struct {\na int\n}", ""},
		"a bare method of an interface":     {"// T is.\ntype T interface { M() }", "method M"},
		"a bare constant":                   {"const C = 1", "const C"},
		"a constant in an introduced block": {"// These are.\nconst (\nC = 1\n\nD = 2\n)", ""},
		"a constant in a bare block":        {"const (\n// C is.\nC = 1\n\nD = 2\n)", "const D"},
		"a bare variable":                   {"var V int", "var V"},
		"a documented variable":             {"// V is.\nvar V int", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := ExportedDocs(files{"p/p.go": "package p\n\n" + c.text}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
	findings, err := ExportedDocs(files{
		"p/p_test.go":       "package p\nfunc F() {}",
		"p/internal/q/q.go": "package q\nfunc F() {}",
		"cmd/main.go":       "package main\nfunc F() {}",
	}.fs())
	expectNone(t, findings, err)
}
