package effect_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/rivus/agentkit/effect"
)

func TestAMonitorTellsWhatAFiberWaitsFor(t *testing.T) {
	full := func() *Queue[int] {
		q := NewBoundedQueue[int](1)
		q.OfferNow(1)
		return q
	}
	for name, wait := range map[string]func() Effect[Unit]{
		"Sleep":          func() Effect[Unit] { return Sleep(time.Hour) },
		"Never":          Never[Unit],
		"Async":          func() Effect[Unit] { return Async(func(func(Effect[Unit])) (none Effect[Unit]) { return }) },
		"Deferred.Await": func() Effect[Unit] { return NewDeferred[Unit]().Await() },
		"Latch.Await":    func() Effect[Unit] { return NewLatch(false).Await() },
		"Semaphore.Take": func() Effect[Unit] { return NewSemaphore(0).Take(1).AsUnit() },
		"Queue.Take":     func() Effect[Unit] { return NewBoundedQueue[int](1).Take().AsUnit() },
		"Queue.Offer":    func() Effect[Unit] { return full().Offer(2).AsUnit() },
		"Queue.Await":    func() Effect[Unit] { return NewBoundedQueue[int](1).Await() },
		"Receive":        func() Effect[Unit] { return Receive(make(chan int)).AsUnit() },
		"Send":           func() Effect[Unit] { return Send(make(chan int), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := NewMonitor()
				f := Start(t.Context(), wait().With(Monitoring.Of(m)))
				synctest.Wait()
				if fibers := m.Fibers(); len(fibers) != 1 || fibers[0].Waits != name {
					t.Errorf("the monitor sees %+v; want one fiber that waits for %s", fibers, name)
				}
				f.InterruptNow()
				<-f.Done()
				if fibers := m.Fibers(); len(fibers) != 0 {
					t.Errorf("the monitor still sees %+v", fibers)
				}
			})
		})
	}
}
