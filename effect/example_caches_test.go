package effect_test

import (
	"fmt"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/samber/mo"
)

func ExampleNewCached() {
	settings := effect.NewCached(printing("read the settings").As(80))
	show(settings.Get())
	show(settings.Get())
	show(settings.Invalidate().AndThen(settings.Get()))
	// Output:
	// read the settings
	// Success(80)
	// Success(80)
	// read the settings
	// Success(80)
}

func ExampleNewCachedFor() {
	n := 0
	fetch := effect.Sync(func() int {
		n++
		return n
	})
	token := effect.NewCachedFor(fetch, time.Millisecond)
	show(token.Get().AndThen(effect.Sleep(2 * time.Millisecond)).AndThen(token.Get()))
	// Output: Success(2)
}

func ExampleNewCache() {
	look := func(name string) effect.Effect[int] { return printing("measure " + name).AndThen(measure(name)) }
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		sizes := do.Await(effect.NewCache(effect.CacheConfig[string, int]{Lookup: look, Capacity: 100}))
		fmt.Println(do.Await(sizes.Get("a.go")), do.Await(sizes.Get("a.go")))
		do.Await(sizes.Invalidate("a.go"))
		fmt.Println(do.Await(sizes.Get("a.go")))
		return effect.Unit{}, nil
	}))
	// Output:
	// measure a.go
	// 4 4
	// measure a.go
	// 4
	// Success({})
}

// Failures are not to be kept for long.
func ExampleCacheConfig() {
	config := effect.CacheConfig[string, int]{
		Lookup: measure,
		TTL: func(_ string, x effect.Exit[int]) time.Duration {
			if x.IsFailure() {
				return 0
			}
			return effect.NeverExpires
		},
	}
	show(effect.NewCache(config).FlatMap(func(sizes *effect.Cache[string, int]) effect.Effect[[]string] {
		return sizes.Get("a.go").AndThen(effect.OptionOf(sizes.Get("notes"))).AndThen(sizes.Keys())
	}))
	// Output: Success([a.go])
}

func ExampleCache() {
	sizes := effect.NewCache(effect.CacheConfig[string, int]{Lookup: measure})
	show(sizes.FlatMap(func(c *effect.Cache[string, int]) effect.Effect[map[string]int] {
		return c.Get("a.go").AndThen(c.Set("b.go", 99)).AndThen(c.Values())
	}))
	show(sizes.FlatMap(func(c *effect.Cache[string, int]) effect.Effect[bool] { // another one
		return c.GetOption("b.go").Map(mo.Option[int].IsSome)
	}))
	// Output:
	// Success(map[a.go:4 b.go:99])
	// Success(false)
}

func ExampleResource() {
	version := 0
	load := effect.AcquireRelease(effect.Sync(func() int {
		version++
		fmt.Println("load version", version)
		return version
	}), releasing)
	show(effect.Gen(func(do effect.Do) (int, error) {
		settings := do.Await(effect.NewResource(load))
		do.Await(settings.Refresh())
		return do.Await(settings.Get()), nil
	}).Scoped())
	// Output:
	// load version 1
	// load version 2
	// release 1
	// release 2
	// Success(2)
}

func ExampleScopedRef() {
	open := func(n int) effect.Effect[int] { return effect.AcquireRelease(effect.Succeed(n), releasing) }
	show(effect.Gen(func(do effect.Do) (int, error) {
		connection := do.Await(effect.NewScopedRef(open(1)))
		do.Await(connection.Set(open(2)))
		return connection.Now(), nil
	}).Scoped())
	// Output:
	// release 1
	// release 2
	// Success(2)
}

func ExampleCache_InvalidateWhen() {
	sizes := effect.NewCache(effect.CacheConfig[string, int]{Lookup: measure})
	isLarge := func(size int) bool { return size > 5 }
	show(sizes.FlatMap(func(c *effect.Cache[string, int]) effect.Effect[int] {
		return c.Get("a.go").AndThen(c.Get("main.go")).
			AndThen(c.InvalidateWhen("a.go", isLarge)).AndThen(c.InvalidateWhen("main.go", isLarge)).
			AndThen(c.Size())
	}))
	// Output: Success(1)
}
