package effect_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

func ExampleEffect_OrElse() {
	mirror := func() effect.Effect[string] { return effect.Succeed("from the mirror") }
	show(effect.Fail[string](io.EOF).OrElse(mirror))
	// Output: Success(from the mirror)
}

func ExampleEffect_OrElseSucceed() {
	show(effect.Fail[int](io.EOF).OrElseSucceed(func(error) int { return 80 }))
	// Output: Success(80)
}

func ExampleEffect_CatchIf() {
	isEOF := func(err error) bool { return errors.Is(err, io.EOF) }
	empty := func(error) effect.Effect[string] { return effect.Succeed("an empty file") }
	show(effect.Fail[string](fmt.Errorf("read: %w", io.EOF)).CatchIf(isEOF, empty))
	show(effect.Fail[string](io.ErrNoProgress).CatchIf(isEOF, empty))
	// Output:
	// Success(an empty file)
	// Failure(multiple Read calls return no data or error)
}

func ExampleEffect_CatchTags() {
	later := func(errors.Tagged) effect.Effect[string] { return effect.Succeed("later") }
	never := func(errors.Tagged) effect.Effect[string] { return effect.Succeed("never") }
	show(effect.Fail[string](&Busy{"pid 7"}).CatchTags(map[string]func(errors.Tagged) effect.Effect[string]{
		"Busy":    later,
		"Refused": never,
	}))
	// Output: Success(later)
}

func ExampleEffect_MapError() {
	show(effect.Fail[int](io.EOF).MapError(func(err error) error { return fmt.Errorf("read the settings: %w", err) }))
	// Output: Failure(read the settings: EOF)
}

func ExampleEffect_MatchEffect() {
	show(measure("notes").MatchEffect(
		func(err error) effect.Effect[effect.Unit] { return printing("skipped: " + err.Error()) },
		func(size int) effect.Effect[effect.Unit] { return printing(strings.Repeat("#", size)) }))
	// Output:
	// skipped: notes is no Go file
	// Success({})
}

func ExampleEffect_Ignore() {
	show(effect.Fail[int](io.EOF).Ignore())
	show(effect.Die[int]("nil map").Ignore()) // a bug is not ignored
	show(effect.Die[int]("nil map").IgnoreCause())
	// Output:
	// Success({})
	// Failure(defect: nil map)
	// Success({})
}

func ExampleEffect_OrDie() {
	settings := effect.Fail[int](io.EOF).OrDie() // the program cannot go on without: no handler should see it
	show(settings.OrElseSucceed(func(error) int { return 80 }))
	// Output: Failure(defect: EOF)
}
