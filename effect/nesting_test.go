package effect_test

import (
	"cmp"
	"runtime/debug"
	"sync"
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

var begun sync.Map

// repeated tells whether the test has begun before in this process. One that goes deep takes long and does the same on any
// number of processors.
func repeated(t *testing.T) bool {
	_, again := begun.LoadOrStore(t.Name(), true)
	return again
}

// smallStacks makes a goroutine's stack end the process as it would at 1 GB, but at 16 MB: what nests without a bound is found
// without the memory that it takes.
func smallStacks(t *testing.T) {
	old := debug.SetMaxStack(16 << 20)
	t.Cleanup(func() { debug.SetMaxStack(old) })
}

// nested is e with wrap around it, so many times.
func nested[A any](e Effect[A], times int, wrap func(Effect[A]) Effect[A]) Effect[A] {
	for range times {
		e = wrap(e)
	}
	return e
}

func TestNoCombinatorNestsWithoutABound(t *testing.T) {
	if repeated(t) {
		return
	}
	smallStacks(t)
	const levels = 300_000 // a level without a count takes about 100 bytes
	wide := map[string]int{"Gen": levels / 6, "ForEach": levels / 6, "Scoped": levels / 6, "OnExit": levels / 6}
	key, held := NewService[int]("Key"), scope.New()
	none := Succeed(Unit{})
	for name, wrap := range map[string]func(Effect[int]) Effect[int]{
		"Map":             func(e Effect[int]) Effect[int] { return e.Map(func(n int) int { return n }) },
		"FlatMap":         func(e Effect[int]) Effect[int] { return e.FlatMap(Succeed[int]) },
		"Tap":             func(e Effect[int]) Effect[int] { return e.Tap(func(int) Effect[Unit] { return none }) },
		"ZipWith":         func(e Effect[int]) Effect[int] { return e.ZipWith(none, func(n int, _ Unit) int { return n }) },
		"Catch":           func(e Effect[int]) Effect[int] { return e.Catch(func(error) Effect[int] { return Succeed(0) }) },
		"MapError":        func(e Effect[int]) Effect[int] { return e.MapError(func(err error) error { return err }) },
		"OrDie":           func(e Effect[int]) Effect[int] { return e.OrDie() },
		"OnExit":          func(e Effect[int]) Effect[int] { return e.OnExit(func(Exit[int]) Effect[Unit] { return none }) },
		"Scoped":          func(e Effect[int]) Effect[int] { return e.Scoped() },
		"InScope":         func(e Effect[int]) Effect[int] { return e.InScope(held) },
		"With":            func(e Effect[int]) Effect[int] { return e.With(key.Of(1)) },
		"Uninterruptible": func(e Effect[int]) Effect[int] { return e.Uninterruptible() },
		"Interruptible":   func(e Effect[int]) Effect[int] { return e.Uninterruptible().Interruptible() },
		"Mask":            func(e Effect[int]) Effect[int] { return Mask(func(r Restore) Effect[int] { return r.On(e) }) },
		"Suspend":         func(e Effect[int]) Effect[int] { return Suspend(func() Effect[int] { return e }) },
		"Gen":             func(e Effect[int]) Effect[int] { return Gen(func(do Do) (int, error) { return do.Await(e), nil }) },
		"ForEach": func(e Effect[int]) Effect[int] {
			return ForEach([]Unit{{}}, func(Unit) Effect[int] { return e }).Map(func(n []int) int { return n[0] })
		},
		"Iterate": func(e Effect[int]) Effect[int] {
			return Iterate(0, func(n int) bool { return n == 0 }, func(int) Effect[int] { return e })
		},
	} {
		t.Run(name, func(t *testing.T) {
			if n, err := nested(Succeed(7), cmp.Or(wide[name], levels), wrap).Run(t.Context()); n != 7 || err != nil {
				t.Errorf("got %v, %v", n, err)
			}
		})
	}
}

// large is a value that is on the stack several times at each level.
type large [2048]byte

func TestLargeValuesNestWithoutABound(t *testing.T) {
	if repeated(t) {
		return
	}
	smallStacks(t)
	var value large
	value[7] = 7
	for name, wrap := range map[string]func(Effect[large]) Effect[large]{
		"Map":     func(e Effect[large]) Effect[large] { return e.Map(func(v large) large { return v }) },
		"FlatMap": func(e Effect[large]) Effect[large] { return e.FlatMap(Succeed[large]) },
		"Gen": func(e Effect[large]) Effect[large] {
			return Gen(func(do Do) (large, error) { return do.Await(e), nil })
		},
		"OnExit": func(e Effect[large]) Effect[large] { return e.Ensuring(Succeed(Unit{})) },
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := nested(Succeed(value), 10_000, wrap).Run(t.Context()); v != value || err != nil {
				t.Errorf("the value is lost: %v", err)
			}
		})
	}
}

func TestRecursionToTheRightTakesNoStack(t *testing.T) {
	smallStacks(t)
	var down func(n int) Effect[int]
	down = func(n int) Effect[int] {
		if n == 0 {
			return Succeed(7)
		}
		return Succeed(n - 1).FlatMap(down)
	}
	if n, err := down(1_000_000).Run(t.Context()); n != 7 || err != nil {
		t.Errorf("got %v, %v", n, err)
	}
}

func TestAFailureComesThroughAMillionLevels(t *testing.T) {
	e := nested(fail[int]("e"), 1_000_000, func(e Effect[int]) Effect[int] { return e.Map(func(n int) int { return n }) })
	if _, err := e.Run(t.Context()); !errors.Is(err, E("e")) {
		t.Errorf("got %v", err)
	}
}

func TestAPanicComesThroughManyLevels(t *testing.T) {
	smallStacks(t)
	e := nested(Sync(func() int { panic("bug") }), 100_000, func(e Effect[int]) Effect[int] { return e.FlatMap(Succeed[int]) })
	if x := RunExit(t.Context(), e); !x.Equal(ExitDie[int]("bug")) {
		t.Errorf("got %.200v", x)
	}
}
