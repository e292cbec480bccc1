package effect_test

import (
	"context"
	"testing"

	. "github.com/rivus/agentkit/effect"
	xsemaphore "golang.org/x/sync/semaphore"
)

// Each benchmark has the plain Go that it is measured against beside it.

// inFiber runs body b.N times as effects of one fiber.
func inFiber(b *testing.B, body func(do Do)) {
	b.ReportAllocs()
	RunExit(b.Context(), Gen(func(do Do) (u Unit, _ error) {
		for b.Loop() {
			body(do)
		}
		return
	}))
}

func BenchmarkSemaphore(b *testing.B) {
	b.Run("x-sync", func(b *testing.B) {
		s, ctx := xsemaphore.NewWeighted(2), context.Background()
		b.ReportAllocs()
		for b.Loop() {
			_ = s.Acquire(ctx, 1)
			s.Release(1)
		}
	})
	b.Run("take-release", func(b *testing.B) {
		s := NewSemaphore(2)
		take, release := s.Take(1), s.Release(1)
		inFiber(b, func(do Do) { do.Await(take); do.Await(release) })
	})
	b.Run("with-permits", func(b *testing.B) {
		e := NewSemaphore(2).WithPermits(1, Succeed(1))
		inFiber(b, func(do Do) { do.Await(e) })
	})
	b.Run("plain", func(b *testing.B) {
		s, ctx := NewSemaphore(2), context.Background()
		b.ReportAllocs()
		for b.Loop() {
			_ = s.Acquire(ctx, 1)
			s.ReleaseNow(1)
		}
	})
}

func BenchmarkQueueItem(b *testing.B) {
	b.Run("channel", func(b *testing.B) {
		ch := make(chan int, 64)
		b.ReportAllocs()
		for b.Loop() {
			ch <- 1
			<-ch
		}
	})
	b.Run("bounded", func(b *testing.B) {
		q := NewBoundedQueue[int](64)
		inFiber(b, func(do Do) { do.Await(q.Offer(1)); do.Await(q.Take()) })
	})
	b.Run("channel-two-goroutines", func(b *testing.B) {
		ch := make(chan int, 64)
		go func() {
			for {
				if _, ok := <-ch; !ok {
					return
				}
			}
		}()
		b.ReportAllocs()
		for b.Loop() {
			ch <- 1
		}
		close(ch)
	})
	b.Run("bounded-two-fibers", func(b *testing.B) {
		q := NewBoundedQueue[int](64)
		Start(b.Context(), Forever(q.Take()))
		inFiber(b, func(do Do) { do.Await(q.Offer(1)) })
		q.EndNow()
	})
}

func BenchmarkRetry(b *testing.B) {
	const tries = 1000
	failing := Fail[int](E("e"))
	b.Run("loop", func(b *testing.B) {
		try := func() error { return E("e") }
		b.ReportAllocs()
		for b.Loop() {
			for range tries {
				_ = try()
			}
		}
	})
	b.Run("recurs-1000", func(b *testing.B) {
		e := failing.Retry(Recurs(tries - 1)).Ignore()
		inFiber(b, func(do Do) { do.Await(e) })
	})
}
