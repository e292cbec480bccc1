package repocheck

import "testing"

func TestEveryFailureHasARowInTheGuideToTroubles(t *testing.T) {
	findings, err := Troubleshooting(repository)
	expectNone(t, findings, err)
}

func TestTheFailuresAreThoseOfAllModules(t *testing.T) {
	found, _, err := failures(repository)
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for _, f := range found {
		tags[f.dir+" "+f.tag] = true
	}
	for _, want := range []string{"collab/lease LeaseHeld", "collab/lanes ActivationFailed", "effect UnexpectedSuccess", "effect/cron CronParseError"} {
		if !tags[want] {
			t.Errorf("%s is not found", want)
		}
	}
	if tags["collab/lanes ActivationSucceeded"] {
		t.Error("a success is found as a failure")
	}
}

func TestTroubleshootingFindsWhatTheGuideGetsWrong(t *testing.T) {
	const held = `package lease
type Held struct{}
func (*Held) Tag() string { return "LeaseHeld" }
func (*Held) Error() string { return "held" }
type Done struct{}
func (Done) Tag() string { return "NoError" }
type inner struct{}
func (inner) Tag() string { return "Inner" }
func (inner) Error() string { return "inner" }
`
	const row = "| `LeaseHeld` | `*lease.Held` | it is held | wait |\n"
	cases := map[string]struct{ source, guide, want string }{
		"complete":                     {held, row, ""},
		"the type as a value":          {held, "| `LeaseHeld` | `lease.Held` | it is held | wait |\n", ""},
		"a failure without a row":      {held, "", "no row for LeaseHeld (*lease.Held)"},
		"a row without a failure":      {held, row + "| `Gone` | `*lease.Gone` | m | d |\n", "no failure has the tag Gone"},
		"a row twice":                  {held, row + row, "two rows"},
		"a row with nothing to do":     {held, "| `LeaseHeld` | `*lease.Held` | it is held | |\n", "what to do"},
		"a row with too few cells":     {held, "| `LeaseHeld` | `*lease.Held` | it is held |\n", "what to do"},
		"a row of another type":        {held, "| `LeaseHeld` | `*lease.Lost` | it is held | wait |\n", "is the tag of *lease.Held"},
		"a tag that is put together":   {held + "type X struct{}\nfunc (X) Tag() string { return \"a\" + \"b\" }\n", row, "a tag is one string"},
		"a tag that depends on things": {held + "type X struct{}\nfunc (X) Tag() string { if true { return \"a\" }; return \"b\" }\n", row, "a tag is one string"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Troubleshooting(files{"collab/lease/f.go": c.source, troubleshooting: "# Troubles\n\n| tag | type |\n|---|---|\n" + c.guide}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
