// Command rooms serves chat rooms: a request wakes a room, and each room has one turn at a time, however often it is woken.
//
//	go run ./examples/rooms -addr localhost:8080
//	curl -X POST localhost:8080/wake/kitchen
//	curl localhost:8080/
//
// Ctrl-C or SIGTERM: no more wakes are taken, what is owed still runs, then the server stops.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// patience is how long the turns that are owed may take when the program ends.
const patience = time.Minute

func main() {
	addr := flag.String("addr", "localhost:8080", "where to listen")
	turn := flag.Duration("turn", time.Second, "how long a turn takes")
	flag.Parse()
	effect.Program{Report: report}.Main(serve(*addr, *turn).Scoped())
}

func report(cause *errors.Cause) { fmt.Fprintln(os.Stderr, "rooms:", cause.Squash()) }

// serve runs until it is interrupted. Its finalizers run in reverse order: it drains the lanes while the server still answers,
// then stops the server.
func serve(addr string, turn time.Duration) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		rooms := do.Await(lanes.New(lanes.Config[string]{
			MaxConcurrent: 2,
			MaxQueued:     mo.Some(16),
			Activate: func(room string) effect.Effect[effect.Unit] {
				return say("%s: a turn begins", room).AndThen(effect.Sleep(turn)) // the work goes here
			},
			OnExit: func(exit lanes.ActivationExit[string]) effect.Effect[effect.Unit] {
				if err := exit.Err(); err != nil {
					return say("%v", err)
				}
				return say("%s: the turn is over", exit.LaneKey())
			},
		}))
		failed := do.Await(listen(addr, handler(rooms)))
		do.Await(effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] {
			return say("draining").AndThen(rooms.Drain().Timeout(patience)).AndThen(say("drained"))
		}))
		return effect.Unit{}, do.Await(effect.Receive(failed))
	})
}

// handler is plain Go: a wake does not wait, so it needs no effect.
func handler(rooms *lanes.Lanes[string]) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /wake/{room}", func(w http.ResponseWriter, r *http.Request) {
		result, err := rooms.WakeNow(r.PathValue("room"))
		status := http.StatusAccepted
		switch err.(type) {
		case *lanes.QueueFull:
			status = http.StatusTooManyRequests
		case *lanes.Closed:
			status = http.StatusServiceUnavailable
		}
		w.WriteHeader(status)
		fmt.Fprintln(w, result)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		for _, room := range rooms.Status().Lanes {
			fmt.Fprintln(w, room.Key, room.State)
		}
	})
	return mux
}

// listen serves HTTP until the scope closes. The channel has the error with which the server failed, if it does.
func listen(addr string, h http.Handler) effect.Effect[<-chan error] {
	server, failed := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}, make(chan error, 1)
	start := effect.Try(func(ctx context.Context) (<-chan error, error) {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, err
		}
		go func() { failed <- server.Serve(listener) }()
		fmt.Println("listening on", listener.Addr())
		return failed, nil
	})
	return effect.AcquireRelease(start, func(<-chan error, scope.Exit) effect.Effect[effect.Unit] {
		stop := effect.TryCall(func(ctx context.Context) error { return server.Shutdown(ctx) })
		return stop.Timeout(patience)
	})
}

func say(format string, args ...any) effect.Effect[effect.Unit] {
	return effect.Call(func() { fmt.Printf(format+"\n", args...) })
}
