package effect_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// releasing prints which resource is released.
func releasing(n int, _ scope.Exit) effect.Effect[effect.Unit] {
	return printing(fmt.Sprint("release ", n))
}

// numbered acquires resources that are numbered from one.
func numbered() effect.Effect[int] {
	n := 0
	return effect.AcquireRelease(effect.Sync(func() int {
		n++
		fmt.Println("make", n)
		return n
	}), releasing)
}

func ExamplePool() {
	ask := func(connection int) effect.Effect[int] {
		return printing(fmt.Sprint("use ", connection)).As(connection)
	}
	show(effect.Gen(func(do effect.Do) (int, error) {
		connections := do.Await(effect.NewPool(effect.PoolConfig[int]{Acquire: numbered(), Max: 2}))
		do.Await(connections.Use(ask))
		return do.Await(connections.Use(ask)), nil // the same one again
	}).Scoped())
	// Output:
	// make 1
	// use 1
	// use 1
	// release 1
	// Success(1)
}

func ExamplePool_Invalidate() {
	show(effect.Gen(func(do effect.Do) (int, error) {
		connections := do.Await(effect.NewPool(effect.PoolConfig[int]{Acquire: numbered(), Max: 1}))
		do.Await(connections.Use(connections.Invalidate)) // it is broken: it is released, not lent again
		return do.Await(connections.Use(effect.Succeed)), nil
	}).Scoped())
	// Unordered output:
	// make 1
	// release 1
	// make 2
	// release 2
	// Success(2)
}

func ExamplePoolConfig() {
	config := effect.PoolConfig[int]{
		Acquire: effect.Succeed(1),
		Min:     4, // are kept ready
		Max:     2,
		TTL:     time.Hour,
		TTLFrom: effect.PoolTTLFromCreation, // whatever has been used for an hour is replaced
	}
	_, err := effect.NewPool(config).Scoped().Run(context.Background())
	if invalid, ok := errors.AsType[*effect.InvalidConfig](err); ok {
		fmt.Println(invalid.Of, invalid.Field)
	}
	// Output: Pool Max
}

func ExampleRcMap() {
	open := func(path string) effect.Effect[string] {
		return effect.AcquireRelease(printing("open "+path).As(path),
			func(path string, _ scope.Exit) effect.Effect[effect.Unit] { return printing("close " + path) })
	}
	show(effect.Gen(func(do effect.Do) (bool, error) {
		files := do.Await(effect.NewRcMap(effect.RcMapConfig[string, string]{Acquire: open}))
		both := effect.Zip(files.Get("log"), files.Get("log")) // one file for both
		do.Await(both.AndThen(printing("write")).Scoped())
		return do.Await(files.Has("log")), nil // closed by its last user
	}).Scoped())
	// Output:
	// open log
	// write
	// close log
	// Success(false)
}

func ExampleRcMapConfig() {
	config := effect.RcMapConfig[string, int]{Acquire: measure, Capacity: 1}
	show(effect.NewRcMap(config).FlatMap(func(m *effect.RcMap[string, int]) effect.Effect[int] {
		return m.Get("a.go").AndThen(m.Get("main.go"))
	}).CatchAs(func(full *effect.CapacityExceeded) effect.Effect[int] {
		return printing(fmt.Sprint("no more than ", full.Capacity)).As(0)
	}).Scoped())
	// Output:
	// no more than 1
	// Success(0)
}

func ExampleRcRef() {
	show(effect.Gen(func(do effect.Do) (int, error) {
		connection := do.Await(effect.NewRcRef(numbered(), 0))
		first := do.Await(connection.Get().Scoped()) // its only user: released
		second := do.Await(connection.Get().Scoped())
		return first + second, nil
	}).Scoped())
	// Output:
	// make 1
	// release 1
	// make 2
	// release 2
	// Success(3)
}
