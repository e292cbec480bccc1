package repocheck

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

func TestNoPackageButApplicationsAndTestsRunsAnEffect(t *testing.T) {
	packages, err := list(root)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	imports := imports(set, packages)
	effect, err := imports.Import(effectPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Effect.Run", "RunExit"} {
		if !slices.Contains(Runners(effect), name) {
			t.Errorf("%s is not recognised as running an effect: %v are", name, Runners(effect))
		}
	}
	for path, p := range packages {
		if p.Module == nil || !p.Module.Main || mayRun(path) {
			continue
		}
		parsed, err := p.parse(set)
		if err != nil {
			t.Fatal(err)
		}
		_, info, err := check(path, set, parsed, imports)
		if err != nil {
			t.Fatal(err)
		}
		expectNone(t, Runs(set, info), nil)
	}
}

// effectFixture has one of everything that must be told apart.
const effectFixture = `package effect

import "context"

type Effect[A any] struct{}
type Exit[A any] struct{}
type Fiber[A any] struct{}
type Scope struct{}

func (e Effect[A]) Run(ctx context.Context) (a A, err error)                 { return }
func (e Effect[A]) Map[B any](f func(A) B) (b Effect[B])                     { return }
func (e Effect[A]) String() (s string)                                       { return }
func RunExit[A any](ctx context.Context, e Effect[A]) (x Exit[A])            { return }
func RunAll[A any](es ...Effect[A])                                          {}
func Main[A any](e Effect[A])                                                {}
func Start[A any](ctx context.Context, e Effect[A]) (f *Fiber[A])            { return }
func Await[A any](ctx context.Context, e Effect[A]) (a A, err error)         { return }
func StartIn[A any](ctx context.Context, s *Scope, e Effect[A]) (f *Fiber[A]) { return }
func Provide[A any](ctx context.Context, e Effect[A]) (f Effect[A])          { return }
`

func TestRunnersAreRecognisedByTheirSignature(t *testing.T) {
	got := Runners(fixtureEffect(t))
	want := []string{"Effect.Run", "Main", "RunAll", "RunExit", "Start"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRunsFindsEveryWayToRunAnEffect(t *testing.T) {
	cases := map[string]struct{ body, want string }{
		"a method call":            {`e.Run(ctx)`, "(Run)"},
		"of a method's result":     {`e.Map(func(int) string { return "" }).Run(ctx)`, "(Run)"},
		"a method expression":      {`effect.Effect[int].Run(e, ctx)`, "(Run)"},
		"a method value":           {`f := e.Run; f(ctx)`, "(Run)"},
		"through an embedded one":  {`struct{ effect.Effect[int] }{}.Run(ctx)`, "(Run)"},
		"a function":               {`effect.RunExit(ctx, e)`, "(RunExit)"},
		"a function as a value":    {`f := effect.RunExit[int]; f(ctx, e)`, "(RunExit)"},
		"the bridge is none":       {`effect.Await(ctx, e)`, ""},
		"a composition is none":    {`_ = e.Map(func(int) string { return "" })`, ""},
		"a Run of something else":  {`other{}.Run(ctx)`, ""},
		"a mention in a string":    {`_ = "e.Run(ctx)"`, ""},
		"an unrelated test's name": {`t := e; _ = t`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			text := "package p\nimport (\n\"context\"\n\"" + effectPath + "\"\n)\n" +
				"type other struct{}\nfunc (other) Run(context.Context) {}\n" +
				"func f(ctx context.Context, e effect.Effect[int]) {\n" + c.body + "\n}\n"
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "p.go", text, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, info, err := check("p", set, []*ast.File{file}, fixtureImporter{fixtureEffect(t)})
			if err != nil {
				t.Fatal(err)
			}
			expectFinding(t, Runs(set, info), nil, c.want)
		})
	}
}

func TestApplicationsAndTestHelpersMayRunEffects(t *testing.T) {
	for path, want := range map[string]bool{
		"examples/quickstart":    true,
		"effect":                 true,
		"effect/effecttest":      true,
		"collab/lease":           false,
		"platform":               false,
		"internal/repocheck":     false,
		"collab/lease/fencepg":   false,
		"collab/lease/leasetest": true,
	} {
		if got := mayRun(Module + "/" + path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

func fixtureEffect(t *testing.T) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "effect.go", effectFixture, 0)
	if err != nil {
		t.Fatal(err)
	}
	checked, _, err := check(effectPath, set, []*ast.File{file}, importer.Default())
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// fixtureImporter finds the fixture's effect package and the standard library.
type fixtureImporter struct{ effect *types.Package }

func (f fixtureImporter) Import(path string) (*types.Package, error) {
	if path == effectPath {
		return f.effect, nil
	}
	for _, known := range f.effect.Imports() {
		if known.Path() == path { // the same context.Context as the fixture's
			return known, nil
		}
	}
	return importer.Default().Import(strings.TrimSpace(path))
}
