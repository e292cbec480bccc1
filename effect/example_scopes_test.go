package effect_test

import (
	"context"
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// closing prints when its scope closes.
func closing(name string) func(scope.Exit) effect.Effect[effect.Unit] {
	return func(scope.Exit) effect.Effect[effect.Unit] { return printing("close " + name) }
}

func ExampleAddFinalizer() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		do.Await(effect.AddFinalizer(closing("the database")))
		do.Await(effect.AddFinalizer(closing("the listener")))
		return "served", nil
	}).Scoped())
	// Output:
	// close the listener
	// close the database
	// Success(served)
}

func ExampleAddFinalizerTo() {
	s := scope.New()
	show(effect.AddFinalizerTo(s, closing("the database")).As("open"))
	show(effect.CloseScope(s, scope.Exit{}).As("closed"))
	// Output:
	// Success(open)
	// close the database
	// Success(closed)
}

func ExampleAcquireReleaseInterruptible() {
	connect := printing("wait for the server, as long as nobody interrupts").As("connection")
	show(effect.AcquireReleaseInterruptible(connect,
		func(c string, _ scope.Exit) effect.Effect[effect.Unit] { return printing("close the " + c) }).Scoped())
	// Output:
	// wait for the server, as long as nobody interrupts
	// close the connection
	// Success(connection)
}

func ExampleScopedWith() {
	show(effect.ScopedWith(func(s *scope.Scope) effect.Effect[string] {
		return effect.AddFinalizerTo(s, closing("what the work needed")).AndThen(printing("work")).As("done")
	}))
	// Output:
	// work
	// close what the work needed
	// Success(done)
}

func ExampleCurrentScope() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		owner := do.Await(effect.CurrentScope())
		part := owner.Fork()
		do.Await(effect.AddFinalizer(closing("the whole")))
		do.Await(effect.AddFinalizerTo(part, closing("the part")))
		do.Await(effect.CloseScope(part, scope.Exit{}))
		return "the part is closed before", nil
	}).Scoped())
	// Output:
	// close the part
	// close the whole
	// Success(the part is closed before)
}

// A library with goroutines of its own stops with the scope.
func ExampleScopeContext() {
	ended := make(chan error, 1)
	show(effect.Gen(func(do effect.Do) (effect.Unit, error) {
		ctx := do.Await(effect.ScopeContext())
		context.AfterFunc(ctx, func() { ended <- context.Cause(ctx) })
		return effect.Unit{}, io.EOF
	}).Scoped())
	fmt.Println("it ends with:", <-ended)
	// Output:
	// Failure(EOF)
	// it ends with: EOF
}

func ExampleNoScope() {
	show(connecting("db.example").CatchDefect(func(defect any) effect.Effect[string] {
		missing, _ := defect.(*effect.NoScope)
		return effect.Succeed(missing.Op + " needs a scope around it")
	}))
	// Output: Success(AcquireRelease needs a scope around it)
}

func ExampleEffect_OnExit() {
	transaction := printing("begin").AndThen(effect.Fail[int](io.EOF)).
		OnExit(func(x effect.Exit[int]) effect.Effect[effect.Unit] {
			if x.IsSuccess() {
				return printing("commit")
			}
			return printing("roll back, for " + x.Cause.Error())
		})
	show(transaction)
	// Output:
	// begin
	// roll back, for EOF
	// Failure(EOF)
}

func ExampleEffect_OnError() {
	write := effect.Fail[int](io.ErrShortWrite)
	show(write.OnError(func(c *errors.Cause) effect.Effect[effect.Unit] { return printing("remove the file: " + c.Error()) }))
	// Output:
	// remove the file: short write
	// Failure(short write)
}

// The scope is somebody else's: it outlives the effect.
func ExampleEffect_InScope() {
	owner := scope.New()
	show(connecting("db.example").InScope(owner))
	show(effect.Succeed("the last one").UseScope(owner)) // closes it
	// Output:
	// connect to db.example
	// Success(connection to db.example)
	// disconnect
	// Success(the last one)
}
