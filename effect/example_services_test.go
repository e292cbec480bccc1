package effect_test

import (
	"context"
	"fmt"

	"github.com/rivus/agentkit/effect"
	"github.com/samber/mo"
)

// Keys of the examples: each is declared once.
var (
	Host    = effect.NewService[string]("Host")
	Port    = effect.NewService[int]("Port")
	Address = effect.NewService[string]("Address")
)

func ExampleNewService() {
	// In a program, a key is declared once: var User = effect.NewService[string]("User").
	user := effect.NewService[string]("User")
	greet := user.Get().Map(func(name string) string { return "hello " + name })
	show(greet.With(user.Of("anna")))
	show(greet.With(user.Of("ben")).With(user.Of("anna"))) // the inner one wins
	// Output:
	// Success(hello anna)
	// Success(hello ben)
}

func ExampleNewReference() {
	attempts := effect.NewReference("Attempts", func() int { return 3 })
	show(attempts.Get())
	show(attempts.Get().With(attempts.Of(1)))
	show(attempts.Get().WithUpdated(attempts, func(n int) int { return 2 * n }))
	// Output:
	// Success(3)
	// Success(1)
	// Success(6)
}

// Plain Go finds a service in its context.
func ExampleService_From() {
	dial := func(ctx context.Context) (string, error) {
		host, ok := Host.From(ctx)
		if !ok {
			host = "localhost"
		}
		return "dialled " + host, nil
	}
	show(effect.Try(dial).With(Host.Of("db.example")))
	show(effect.Try(dial))
	// Output:
	// Success(dialled db.example)
	// Success(dialled localhost)
}

func ExampleServiceOption() {
	host := effect.ServiceOption(Host).Map(func(o mo.Option[string]) string { return o.OrElse("localhost") })
	show(host)
	show(host.With(Host.Of("db.example")))
	// Output:
	// Success(localhost)
	// Success(db.example)
}

func ExampleServiceNotFound() {
	dial := Host.Get().CatchDefect(func(defect any) effect.Effect[string] {
		missing, _ := defect.(*effect.ServiceNotFound)
		return effect.Succeed(fmt.Sprint("no ", missing.Key, " among ", missing.Present))
	})
	show(dial.With(Port.Of(5432)))
	// Output: Success(no Host among [Port])
}

func ExampleServices() {
	services := effect.NewServices(Host.Of("db.example"), Port.Of(5432)).And(Port.Of(6543))
	port, _ := Port.In(services)
	fmt.Println(services.Names(), port)
	show(Host.Get().WithServices(services))
	// Output:
	// [Port Host] 6543
	// Success(db.example)
}

func ExampleCurrentServices() {
	show(effect.CurrentServices().Map(func(s effect.Services) string {
		host, _ := Host.In(s)
		return host
	}).With(Host.Of("db.example")))
	// Output: Success(db.example)
}

func ExampleBinding() {
	test := []effect.Binding{Host.Of("localhost"), Port.Of(0)}
	show(effect.Zip(Host.Get(), Port.Get()).With(test...))
	// Output: Success({localhost 0})
}

// A function that an effect calls, in Go's own style.
func ExampleAwait() {
	address := func(ctx context.Context, path string) (string, error) {
		host, err := effect.Await(ctx, Host.Get())
		if err != nil {
			return "", err
		}
		return "https://" + host + path, nil
	}
	show(effect.Try(func(ctx context.Context) (string, error) { return address(ctx, "/docs") }).With(Host.Of("example.com")))
	// Output: Success(https://example.com/docs)
}

func ExampleContext() {
	type requestID struct{}
	ctx := context.WithValue(context.Background(), requestID{}, "request 7")
	surrounding := effect.Context().Map(func(ctx context.Context) string {
		return ctx.Value(requestID{}).(string)
	})
	fmt.Println(surrounding.Run(ctx))
	// Output: request 7 <nil>
}

func ExampleEffect_WithEffect() {
	greet := Host.Get().Map(func(host string) string { return "dialled " + host })
	show(greet.WithEffect(Host, printing("ask the directory").As("db.example")))
	// Output:
	// ask the directory
	// Success(dialled db.example)
}
