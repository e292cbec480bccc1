package effect_test

import (
	"context"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// leakyRcMap counts an interrupted user for ever.
type leakyRcMap struct{ anyRcMap }

func (m leakyRcMap) Get(key int) Effect[int] {
	return Suspend(func() Effect[int] {
		use := scope.New()
		give := func(_ int, exit scope.Exit) Effect[Unit] {
			if exit.Cause.HasInterrupts() {
				return Succeed(Unit{})
			}
			return CloseScope(use, exit)
		}
		return m.anyRcMap.Get(key).InScope(use).FlatMap(func(n int) Effect[int] { return AcquireRelease(Succeed(n), give) })
	})
}

// selfishRcMap shares nothing.
type selfishRcMap struct {
	anyRcMap
	acquire func(int) Effect[int]
}

func (m selfishRcMap) Get(key int) Effect[int] { return m.anyRcMap.Get(key).AndThen(m.acquire(key)) }

// carefreeRcMap goes on with what was invalidated.
type carefreeRcMap struct{ anyRcMap }

func (m carefreeRcMap) Invalidate(int) Effect[Unit] { return Succeed(Unit{}) }

type rcOpen = func(RcMapConfig[int, int]) Effect[anyRcMap]

func rcMapWith(change func(anyRcMap, RcMapConfig[int, int]) anyRcMap) rcOpen {
	return func(config RcMapConfig[int, int]) Effect[anyRcMap] {
		return openRcMap(config).Map(func(m anyRcMap) anyRcMap { return change(m, config) })
	}
}

func rcMapOf(change func(*RcMapConfig[int, int])) rcOpen {
	return func(config RcMapConfig[int, int]) Effect[anyRcMap] {
		change(&config)
		return openRcMap(config)
	}
}

var (
	leaky     = rcMapWith(func(m anyRcMap, _ RcMapConfig[int, int]) anyRcMap { return leakyRcMap{m} })
	selfish   = rcMapWith(func(m anyRcMap, c RcMapConfig[int, int]) anyRcMap { return selfishRcMap{m, c.Acquire} })
	carefree  = rcMapWith(func(m anyRcMap, _ RcMapConfig[int, int]) anyRcMap { return carefreeRcMap{m} })
	hoarding  = rcMapOf(func(c *RcMapConfig[int, int]) { c.IdleTTL = func(int) time.Duration { return NeverExpires } })
	forgetful = rcMapOf(func(c *RcMapConfig[int, int]) { c.IdleTTL = nil })
	boundless = rcMapOf(func(c *RcMapConfig[int, int]) { c.Capacity = 0 })
	hasty     = rcMapOf(func(c *RcMapConfig[int, int]) { c.Acquire = releasedSoon(c.Acquire) })
)

// ownerless is not closed with the scope around it.
func ownerless(config RcMapConfig[int, int]) Effect[anyRcMap] {
	return openRcMap(config).InScope(scope.New())
}

// releasedSoon acquires what is released a while later, whether it is in use or not.
func releasedSoon(acquire func(int) Effect[int]) func(int) Effect[int] {
	return func(key int) Effect[int] {
		return Suspend(func() Effect[int] {
			sp := scope.New()
			return acquire(key).InScope(sp).Tap(func(int) Effect[Unit] {
				time.AfterFunc(5*ms, func() { _ = sp.Close(context.Background(), scope.Exit{}) })
				return Succeed(Unit{})
			})
		})
	}
}

func TestTheRcMapModelCatches(t *testing.T) {
	for name, open := range map[string]rcOpen{
		"a map that counts an interrupted user for ever": leaky,
		"a map that shares nothing":                      selfish,
		"a map that goes on with what was invalidated":   carefree,
		"a map that keeps what idles":                    hoarding,
		"a map that does not keep what idles":            forgetful,
		"a map that holds too much":                      boundless,
		"a map that does not release when it is closed":  ownerless,
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, rcPrograms(false), func(p rcProgram) string { return rcMapFollowsItsModel(p, open) })
		})
	}
}

func TestTheRcMapPropertyCatches(t *testing.T) {
	for name, open := range map[string]rcOpen{
		"a map that counts an interrupted user for ever": leaky,
		"a map that shares nothing":                      selfish,
		"a map that keeps what idles":                    hoarding,
		"a map that holds too much":                      boundless,
		"a map that does not release when it is closed":  ownerless,
		"a map that releases what is in use":             hasty,
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, rcPrograms(true), func(p rcProgram) string { return rcMapLosesNothing(p, open) })
		})
	}
}
