package repocheck

import "testing"

func TestPortingFindsWhatTheTablesGetWrong(t *testing.T) {
	const data = `{
		"modules": {"Effect": {"values": ["map", "forkChild"], "types": ["Effect"]}},
		"older": {"modules": {"Effect": ["fork"], "FiberRef": ["get"]}}
	}`
	const source = `package effect
type Effect[A any] struct{}
type Exit[A any] struct{ Value A }
type Named[A any] struct{ Effect[A]; of Exit[A] }
func (e Effect[A]) Map[B any](f func(A) B) (r Effect[B]) { return }
func Fork[A any](e Effect[A]) (r Effect[A]) { return }
`
	const (
		kind   = "| `Effect` | `effect.Effect` | |\n"
		mapped = "| `map` | `Effect.Map` | |\n"
		forked = "| `forkChild` | `effect.Fork` | `fork` |\n"
	)
	cases := map[string]struct{ table, want string }{
		"complete":                       {kind + mapped + forked, ""},
		"an idiom is an answer":          {kind + mapped + "| `forkChild` | a `go` statement | |\n", ""},
		"two names may share a row":      {kind + "| `map`, `forkChild` | none | |\n", ""},
		"a field is a name":              {kind + mapped + "| `forkChild` | `x.Value`, `Exit.Value` | |\n", ""},
		"a method of what is embedded":   {kind + mapped + "| `forkChild` | `Named.Map` | |\n", ""},
		"but not of what is not":         {kind + mapped + "| `forkChild` | `Named.Value` | |\n", "no effect.Named.Value"},
		"an older name elsewhere":        {kind + mapped + "| `forkChild` | none | `FiberRef.get` |\n", ""},
		"a name without a row":           {kind + forked, "no row for Effect.map"},
		"a type without a row":           {mapped + forked, "no row for Effect.Effect"},
		"a row too many":                 {kind + mapped + forked + "| `gone` | none | |\n", "exports no Effect.gone"},
		"a row twice":                    {kind + mapped + forked + mapped, "has two rows"},
		"a row without an answer":        {kind + mapped + "| `forkChild` | | |\n", "forkChild has no answer"},
		"a function that does not exist": {kind + mapped + "| `forkChild` | `effect.ForkChild` | |\n", "no effect.ForkChild"},
		"a method that does not exist":   {kind + "| `map` | `Effect.MapIt(f)` | |\n" + forked, "no effect.Effect.MapIt"},
		"in the middle of code":          {kind + "| `map` | `x := f(effect.Gone(1))` | |\n" + forked, "no effect.Gone"},
		"a type that does not exist":     {kind + "| `map` | `Efect.Map` | |\n" + forked, "no effect.Efect.Map"},
		"an older name that never was":   {kind + mapped + "| `forkChild` | `effect.Fork` | `spawn` |\n", "had no spawn"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fixture := files{
				portingExports:     data,
				portingTables:      "# Porting\n\n## Effect\n\n| Effect | Go | v3 |\n|---|---|---|\n" + c.table,
				"effect/effect.go": source,
			}
			findings, err := Porting(fixture.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
