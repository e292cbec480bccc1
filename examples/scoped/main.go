// Command scoped copies a file in whole or not at all, with scopes alone: no effects, plain Go.
//
//	go run ./examples/scoped README.md copy.md
//
// What is acquired is released in reverse order, whatever happens in between. The draft of the copy becomes the copy when all
// went well, and is removed when not: its finalizer sees how the scope ends.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: scoped <from> <to>")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := copyFile(ctx, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "scoped:", err)
		os.Exit(1)
	}
}

func copyFile(ctx context.Context, from, to string) error {
	return scope.Do(ctx, func(ctx context.Context, s *scope.Scope) error {
		source, err := open(ctx, s, from)
		if err != nil {
			return err
		}
		draft, err := create(ctx, s, to)
		if err != nil {
			return err
		}
		for ctx.Err() == nil {
			if _, err := io.CopyN(draft, source, 1<<20); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
		return context.Cause(ctx)
	})
}

// open opens a file and leaves its closing to the scope.
func open(ctx context.Context, s *scope.Scope, path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return f, s.Add(ctx, func(context.Context, scope.Exit) error {
		fmt.Println("close", path)
		return f.Close()
	})
}

// create makes the draft of a file, which becomes the file when the scope ends well. ctx is not cancelled in a finalizer.
func create(ctx context.Context, s *scope.Scope, path string) (*os.File, error) {
	draft := path + ".draft"
	f, err := os.Create(draft)
	if err != nil {
		return nil, err
	}
	return f, s.Add(ctx, func(_ context.Context, exit scope.Exit) error {
		fmt.Println("close", draft)
		err := f.Close()
		if exit.Cause == nil && err == nil {
			fmt.Println("rename", draft)
			if err = os.Rename(draft, path); err == nil {
				return nil
			}
		}
		fmt.Println("remove", draft)
		return errors.Join(err, os.Remove(draft))
	})
}
