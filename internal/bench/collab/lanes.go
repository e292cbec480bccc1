package collab

import (
	"context"
	"sync"
	"testing"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"k8s.io/client-go/util/workqueue"
)

// slots is how many keys run at once in the benchmarks of many keys.
const slots = 4

// CoalescedWake wakes a key that runs and is owed a run already.
var CoalescedWake = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	l := live(b, lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: func(string) effect.Effect[unit] {
		return effect.Never[unit]()
	}}))
	for range 2 {
		_, err := l.WakeNow("busy")
		check(b, err)
	}
	for b.Loop() {
		if _, err := l.WakeNow("busy"); err != nil {
			b.Fatal(err)
		}
	}
}}

// CoalescedAdd adds an item that is in process and queued already.
var CoalescedAdd = measure.Work{Name: "workqueue.Add", Bench: func(b *testing.B) {
	q := workqueue.NewTyped[string]()
	defer q.ShutDown()
	q.Add("busy")
	q.Get()
	q.Add("busy")
	for b.Loop() {
		q.Add("busy")
	}
}}

// Turn wakes one key and waits until it has run.
var Turn = measure.Work{Name: "agentkit", Bench: func(b *testing.B) {
	ran := make(chan struct{})
	l := live(b, lanes.New(lanes.Config[string]{MaxConcurrent: 1, Activate: func(string) effect.Effect[unit] {
		return effect.Call(func() { ran <- struct{}{} })
	}}))
	for b.Loop() {
		if _, err := l.WakeNow("room"); err != nil {
			b.Fatal(err)
		}
		<-ran
	}
}}

// AddGetDone adds one item and waits until a goroutine that was given it has run.
var AddGetDone = measure.Work{Name: "workqueue.Add, Get, Done", Bench: func(b *testing.B) {
	ran := make(chan struct{})
	q := workqueue.NewTyped[string]()
	defer q.ShutDown()
	go func() {
		for {
			item, shutdown := q.Get()
			if shutdown {
				return
			}
			go func() {
				ran <- struct{}{}
				q.Done(item)
			}()
		}
	}()
	for b.Loop() {
		q.Add("room")
		<-ran
	}
}}

// manyKeys is how many keys the benchmarks of many keys wake once each.
const manyKeys = 10_000

// ManyKeys wakes many keys and waits until each has run.
var ManyKeys = measure.Work{Name: "agentkit", Steps: manyKeys, Bench: func(b *testing.B) {
	list := keys(manyKeys)
	var ran sync.WaitGroup
	l := live(b, lanes.New(lanes.Config[string]{MaxConcurrent: slots, Activate: func(string) effect.Effect[unit] {
		return effect.Call(func() { ran.Done() })
	}}))
	for b.Loop() {
		wakeAll(b, l, list, &ran)
	}
}}

func wakeAll(b *testing.B, l *lanes.Lanes[string], list []string, ran *sync.WaitGroup) {
	ran.Add(len(list))
	for _, key := range list {
		if _, err := l.WakeNow(key); err != nil {
			b.Fatal(err)
		}
	}
	ran.Wait()
}

// Semaphores runs a goroutine with a cancel context for each key, behind a
// semaphore.
var Semaphores = measure.Work{Name: "semaphore, goroutine, context", Steps: manyKeys, Bench: func(b *testing.B) {
	list := keys(manyKeys)
	for b.Loop() {
		semaphores(list)
	}
}}

func semaphores(list []string) {
	var ran sync.WaitGroup
	free := make(chan struct{}, slots)
	for range list {
		free <- struct{}{}
		ctx, cancel := context.WithCancel(context.Background())
		ran.Go(func() {
			defer func() {
				cancel()
				<-free
			}()
			_ = ctx.Err()
		})
	}
	ran.Wait()
}

// ManyItems runs as many items through a work queue with as many workers.
var ManyItems = measure.Work{Name: "workqueue", Steps: manyKeys, Bench: func(b *testing.B) {
	list := keys(manyKeys)
	var ran sync.WaitGroup
	q := workqueue.NewTyped[string]()
	defer q.ShutDown()
	for range slots {
		go func() {
			for {
				item, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(item)
				ran.Done()
			}
		}()
	}
	for b.Loop() {
		ran.Add(len(list))
		for _, key := range list {
			q.Add(key)
		}
		ran.Wait()
	}
}}

// Lanes compares the lanes with a work queue and with a semaphore.
func Lanes() []measure.Comparison {
	const activation = "Each activation has a scope and a fiber of its own, can be cancelled alone, may be bounded in time, and reports how it ended."
	return []measure.Comparison{
		{Name: "a coalesced wake", Ours: CoalescedWake, Baseline: CoalescedAdd, Budget: measure.Budget{Ratio: 1.5}, Why: "Lanes also say what became of the wake."},
		{Name: "one key: wake, run, finish", Ours: Turn, Baseline: AddGetDone, Budget: open(3), Why: activation},
		{Name: "10,000 keys at 4, each", Ours: ManyKeys, Baseline: Semaphores, Peers: []measure.Work{ManyItems}, Budget: open(3), Why: activation},
	}
}

// QueuedKeys are a million keys that wait for a slot.
func QueuedKeys() measure.Footprint {
	return measure.Footprint{Name: "a key that waits for a slot", Count: 1_000_000, Bytes: 300, Ours: func(count int) (remove func()) {
		opened := make(chan *lanes.Lanes[int], 1)
		make := lanes.New(lanes.Config[int]{MaxConcurrent: 1, Activate: func(int) effect.Effect[unit] { return effect.Never[unit]() }})
		fiber := effect.Start(context.Background(), make.FlatMap(func(l *lanes.Lanes[int]) effect.Effect[unit] {
			opened <- l
			return effect.Never[unit]()
		}).Scoped())
		l := <-opened
		for key := range count {
			if _, err := l.WakeNow(key); err != nil {
				panic(err) // lanes without a bound refuse nothing
			}
		}
		return func() {
			fiber.InterruptNow()
			<-fiber.Done()
		}
	}}
}
