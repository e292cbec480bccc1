package scope_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"pgregory.net/rapid"
)

// op is a step of a random program over a tree of scopes. Scopes are numbered as they are made; the root is 0.
type op struct {
	kind  string // add, fork, close
	scope int    // modulo how many there are
	fails bool   // an added finalizer
}

func (o op) String() string {
	if o.fails {
		return fmt.Sprintf("%s failing %d", o.kind, o.scope)
	}
	return fmt.Sprintf("%s %d", o.kind, o.scope)
}

var programs = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
	return op{
		kind:  rapid.SampledFrom([]string{"add", "add", "fork", "close"}).Draw(t, "kind"),
		scope: rapid.IntRange(0, 5).Draw(t, "scope"),
		fails: rapid.Bool().Draw(t, "fails"),
	}
}), 1, 25)

// tree is what the program runs on.
type tree interface {
	add(scope int, f func() error) error
	fork(scope int)
	close(scope int) error
}

// play runs the program and then closes the root. It returns the numbers of the finalizers that ran, in order, a zero after each
// step, and the causes of the steps.
func play(program []op, t tree) (ran []int, causes []string) {
	scopes := 1
	finalizer := 0
	for _, o := range append(slices.Clone(program), op{kind: "close"}) {
		var err error
		switch s := o.scope % scopes; o.kind {
		case "add":
			finalizer++
			n := finalizer
			err = t.add(s, func() error {
				ran = append(ran, n)
				if o.fails {
					return text(fmt.Sprint(n))
				}
				return nil
			})
		case "fork":
			scopes++
			t.fork(s)
		case "close":
			err = t.close(s)
		}
		ran, causes = append(ran, 0), append(causes, fmt.Sprint(err))
	}
	return ran, causes
}

// real is the tree of the package.
type real struct{ scopes []*scope.Scope }

func newReal() tree { return &real{[]*scope.Scope{scope.New()}} }

func (r *real) add(s int, f func() error) error {
	return r.scopes[s].Add(context.Background(), func(context.Context, scope.Exit) error { return f() })
}

func (r *real) fork(s int) { r.scopes = append(r.scopes, r.scopes[s].Fork()) }

func (r *real) close(s int) error { return r.scopes[s].Close(context.Background(), scope.Exit{}) }

// model is the tree as simple as it can be, with a fault when one is asked for.
type model struct {
	nodes []*node
	fault string
}

type node struct {
	closed  bool
	entries []func() *errors.Cause // oldest first
}

func newModel(fault string) tree { return &model{[]*node{{}}, fault} }

func (m *model) push(s int, f func() *errors.Cause) *errors.Cause {
	if m.nodes[s].closed {
		return f()
	}
	m.nodes[s].entries = append(m.nodes[s].entries, f)
	return nil
}

func (m *model) add(s int, f func() error) error {
	ran := false
	return m.push(s, func() *errors.Cause {
		if ran && m.fault != "runs twice" {
			return nil
		}
		ran = true
		if err := f(); err != nil {
			return errors.FailCause(err)
		}
		return nil
	}).AsError()
}

func (m *model) fork(s int) {
	child := len(m.nodes)
	m.nodes = append(m.nodes, &node{closed: m.nodes[s].closed})
	if !m.nodes[s].closed {
		m.push(s, func() *errors.Cause { return m.closed(child) })
	}
}

func (m *model) close(s int) error { return m.closed(s).AsError() }

func (m *model) closed(s int) (cause *errors.Cause) {
	n := m.nodes[s]
	if n.closed && m.fault != "runs twice" {
		return nil
	}
	n.closed = true
	for i := range n.entries {
		if m.fault != "first in, first out" {
			i = len(n.entries) - 1 - i
		}
		c := n.entries[i]()
		if c != nil && m.fault == "stops at a failure" {
			return c
		}
		if m.fault != "loses a reason" || cause == nil {
			cause = cause.Concat(c)
		}
	}
	return cause
}

// disagree tells whether two trees run a program differently.
func disagree(program []op, a, b tree) bool {
	ranA, causesA := play(program, a)
	ranB, causesB := play(program, b)
	return !slices.Equal(ranA, ranB) || !slices.Equal(causesA, causesB)
}

func TestScopesAgreeWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program := programs.Draw(t, "program")
		if disagree(program, newReal(), newModel("")) {
			ran, causes := play(program, newReal())
			wantRan, wantCauses := play(program, newModel(""))
			t.Errorf("ran %v, causes %q; want %v, %q", ran, causes, wantRan, wantCauses)
		}
	})
}

func TestThePropertyOfTheModelFindsFaults(t *testing.T) {
	for _, fault := range []string{"first in, first out", "stops at a failure", "loses a reason", "runs twice"} {
		found := false
		for seed := 0; !found && seed < 20_000; seed++ {
			found = disagree(programs.Example(seed), newReal(), newModel(fault))
		}
		if !found {
			t.Errorf("no program shows a scope that %s", fault)
		}
	}
}
