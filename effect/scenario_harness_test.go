package effect_test

// The golden scenarios: programs recorded on the original, each reproduced by a program here under virtual time.
//
// An area's programs are in a file of their own, scenarios_AREA_test.go:
//
//	func init() {
//		area("fibers")
//
//		scenario("fiber-20", func(s *sc) Effect[Unit] {
//			return Gen(func(do Do) (u Unit, _ error) {
//				child := do.Await(s.Fork("child", sleep(100)))   // the fiber is "child" in the trace
//				do.Await(sleep(10))
//				s.Add("interrupting")                            // plain Go; the effect is s.Log("interrupting")
//				do.Await(child.Interrupt())
//				do.Await(s.LogExit(child.Join()))                // the exit's text; s.LogValue for a value's
//				return
//			})
//		})
//
//		// What is cooperative says which order holds on a parallel runtime; ties may. See effecttest.Rule.
//		scenario("core-24", program, InOrder("A1", "A2", "A3"), InOrder("B1", "B2", "B3"))
//
//		// Host code outside any effect; s.Context() is the root's context. The result is the exit's value.
//		hostScenario("run-03", func(s *sc) any { … })
//
//		// In Go there is no such thing. (testdata/impossible.json has the reason.)
//		impossible("x-01")
//	}
//
// The program is built and run on the fiber "root" inside a bubble; s.T is its test. A failure that is only a text is
// E("e1"); tagged ones are structs behind a pointer. Whatever is appended has the text form of the traces (effecttest.Trace.Text):
// s.Log("E=", x) puts the texts of its parts together. The vocabulary of the descriptions (sleep, seq, acq …) is in
// scenario_vocabulary_test.go. A goroutine that is left fails the test. Run one with -run 'TestScenarios/fiber-20$'.

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

// golden is a scenario as it was recorded.
type golden struct {
	ID, Area, Title, Description, Ordering string
	Timed                                  bool
	Trace                                  []string
	Exit                                   any
}

// sc is a running scenario.
type sc struct {
	*effecttest.Trace
	T           *testing.T
	logRootExit bool
}

// LogRootExit makes "root exit" the entry for the end of the root, for scenarios in which something outlives it.
func (s *sc) LogRootExit() { s.logRootExit = true }

// Context is the context that roots are run with.
func (s *sc) Context() context.Context { return s.T.Context() }

// program is what stands for a scenario here: one of run and impossible.
type program struct {
	run        func(s *sc) (exit any)
	rules      []effecttest.Rule
	impossible bool
	once       bool // in this process: it is about the depth of a stack, and slow
	ran        bool
}

var (
	programs = map[string]*program{}
	areas    []string
)

// area says that the scenarios of an area are all registered in this file.
func area(name string) { areas = append(areas, name) }

// scenario registers the program of a scenario.
func scenario[A any](id string, build func(s *sc) Effect[A], rules ...effecttest.Rule) {
	register(id, program{rules: rules, run: func(s *sc) any {
		root := Suspend(func() Effect[any] { return s.Named("root", build(s).Map(func(a A) any { return a })) })
		exit := RunExit(s.Context(), root)
		if s.logRootExit {
			s.Add("root exit")
		}
		return exit
	}})
}

// onceScenario is a scenario that says nothing new when it is repeated, as with -count or -cpu, and takes long.
func onceScenario[A any](id string, build func(s *sc) Effect[A], rules ...effecttest.Rule) {
	scenario(id, build, rules...)
	programs[id].once = true
}

// hostScenario registers a scenario that is Go code outside any effect.
func hostScenario(id string, run func(s *sc) (value any), rules ...effecttest.Rule) {
	register(id, program{rules: rules, run: func(s *sc) any { return ExitSucceed(run(s)) }})
}

// impossible registers a scenario that testdata/impossible.json gives a reason for.
func impossible(id string) { register(id, program{impossible: true}) }

func register(id string, p program) {
	if _, twice := programs[id]; twice {
		panic("two programs for the scenario " + id)
	}
	programs[id] = &p
}

var goldens = sync.OnceValue(func() []golden { return readJSON[[]golden]("testdata/traces.json") })

func readJSON[A any](path string) (a A) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		panic(err)
	}
	return a
}

func TestScenarios(t *testing.T) {
	for _, g := range goldens() {
		p, ok := programs[g.ID]
		if ok && p.run != nil && !(p.once && p.ran) {
			p.ran = true
			t.Run(g.ID, func(t *testing.T) { check(t, g, p) })
		}
	}
}

func check(t *testing.T, g golden, p *program) {
	effecttest.Bubble(t, func(t *testing.T) {
		s := &sc{T: t, Trace: effecttest.New()}
		if g.Timed {
			s.Trace = effecttest.NewTimed()
		}
		exit := p.run(s)
		if left := effecttest.Leftover(); left != "" {
			t.Errorf("goroutines are left:\n\n%s", left)
		}
		got := effecttest.Recording{Trace: s.Lines(), Exit: s.JSON(exit)}
		if err := effecttest.Compare(effecttest.Recording{Trace: g.Trace, Exit: g.Exit}, got, order(t, g, p)); err != nil {
			t.Errorf("%s (%s): %v\nprogram: %s", g.Title, g.Ordering, err, g.Description)
		}
	})
}

func order(t *testing.T, g golden, p *program) effecttest.Order {
	switch {
	case g.Ordering == "ties":
		return effecttest.Ties(p.rules...)
	case g.Ordering == "cooperative" && len(p.rules) > 0:
		return effecttest.Cooperative(p.rules...)
	case g.Ordering == "forced" && len(p.rules) == 0:
		return effecttest.Forced
	}
	t.Errorf("a %s scenario with %d rules: forced ones have none, cooperative ones state what holds", g.Ordering, len(p.rules))
	return effecttest.Forced
}

func TestTheGuideToPortingSaysWhatHasNoProgramAndWhy(t *testing.T) {
	guide, err := os.ReadFile("../docs/porting.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readJSON[[]struct{ ID, Reason string }]("testdata/impossible.json") {
		if row := "| `" + r.ID + "` | " + r.Reason + " |"; !strings.Contains(string(guide), row) {
			t.Errorf("docs/porting.md has no row %s", row)
		}
	}
}

func TestEveryScenarioOfTheAreasHasAProgramOrAReason(t *testing.T) {
	reasons := map[string]string{}
	for _, r := range readJSON[[]struct{ ID, Reason string }]("testdata/impossible.json") {
		reasons[r.ID] = r.Reason
	}
	known := map[string]bool{}
	for _, g := range goldens() {
		known[g.ID] = true
		p, ok := programs[g.ID]
		switch {
		case !ok && slices.Contains(areas, g.Area):
			t.Errorf("%s has no program: %s", g.ID, g.Title)
		case ok && p.impossible && reasons[g.ID] == "":
			t.Errorf("%s is impossible, but testdata/impossible.json has no reason", g.ID)
		case !(ok && p.impossible) && reasons[g.ID] != "":
			t.Errorf("%s has a reason to be impossible, but is not registered as that", g.ID)
		}
	}
	for id := range programs {
		if !known[id] {
			t.Errorf("%s is no golden scenario", id)
		}
	}
	for _, a := range areas {
		if !slices.ContainsFunc(goldens(), func(g golden) bool { return g.Area == a }) {
			t.Errorf("%s is no area of the golden scenarios", a)
		}
	}
}
