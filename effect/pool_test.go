package effect_test

import (
	"testing"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

func TestWhatReplacedAnInvalidItemIsLetGoOnceTheLastBorrowerHasGone(t *testing.T) {
	w := &workshop{}
	exit := effecttest.Run(t, Gen(func(do Do) (int, error) {
		pool := do.Await(NewPool(PoolConfig[int]{Acquire: w.make(0), Max: 1, TTL: 20 * ms}))
		do.Await(pool.Use(func(item int) Effect[Unit] {
			return pool.Invalidate(item).AndThen(sleep(30)) // another one is made, and idles
		}))
		do.Await(sleep(50))
		return len(w.products(0, isLive)), nil
	}).Scoped())
	if exit.Value != 0 || len(w.made) != 2 {
		t.Errorf("got %v, of %d that were made", exit, len(w.made))
	}
}
