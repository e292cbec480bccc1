package repocheck

import "testing"

func TestTheFiguresOfTheReadmeAreMeasured(t *testing.T) {
	findings, err := Numbers(repository)
	expectNone(t, findings, err)
}

func TestNumbersFindsAFigureThatWasNotMeasured(t *testing.T) {
	const page = "| work | ours | baseline | ratio | 95 % |\n|------|---|---|---|---|\n| a map | 5 ns | call 1 ns | 5 × | 4–6 |\n"
	table := func(row string) string {
		return "# x\n\n## How fast it is\n\n| work | ours | beside | ratio |\n|---|---|---|---|\n" + row + "\n\n## Next\n\n| other | table | of | things |\n"
	}
	for name, c := range map[string]struct{ readme, want string }{
		"the same":         {table("| a map | 5 ns | call 1 ns | 5 × |"), ""},
		"a better ratio":   {table("| a map | 5 ns | call 1 ns | 4 × |"), "is not a row of"},
		"of nothing there": {table("| a lock | 5 ns | call 1 ns | 5 × |"), "is not a row of"},
		"no figures":       {"# x\n\n## How fast it is\n", "has no figures"},
		"no section":       {"# x\n", "has no figures"},
	} {
		t.Run(name, func(t *testing.T) {
			findings, err := Numbers(files{"README.md": c.readme, "docs/performance.md": page}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
