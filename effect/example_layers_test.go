package effect_test

import (
	"context"
	"fmt"
	"io"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// connecting is a resource of the examples.
func connecting(address string) effect.Effect[string] {
	return effect.AcquireRelease(printing("connect to "+address).As("connection to "+address),
		func(string, scope.Exit) effect.Effect[effect.Unit] { return printing("disconnect") })
}

// Connection is what connecting makes.
var Connection = effect.NewService[string]("Connection")

func ExampleLayer() {
	host := Host.Layer(effect.Succeed("db.example"))
	connection := effect.LayerOf1(Connection, Host, connecting)
	show(Connection.Get().Map(func(c string) string { return "ask the " + c }).Provide(connection.Provide(host)))
	// Output:
	// connect to db.example
	// disconnect
	// Success(ask the connection to db.example)
}

func ExampleLayer_Missing() {
	connection := effect.LayerOf1(Connection, Host, connecting)
	fmt.Println(connection.Gives(), "needs", connection.Missing())
	fmt.Println(connection.Provide(Host.Layer(effect.Succeed("db.example"))).Missing())
	// Output:
	// [Connection] needs [Host]
	// []
}

func ExampleLayer_Needing() {
	needs := []effect.Key{Host, Port}
	dynamic := Address.Layer(Host.Get().ZipWith(Port.Get(), func(host string, port int) string {
		return fmt.Sprint(host, ":", port)
	})).Needing(needs...)
	fmt.Println(dynamic.Missing())
	// Output: [Host Port]
}

func ExampleLayerOf2() {
	address := effect.LayerOf2(Address, Host, Port, func(host string, port int) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint(host, ":", port))
	})
	show(Address.Get().Provide(address).With(Host.Of("db.example"), Port.Of(5432)))
	// Output: Success(db.example:5432)
}

func ExampleLayerOf4() {
	scheme, path := effect.NewService[string]("Scheme"), effect.NewService[string]("Path")
	origin := effect.LayerOf3(Address, scheme, Host, Port, func(scheme, host string, port int) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint(scheme, "://", host, ":", port))
	})
	url := effect.LayerOf4(Address, scheme, Host, Port, path, func(scheme, host string, port int, path string) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint(scheme, "://", host, ":", port, path))
	})
	where := effect.NewServices(scheme.Of("https"), Host.Of("example.com"), Port.Of(8443), path.Of("/docs"))
	show(Address.Get().Provide(origin).WithServices(where))
	show(Address.Get().Provide(url).WithServices(where))
	// Output:
	// Success(https://example.com:8443)
	// Success(https://example.com:8443/docs)
}

func ExampleLayerMerge() {
	settings := effect.LayerMerge(Host.Layer(effect.Succeed("db.example")), Port.Layer(effect.Succeed(5432)))
	show(effect.Zip(Host.Get(), Port.Get()).Provide(settings))
	// Output: Success({db.example 5432})
}

func ExampleLayerDiscard() {
	migrate := effect.LayerDiscard(Connection.Get().FlatMap(func(c string) effect.Effect[effect.Unit] {
		return printing("migrate by the " + c)
	}))
	database := migrate.ProvideMerge(Connection.Layer(connecting("db.example")))
	show(Connection.Get().Provide(database))
	// Output:
	// connect to db.example
	// migrate by the connection to db.example
	// disconnect
	// Success(connection to db.example)
}

func ExampleLayerOfServices() {
	settings := effect.LayerOfServices(effect.Sync(func() effect.Services {
		return effect.NewServices(Host.Of("db.example"), Port.Of(5432))
	}), Host, Port)
	fmt.Println(settings.Gives())
	show(Port.Get().Provide(settings))
	// Output:
	// [Host Port]
	// Success(5432)
}

func ExampleLayerSuspend() {
	testing := true
	host := effect.LayerSuspend(func() *effect.Layer {
		if testing {
			return Host.Layer(effect.Succeed("localhost"))
		}
		return Host.Layer(effect.Succeed("db.example"))
	}, Host)
	show(Host.Get().Provide(host))
	// Output: Success(localhost)
}

func ExampleLayerUnwrap() {
	chosen := Port.Get().Map(func(port int) *effect.Layer {
		return Address.Layer(effect.Succeed(fmt.Sprint("localhost:", port)))
	})
	show(Address.Get().Provide(effect.LayerUnwrap(chosen, Address)).With(Port.Of(8080)))
	// Output: Success(localhost:8080)
}

func ExampleLayer_Catch() {
	remote := Host.Layer(effect.Fail[string](io.EOF))
	local := func(error) *effect.Layer { return Host.Layer(effect.Succeed("localhost")) }
	show(Host.Get().Provide(remote.Catch(local)))
	// Output: Success(localhost)
}

func ExampleLayerBuild() {
	show(effect.Gen(func(do effect.Do) (string, error) {
		services := do.Await(effect.LayerBuild(Connection.Layer(connecting("db.example"))))
		connection, _ := Connection.In(services)
		return "had a " + connection, nil
	}).Scoped())
	// Output:
	// connect to db.example
	// disconnect
	// Success(had a connection to db.example)
}

func ExampleLayerBuildWith() {
	connection := Connection.Layer(connecting("db.example"))
	shared := effect.NewMemoMap()
	show(effect.Gen(func(do effect.Do) (bool, error) {
		first, _ := Connection.In(do.Await(effect.LayerBuildWith(connection, shared)))
		second, _ := Connection.In(do.Await(effect.LayerBuildWith(connection, shared)))
		return first == second, nil
	}).Scoped())
	// Output:
	// connect to db.example
	// disconnect
	// Success(true)
}

// The handlers of a server run effects with services that are built once.
func ExampleNewManagedRuntime() {
	runtime := effect.NewManagedRuntime(Connection.Layer(connecting("db.example")))
	handle := func(ctx context.Context, request int) {
		answer, err := runtime.Run(ctx, Connection.Get())
		fmt.Println(request, answer, err)
	}
	handle(context.Background(), 1)
	handle(context.Background(), 2)
	fmt.Println(runtime.Dispose(context.Background()))
	// Output:
	// connect to db.example
	// 1 connection to db.example <nil>
	// 2 connection to db.example <nil>
	// disconnect
	// <nil>
}

// A layer is built once, whoever needs it; a fresh one is built for each.
func ExampleLayer_Fresh() {
	connection := Connection.Layer(connecting("db.example"))
	both := func(a, b *effect.Layer) effect.Effect[string] {
		return Connection.Get().Provide(a).AndThen(Connection.Get()).Provide(b)
	}
	show(both(connection, connection))
	show(both(connection.Fresh(), connection))
	// Output:
	// connect to db.example
	// disconnect
	// Success(connection to db.example)
	// connect to db.example
	// connect to db.example
	// disconnect
	// disconnect
	// Success(connection to db.example)
}

// A program that is all layers runs until it is told to stop.
func ExampleLayer_Launch() {
	serving := effect.NewLatch(false)
	server := effect.LayerDiscard(printing("serve").AndThen(serving.Open()))
	stop := serving.Await().AndThen(printing("stop"))
	show(effect.RaceFirst(server.Launch(), stop))
	// Output:
	// serve
	// stop
	// Success({})
}
