package laws

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rivus/agentkit/effect"
	"pgregory.net/rapid"
)

// equation says that two programs, made of the same parts, do the same and end the same. They are whole programs: between two
// steps an interruption is noticed, so that a finalizer around them can see a value where it sees the interruption of a program
// with one step more.
type equation func(m, f, g effect.Effect[int]) (left, right effect.Effect[int])

// plus is the continuation that runs e and adds its value.
func plus(e effect.Effect[int]) func(int) effect.Effect[int] {
	return func(n int) effect.Effect[int] { return e.Map(func(m int) int { return n + m }) }
}

func leftIdentity(_, f, _ effect.Effect[int]) (left, right effect.Effect[int]) {
	return effect.Succeed(1).FlatMap(plus(f)), plus(f)(1)
}

func rightIdentity(m, _, _ effect.Effect[int]) (left, right effect.Effect[int]) {
	return m.FlatMap(effect.Succeed), m
}

func associativity(m, f, g effect.Effect[int]) (left, right effect.Effect[int]) {
	return m.FlatMap(plus(f)).FlatMap(plus(g)),
		m.FlatMap(func(n int) effect.Effect[int] { return plus(f)(n).FlatMap(plus(g)) })
}

// mapIsFlatMap says what Map is.
func mapIsFlatMap(m, _, _ effect.Effect[int]) (left, right effect.Effect[int]) {
	next := func(n int) int { return n + 1 }
	return m.Map(next), m.FlatMap(func(n int) effect.Effect[int] { return effect.Succeed(next(n)) })
}

// notAssociative is an equation that does not hold: it loses what m has.
func notAssociative(m, f, g effect.Effect[int]) (left, right effect.Effect[int]) {
	return m.FlatMap(plus(f)).FlatMap(plus(g)), m.FlatMap(func(int) effect.Effect[int] { return f.FlatMap(plus(g)) })
}

// broken checks the equation for three programs, left alone and interrupted at each step in turn.
func (q equation) broken(t *testing.T, parts [3]*Program) (err error) {
	synctest.Test(t, func(t *testing.T) {
		run := func(at, side int) (steps int, _ Outcome) {
			return ExecuteParts(t.Context(), parts[:], at, func(e []effect.Effect[int]) effect.Effect[int] {
				left, right := q(e[0], e[1], e[2])
				return []effect.Effect[int]{left, right}[side]
			})
		}
		steps, _ := run(0, 0)
		for at := 0; at <= steps && err == nil; at++ {
			_, left := run(at, 0)
			_, right := run(at, 1)
			if !slices.Equal(left.Trace, right.Trace) || left.Value != right.Value || !left.Cause.Equal(right.Cause) {
				err = fmt.Errorf("%v interrupted at %d:\n left %v\nright %v", parts, at, left, right)
			}
		}
	})
	return err
}

func (q equation) holds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		one := closedPrograms(sequentialKinds)
		parts := [3]*Program{one.Draw(r, "m"), one.Draw(r, "f"), one.Draw(r, "g")}
		if err := q.broken(t, parts); err != nil {
			r.Fatal(err)
		}
	})
}

func TestSucceedIsALeftIdentityOfFlatMap(t *testing.T)  { equation(leftIdentity).holds(t) }
func TestSucceedIsARightIdentityOfFlatMap(t *testing.T) { equation(rightIdentity).holds(t) }
func TestFlatMapIsAssociative(t *testing.T)             { equation(associativity).holds(t) }
func TestMapIsFlatMapOfSucceed(t *testing.T)            { equation(mapIsFlatMap).holds(t) }

func TestAnEquationThatDoesNotHoldIsNoticed(t *testing.T) {
	one := closedPrograms(sequentialKinds)
	for seed := range 20_000 {
		parts := [3]*Program{one.Example(3 * seed), one.Example(3*seed + 1), one.Example(3*seed + 2)}
		if equation(notAssociative).broken(t, parts) != nil {
			return
		}
	}
	t.Error("it seems to hold")
}
