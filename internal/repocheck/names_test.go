package repocheck

import "testing"

func TestTheNamesInTheReadmeAndTheGuidesExist(t *testing.T) {
	findings, err := Names(repository)
	expectNone(t, findings, err)
}

func TestNamesFindsWhatNobodyExports(t *testing.T) {
	const source = `package lease
type Config struct{ TTL int }
type Lease struct{}
func (l *Lease) Release() {}
func Open() {}
`
	cases := map[string]struct{ guide, readme, want string }{
		"names that exist":                 {"`lease.Config.TTL`, `lease.Open()`, `Lease.Release`, `*lease.Lease`", "", ""},
		"a function that does not":         {"so `lease.Close`", "", "docs/g.md:1: there is no lease.Close"},
		"a field that does not":            {"`lease.Config.Ttl`", "", "no lease.Config.Ttl"},
		"a method that does not":           {"`Lease.Renew(x)`", "", "no Lease.Renew"},
		"a package of others":              {"`sync.Mutex`, `sql.Open`", "", ""},
		"what is no code":                  {"lease.Close", "", ""},
		"a block is not looked at":         {"```go\nlease.Close()\n```\n`lease.Open`", "", ""},
		"a line after a block":             {"```go\nx\n```\n`lease.Close`", "", "docs/g.md:4"},
		"a row of the README":              {"", "| `Effect.x` | `lease.Open`, `Lease`, `l.Release()` |", ""},
		"a row with a method that is none": {"", "| `Effect.x` | `l.Renew()` |", "README.md:1: there is no Renew"},
		"a row with a function alone":      {"", "| `Effect.x` | `lease.Open`, `Shut` |", "there is no Shut"},
		"the other side is not ours":       {"", "| `Effect.gone` | `lease.Open` |", ""},
		"a test":                           {"`TestItOpens`, `…Opens`", "", ""},
		"a test that is gone":              {"", "| it opens | `TestItCloses` |", "there is no TestItCloses"},
		"the end of one that is gone":      {"`…Closes`", "", "there is no …Closes"},
		"a name in its text":               {"", "use `lease.Shut`", "no lease.Shut"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Names(files{"collab/lease/l.go": source, "collab/lease/l_test.go": "package lease\nfunc TestItOpens() {}\n", "docs/g.md": c.guide, "README.md": c.readme}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
