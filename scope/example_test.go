package scope_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rivus/agentkit/scope"
)

func ExampleDo() {
	err := scope.Do(context.Background(), func(ctx context.Context, s *scope.Scope) error {
		for _, name := range []string{"database", "listener"} {
			fmt.Println("open", name)
			if err := s.Add(ctx, func(context.Context, scope.Exit) error {
				fmt.Println("close", name)
				return nil
			}); err != nil {
				return err
			}
		}
		return errors.New("the port is taken")
	})
	fmt.Println(err)
	// Output:
	// open database
	// open listener
	// close listener
	// close database
	// the port is taken
}

func ExampleScope_Add() {
	s := scope.New()
	ctx := context.Background()
	_ = s.Add(ctx, func(_ context.Context, exit scope.Exit) error {
		if exit.Cause != nil {
			return errors.New("rolled back, and the connection is lost")
		}
		return nil
	})
	fmt.Println(s.Close(ctx, scope.Exit{}))
	// Output: <nil>
}

func ExampleScope_Fork() {
	ctx := context.Background()
	logging := func(name string) func(context.Context, scope.Exit) error {
		return func(context.Context, scope.Exit) error {
			fmt.Println("close", name)
			return nil
		}
	}
	server := scope.New()
	_ = server.Add(ctx, logging("server"))
	request := server.Fork()
	_ = request.Add(ctx, logging("request"))
	_ = server.Close(ctx, scope.Exit{})
	// Output:
	// close request
	// close server
}

func ExampleInto() {
	s := scope.New()
	ctx := scope.Into(context.Background(), s)
	owner, ok := scope.From(ctx)
	fmt.Println(owner == s, ok)
	// Output: true true
}
