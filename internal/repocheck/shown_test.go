package repocheck

import (
	"maps"
	"testing"
)

func TestEveryExportedFunctionAndTypeHasAnExampleOrAReason(t *testing.T) {
	findings, err := Shown(repository)
	expectNone(t, findings, err)
}

// shownFixture is a package with ten names that are shown, and what a test adds
// to it.
func shownFixture(more files) files {
	fixture := files{
		withoutExample: "",
		"errors/shown.go": `package errors

func A() {}
func B() {}
func C() {}
func D() {}
func E() {}
func F() {}
func G() {}
func H() {}
func I() {}
func J() {}
`,
		"errors/shown_test.go": `package errors_test

import "github.com/rivus/agentkit/errors"

func Example() {
	errors.A(); errors.B(); errors.C(); errors.D(); errors.E(); errors.F(); errors.G(); errors.H(); errors.I(); errors.J()
	// Output:
}
`,
	}
	maps.Copy(fixture, more)
	return fixture
}

func TestShownFindsANameWithoutAnExample(t *testing.T) {
	const imports = "package errors_test\n\nimport \"github.com/rivus/agentkit/errors\"\n\n"
	cases := map[string]struct{ declaration, test, want string }{
		"a function without":     {"func New() {}", "", "errors.New has no example"},
		"a type without":         {"type Cause struct{}", "", "errors.Cause has no example"},
		"an unexported name":     {"type cause struct{}", "", ""},
		"a method needs none":    {"func (x T) M() {}\ntype T int", "func ExampleT() {\n\t// Output:\n}", ""},
		"an example of its name": {"func New() {}", "func ExampleNew() {\n\t// Output:\n}", ""},
		"one with a suffix":      {"func New() {}", "func ExampleNew_twice() {\n\t// Output:\n}", ""},
		"one of a method":        {"type Cause struct{}", "func ExampleCause_Error() {\n\t// Output:\n}", ""},
		"one that prints":        {"func New() {}", "func ExampleNew() {\n\tprintln()\n\t// Output: x\n}", ""},
		"one that does not run":  {"func New() {}", "func ExampleNew() {\n\terrors.New()\n}", "errors.New has no example"},
		"a call in another":      {"func New() {}", "func ExampleA() {\n\terrors.New()\n\t// Output:\n}", ""},
		"a mention in another":   {"type Cause struct{}", "func ExampleA() {\n\tvar x *errors.Cause\n\t// Output:\n}", ""},
		"a mention in a test":    {"func New() {}", "func TestA() {\n\terrors.New()\n\t// Output:\n}", "errors.New has no example"},
		"a mention in a helper":  {"func New() {}", "func help() { errors.New() }", "errors.New has no example"},
		"a method of that name":  {"func New() {}", "func ExampleA() {\n\tvar x t\n\tx.New()\n\t// Output:\n}", "errors.New has no example"},
		"of a variable that shadows": {"func New() {}", "func ExampleA() {\n\terrors := 1\n\terrors.New()\n\t// Output:\n}",
			"errors.New has no example"},
		"a constructor shows a type": {"type Cause int\nfunc NewCause() Cause { return 0 }", "func ExampleNewCause() {\n\t// Output:\n}", ""},
		"but no type its constructor": {"type Cause int\nfunc NewCause() Cause { return 0 }", "func ExampleCause() {\n\t// Output:\n}",
			"errors.NewCause has no example"},
		"a constant shows its type": {"type Kind int\nconst Big Kind = 1", "func ExampleA() {\n\tvar x = errors.Big\n\t// Output:\n}", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Shown(shownFixture(files{
				"errors/a.go":      "package errors\n\n" + c.declaration,
				"errors/a_test.go": imports + c.test,
			}).fs())
			expectFinding(t, findings, err, c.want)
		})
	}
	for name, c := range map[string]struct{ imports, want string }{
		"the package under another name": {`import own "github.com/rivus/agentkit/errors"`, ""},
		"another package of that name":   {"import \"errors\"\n\nvar own = 1", "errors.New has no example"},
		"a package that is not its own":  {`import own "github.com/rivus/agentkit/scope"`, "errors.New has no example"},
	} {
		t.Run(name, func(t *testing.T) {
			findings, err := Shown(shownFixture(files{
				"errors/a.go":      "package errors\n\nfunc New() {}",
				"errors/a_test.go": "package errors_test\n\n" + c.imports + "\n\nfunc ExampleA() {\n\town.New()\n\t// Output:\n}",
			}).fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}

func TestShownLooksIntoNestedModules(t *testing.T) {
	findings, err := Shown(shownFixture(files{
		"effect/cron/go.mod":  "module github.com/rivus/agentkit/effect/cron",
		"effect/cron/cron.go": "package cron\n\nfunc Parse() {}",
	}).fs())
	expectFinding(t, findings, err, "cron.Parse has no example")
}

func TestShownChecksTheListOfExceptions(t *testing.T) {
	cases := map[string]struct{ declaration, list, want string }{
		"a reason is an excuse":            {"func New() {}", "errors.New: it ends the process\n", ""},
		"none is no excuse":                {"func New() {}", "errors.New\n", "gives no reason"},
		"nor is an empty one":              {"func New() {}", "errors.New: \n", "gives no reason"},
		"a name that is shown":             {"", "errors.A: it ends the process\n", "errors.A has an example"},
		"a name that does not exist":       {"", "errors.Nobody: it ends the process\n", "there is no errors.Nobody"},
		"a name of a package that is gone": {"", "gone.New: it ends the process\n", "there is no gone.New"},
		"a name twice":                     {"func New() {}", "errors.New: a\nerrors.New: b\n", "listed twice"},
		"more than a tenth": {"func New() {}\nfunc Old() {}", "errors.New: a\nerrors.Old: b\n",
			"excuses 2 of 12 names"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Shown(shownFixture(files{
				withoutExample: c.list,
				"errors/a.go":  "package errors\n\n" + c.declaration,
			}).fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
