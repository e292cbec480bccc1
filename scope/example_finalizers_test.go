package scope_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rivus/agentkit/scope"
)

// connection is a resource that embeds its place in the scope: one allocation for both.
type connection struct {
	scope.Entry
	name string
}

// Finalize makes it a scope.Finalizer.
func (c *connection) Finalize(context.Context, scope.Exit) error {
	fmt.Println("close", c.name)
	return nil
}

func ExampleScope_Empty() {
	s := scope.New()
	fmt.Println(s.Empty())
	_ = s.Add(context.Background(), func(context.Context, scope.Exit) error { return nil })
	fmt.Println(s.Empty())
	// Output:
	// true
	// false
}

func ExampleScope_Register() {
	ctx := context.Background()
	s := scope.New()
	for _, c := range []*connection{{name: "database"}, {name: "cache"}} {
		var finalizer scope.Finalizer = c
		_ = s.Register(ctx, &c.Entry, finalizer)
	}
	fmt.Println(s.Close(ctx, scope.Exit{}))
	// Output:
	// close cache
	// close database
	// <nil>
}

func ExampleScope_Remove() {
	ctx := context.Background()
	s := scope.New()
	var entry scope.Entry
	_ = s.Register(ctx, &entry, &connection{name: "database"})
	fmt.Println(s.Remove(&entry)) // somebody else owns it from now on
	fmt.Println(s.Close(ctx, scope.Exit{}))
	// Output:
	// true
	// <nil>
}

// The finalizers run at once: the second one ends although the first one waits for it.
func ExampleNewParallel() {
	ctx := context.Background()
	s := scope.NewParallel()
	told := make(chan string)
	_ = s.Add(ctx, func(context.Context, scope.Exit) error {
		told <- "told by its neighbour"
		return nil
	})
	_ = s.Add(ctx, func(context.Context, scope.Exit) error {
		fmt.Println(<-told)
		return nil
	})
	fmt.Println(s.Close(ctx, scope.Exit{}))
	// Output:
	// told by its neighbour
	// <nil>
}

// A panic goes on when the finalizers are over, and what they report is not lost.
func ExamplePanic() {
	defer func() {
		both, _ := recover().(*scope.Panic)
		fmt.Println("the body:", both.Value)
		fmt.Println("in all:", both.Cause())
	}()
	_ = scope.Do(context.Background(), func(ctx context.Context, s *scope.Scope) error {
		_ = s.Add(ctx, func(context.Context, scope.Exit) error { return errors.New("the disk is full") })
		panic("nil map")
	})
	// Output:
	// the body: nil map
	// in all: defect: nil map; defect: the disk is full
}

func ExampleScope_Exit() {
	s := scope.New()
	_, over := s.Exit()
	fmt.Println(over)
	_ = s.Close(context.Background(), scope.Exit{Value: 7})
	exit, over := s.Exit()
	fmt.Println(exit.Value, over)
	// Output:
	// false
	// 7 true
}
