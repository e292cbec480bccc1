package core

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"golang.org/x/sync/semaphore"
)

// Permit takes a permit that is free and gives it back.
var Permit = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	inside(b, repeats, effect.NewSemaphore(1).WithPermits(1, effect.Succeed(1)))
}}

// SyncPermit does so with x/sync's semaphore.
var SyncPermit = measure.Work{Name: "x/sync/semaphore", Steps: repeats, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := semaphore.NewWeighted(1)
	for b.Loop() {
		for range repeats {
			if err := s.Acquire(ctx, 1); err != nil {
				b.Fatal(err)
			}
			n, err := step(0)
			s.Release(1)
			expect(b, n, err, 1)
		}
	}
}}

// buffer is the capacity of the queues and channels that hand items on.
const buffer = 16

// QueueItems hands a thousand items to another fiber.
var QueueItems = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	run(b, effect.Suspend(func() effect.Effect[int] {
		q := effect.NewBoundedQueue[int](buffer)
		take := q.Take()
		taker := effect.Gen(func(do effect.Do) (int, error) {
			total := 0
			for range links {
				total += do.Await(take)
			}
			return total, nil
		})
		return effect.Gen(func(do effect.Do) (int, error) {
			other := do.Await(effect.Fork(taker))
			for range links {
				do.Await(q.Offer(1))
			}
			return do.Await(other.Join()), nil
		})
	}), links)
}}

// ChannelItems does so over a buffered channel.
var ChannelItems = measure.Work{Name: "buffered channel", Steps: links, Bench: func(b *testing.B) {
	for b.Loop() {
		items, sum := make(chan int, buffer), make(chan int)
		go func() {
			total := 0
			for n := range items {
				total += n
			}
			sum <- total
		}()
		for range links {
			items <- 1
		}
		close(items)
		expect(b, <-sum, nil, links)
	}
}}

var errAgain = errors.New("again")

// Retry tries a thousand times without a delay.
var Retry = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	schedule := effect.Recurs(links)
	run(b, effect.Suspend(func() effect.Effect[int] {
		left := links
		return effect.Try(func(context.Context) (int, error) {
			if left--; left > 0 {
				return 0, errAgain
			}
			return 1, nil
		}).Retry(schedule)
	}), 1)
}}

// RetryLoop is a loop that looks at the context.
var RetryLoop = measure.Work{Name: "loop", Steps: links, Bench: func(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		left := links
		try := func() (int, error) {
			if left--; left > 0 {
				return 0, errAgain
			}
			return 1, nil
		}
		n, err := try()
		for tries := 0; err != nil && tries < links && ctx.Err() == nil; tries++ {
			n, err = try()
		}
		expect(b, n, err, 1)
	}
}}

var answer = effect.NewService[int]("bench.Answer")

// ProvideRead provides a service and reads it.
var ProvideRead = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	inside(b, repeats, answer.Get().With(answer.Of(1)))
}}

// ReadDeep reads a service that was provided twenty levels further out.
var ReadDeep = measure.Work{Name: "agentkit", Steps: repeats, Bench: func(b *testing.B) {
	read := answer.Get()
	e := effect.Gen(func(do effect.Do) (int, error) {
		last := 0
		for range repeats {
			last = do.Await(read)
		}
		return last, nil
	})
	for level := range 19 {
		e = e.With(effect.NewService[int](fmt.Sprint("bench.Other", level)).Of(0))
	}
	run(b, e.With(answer.Of(1)), 1)
}}

type key struct{}

// ContextValue reads a value of a context twenty levels further out.
var ContextValue = measure.Work{Name: "context.Value", Steps: repeats, Bench: func(b *testing.B) {
	ctx := context.WithValue(context.Background(), key{}, 1)
	for level := range 19 {
		ctx = context.WithValue(ctx, struct{ level int }{level}, 0)
	}
	for b.Loop() {
		last := 0
		for range repeats {
			last = ctx.Value(key{}).(int)
		}
		expect(b, last, nil, 1)
	}
}}

// LayerOfTen builds ten services and releases them.
var LayerOfTen = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	var layers []*effect.Layer
	for i := range 9 {
		layers = append(layers, effect.NewService[int](fmt.Sprint("bench.Layer", i)).Layer(effect.Succeed(i)))
	}
	layers = append(layers, answer.Layer(effect.Succeed(1)))
	run(b, answer.Get().Provide(effect.LayerMerge(layers...)), 1)
}}

// PoolItem borrows an item of a pool and gives it back.
var PoolItem = measure.Work{Name: "agentkit", Steps: links, Bench: func(b *testing.B) {
	pool := effect.NewPool(effect.PoolConfig[int]{Acquire: effect.Succeed(1), Min: 4, Max: 4})
	run(b, pool.FlatMap(func(p *effect.Pool[int]) effect.Effect[int] {
		use := p.Use(func(i int) effect.Effect[int] { return effect.Succeed(i) })
		return effect.Gen(func(do effect.Do) (int, error) {
			last := 0
			for range links {
				last = do.Await(use)
			}
			return last, nil
		})
	}).Scoped(), 1)
}}

// ChannelPool is a buffered channel of items.
var ChannelPool = measure.Work{Name: "buffered channel", Steps: links, Bench: func(b *testing.B) {
	for b.Loop() {
		free := make(chan int, 4)
		for range 4 {
			free <- 1
		}
		last := 0
		for range links {
			last = <-free
			free <- last
		}
		expect(b, last, nil, 1)
	}
}}

// Rooms compares what programs reach for after the kernel.
func Rooms() []measure.Comparison {
	const wait = "Its waiters can be interrupted and lose nothing."
	open := func(ratio, nanos float64) measure.Budget {
		return measure.Budget{Ratio: ratio, Nanos: nanos, Allocs: measure.Unbounded}
	}
	return []measure.Comparison{
		{Name: "semaphore: take and release", Ours: Permit, Baseline: SyncPermit, Budget: open(2, 0), Why: wait + " The permit returns whatever happens in between."},
		{Name: "an item through a bounded queue", Ours: QueueItems, Baseline: ChannelItems, Budget: open(4, 0), Why: wait + " A queue can end, fail, and be read in batches."},
		{Name: "retry without a delay, a try", Ours: Retry, Baseline: RetryLoop, Budget: open(0, 300), Why: "A schedule is a value that decides each time, and sees how long it took and what failed."},
		{Name: "a service provided and read", Ours: ProvideRead, Budget: open(0, 60)},
		{Name: "a service read at depth 20", Ours: ReadDeep, Baseline: ContextValue, Budget: open(0, 100), Why: "A context walks as many links, without the effect around it."},
		{Name: "a layer of ten, built and released", Ours: LayerOfTen, Budget: open(0, 20_000)},
		{Name: "pool: get and put", Ours: PoolItem, Baseline: ChannelPool, Budget: open(2, 0), Why: wait + " Items have scopes, may be replaced, and come and go with demand."},
	}
}
