package lanes

import (
	"context"
	"sync"
	"testing"

	"github.com/rivus/agentkit/effect"
)

// Each benchmark of the lanes stands beside what one would write by hand. The nested bench module sets them beside
// k8s.io/client-go/util/workqueue.

func BenchmarkCoalescedWake(b *testing.B) {
	l := openLanes(b, Config[string]{MaxConcurrent: 1, Activate: forEver})
	wakeAll(b, l, []string{"busy", "busy"})
	b.ReportAllocs()
	for b.Loop() {
		l.WakeNow("busy")
	}
}

func BenchmarkCoalescedByHand(b *testing.B) {
	var mu sync.Mutex
	dirty := map[string]bool{"busy": true}
	b.ReportAllocs()
	for b.Loop() {
		mu.Lock()
		if !dirty["busy"] {
			dirty["busy"] = true
		}
		mu.Unlock()
	}
}

func BenchmarkWakeRunFinish(b *testing.B) {
	ran := make(chan struct{})
	l := openLanes(b, Config[string]{MaxConcurrent: 1, Activate: func(string) work {
		return effect.Call(func() { ran <- struct{}{} })
	}})
	b.ReportAllocs()
	for b.Loop() {
		l.WakeNow("a")
		<-ran
	}
}

func BenchmarkTenThousandKeys(b *testing.B) {
	keys := manyKeys(10_000)
	var wg sync.WaitGroup
	l := openLanes(b, Config[string]{MaxConcurrent: 4, Activate: func(string) work {
		return effect.Call(func() { wg.Done() })
	}})
	b.ReportAllocs()
	for b.Loop() {
		wg.Add(len(keys))
		wakeAll(b, l, keys)
		wg.Wait()
	}
}

func BenchmarkTenThousandKeysByHand(b *testing.B) {
	keys := manyKeys(10_000)
	var wg sync.WaitGroup
	b.ReportAllocs()
	for b.Loop() {
		slots := make(chan struct{}, 4)
		for range keys {
			slots <- struct{}{}
			ctx, cancel := context.WithCancel(b.Context())
			wg.Go(func() {
				defer func() { cancel(); <-slots }()
				_ = ctx.Err()
			})
		}
		wg.Wait()
	}
}
