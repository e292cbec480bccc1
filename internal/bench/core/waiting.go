package core

import (
	"runtime"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
)

// PingPong hands a value to another fiber and waits for its answer, through a
// fresh deferred each way.
var PingPong = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	type turn struct{ ping, pong *effect.Deferred[int] }
	run(b, effect.Gen(func(do effect.Do) (int, error) {
		turns := make([]turn, repeats)
		for i := range turns {
			turns[i] = turn{effect.NewDeferred[int](), effect.NewDeferred[int]()}
		}
		other := do.Await(effect.Fork(effect.Gen(func(do effect.Do) (int, error) {
			for _, t := range turns {
				do.Await(t.pong.Succeed(do.Await(t.ping.Await())))
			}
			return 0, nil
		})))
		last := 0
		for _, t := range turns {
			do.Await(t.ping.Succeed(1))
			last = do.Await(t.pong.Await())
		}
		do.Await(other.Join())
		return last, nil
	}), 1)
}}

// Channels does the same over two unbuffered channels.
var Channels = measure.Work{Name: "unbuffered channels", Steps: repeats, Bench: func(b *testing.B) {
	for b.Loop() {
		ping, pong := make(chan int), make(chan int)
		go func() {
			defer close(pong)
			for n := range ping {
				pong <- n
			}
		}()
		last := 0
		for range repeats {
			ping <- 1
			last = <-pong
		}
		close(ping)
		<-pong
		expect(b, last, nil, 1)
	}
}}

// Waiting compares how one fiber wakes another.
func Waiting() []measure.Comparison {
	return []measure.Comparison{{
		Name: "deferred ping-pong, there and back", Ours: PingPong, Baseline: Channels,
		Budget: measure.Budget{Ratio: 2, Allocs: measure.Unbounded},
		Why:    "A deferred keeps its outcome, a failure too, for any number of waiters, each of which can be interrupted. A channel hands a value to one.",
	}}
}

// settle gives goroutines that were just started the time to begin waiting.
func settle() {
	for range 10 {
		runtime.Gosched()
		time.Sleep(10 * time.Millisecond)
	}
}
