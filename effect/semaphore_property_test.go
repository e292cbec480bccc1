package effect_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/rivus/agentkit/effect"
	"pgregory.net/rapid"
)

// anySemaphore is the part of a semaphore that the properties use.
type anySemaphore interface {
	Hold(n int, e Effect[Unit]) Effect[Unit]
	ResizeNow(permits int)
	ReleaseNow(n int) (free int)
}

type realSemaphore struct{ *Semaphore }

func (s realSemaphore) Hold(n int, e Effect[Unit]) Effect[Unit] { return s.WithPermits(n, e) }

type semaphoreProgram struct {
	permits int
	ops     []semaphoreOp
}

type semaphoreOp struct {
	kind   string // hold, finish, interrupt, resize
	n      int    // how many permits, or which fiber
	atOnce bool
}

func semaphorePrograms(races bool) *rapid.Generator[semaphoreProgram] {
	return rapid.Custom(func(rt *rapid.T) semaphoreProgram {
		kinds := rapid.SampledFrom([]string{"hold", "hold", "hold", "finish", "finish", "interrupt", "resize"})
		op := rapid.Custom(func(rt *rapid.T) semaphoreOp {
			return semaphoreOp{kinds.Draw(rt, "kind"), rapid.IntRange(1, 4).Draw(rt, "n"), races && rapid.Bool().Draw(rt, "at once")}
		})
		return semaphoreProgram{rapid.IntRange(1, 4).Draw(rt, "permits"), rapid.SliceOfN(op, 1, 40).Draw(rt, "ops")}
	})
}

// holder is a fiber that holds permits until it is told to finish.
type holder struct {
	n        int
	fiber    *Fiber[Unit]
	finish   *Latch
	isIn     atomic.Bool
	expected string // waits, in or out
}

func (h *holder) state() string {
	_, over := h.fiber.Poll()
	switch {
	case over:
		return "out"
	case h.isIn.Load():
		return "in"
	}
	return "waits"
}

func startHolder(s anySemaphore, n int) *holder {
	h := &holder{n: n, finish: NewLatch(false)}
	h.fiber = Start(context.Background(), s.Hold(n, Suspend(func() Effect[Unit] {
		h.isIn.Store(true)
		return h.finish.Await()
	})))
	return h
}

// semaphoreFollowsItsModel runs a program without races: who holds permits is, after every operation, who should.
func semaphoreFollowsItsModel(p semaphoreProgram, s anySemaphore) string {
	var wrong findings
	var all, line []*holder
	permits, free := p.permits, p.permits
	grant := func() {
		line = slices.DeleteFunc(line, func(h *holder) bool {
			if h.n > free {
				return false
			}
			free -= h.n
			h.expected = "in"
			return true
		})
	}
	for i, op := range p.ops {
		switch op.kind {
		case "hold":
			h := startHolder(s, op.n)
			h.expected = "waits"
			all, line = append(all, h), append(line, h)
		case "finish", "interrupt":
			if op.n > len(all) {
				break
			}
			h := all[len(all)-op.n]
			if op.kind == "finish" && h.expected != "in" {
				break
			}
			if op.kind == "finish" {
				h.finish.OpenNow()
			} else {
				h.fiber.InterruptNow()
			}
			if h.expected == "in" {
				free += h.n
			}
			line = slices.DeleteFunc(line, func(o *holder) bool { return o == h })
			h.expected = "out"
		case "resize":
			s.ResizeNow(op.n)
			free += op.n - permits
			permits = op.n
		}
		grant()
		synctest.Wait()
		for k, h := range all {
			wrong.expect(h.state() == h.expected, "after operation %d of %+v holder %d is %q; want %q", i, p, k, h.state(), h.expected)
		}
	}
	for _, h := range all {
		h.fiber.InterruptNow()
	}
	synctest.Wait()
	wrong.expect(s.ReleaseNow(0) == permits, "%+v: %d permits are free at the end; want %d", p, s.ReleaseNow(0), permits)
	return wrong.text()
}

// semaphoreLeaksNothing runs a program with races: no more permits are held than there are, and all are free at the end.
func semaphoreLeaksNothing(p semaphoreProgram, s anySemaphore) string {
	var wrong findings
	var held, most atomic.Int64
	var all []*holder
	for _, op := range p.ops {
		switch op.kind {
		case "hold":
			h := &holder{n: op.n, finish: NewLatch(false)}
			h.fiber = Start(context.Background(), s.Hold(op.n, Suspend(func() Effect[Unit] {
				if now := held.Add(int64(op.n)); now > most.Load() {
					most.Store(now)
				}
				return h.finish.Await().Ensuring(Call(func() { held.Add(-int64(op.n)) }))
			})))
			all = append(all, h)
		case "finish", "interrupt":
			if op.n > len(all) {
				break
			}
			if op.kind == "finish" {
				all[len(all)-op.n].finish.OpenNow()
			} else {
				all[len(all)-op.n].fiber.InterruptNow()
			}
		}
		if !op.atOnce {
			synctest.Wait()
		}
	}
	for _, h := range all {
		h.fiber.InterruptNow()
	}
	synctest.Wait()
	wrong.expect(most.Load() <= int64(p.permits), "%+v: %d permits were held at once", p, most.Load())
	wrong.expect(s.ReleaseNow(0) == p.permits, "%+v: %d permits are free at the end", p, s.ReleaseNow(0))
	return wrong.text()
}

func TestSemaphoreFollowsItsModel(t *testing.T) {
	checkProperty(t, semaphorePrograms(false), func(p semaphoreProgram) string {
		return semaphoreFollowsItsModel(p, realSemaphore{NewSemaphore(p.permits)})
	})
}

func TestSemaphoreLeaksNoPermitUnderInterruption(t *testing.T) {
	checkProperty(t, semaphorePrograms(true), func(p semaphoreProgram) string {
		return semaphoreLeaksNothing(p, realSemaphore{NewSemaphore(p.permits)})
	})
}

// leakySemaphore does not give back what an interrupted fiber held.
type leakySemaphore struct{ *Semaphore }

func (s leakySemaphore) Hold(n int, e Effect[Unit]) Effect[Unit] {
	return s.Take(n).AndThen(e).AndThen(s.Release(n)).AsUnit()
}

func TestTheSemaphorePropertyCatchesASemaphoreThatLeaks(t *testing.T) {
	checkCatches(t, semaphorePrograms(true), func(p semaphoreProgram) string {
		return semaphoreLeaksNothing(p, leakySemaphore{NewSemaphore(p.permits)})
	})
}

// stubbornSemaphore lets a large request in front block the small ones behind it.
type stubbornSemaphore struct {
	*Semaphore
	door *Semaphore
}

func (s stubbornSemaphore) Hold(n int, e Effect[Unit]) Effect[Unit] {
	take := s.door.WithPermits(1, s.Take(n))
	return AcquireUseRelease(take.Interruptible(), func(int) Effect[Unit] { return e },
		func(int, Exit[Unit]) Effect[Unit] { return s.Release(n).AsUnit() })
}

func TestTheSemaphoreModelCatchesASemaphoreThatLetsLargeRequestsBlock(t *testing.T) {
	checkCatches(t, semaphorePrograms(false), func(p semaphoreProgram) string {
		return semaphoreFollowsItsModel(p, stubbornSemaphore{NewSemaphore(p.permits), NewSemaphore(1)})
	})
}

// generousSemaphore lets one more in than it has permits for.
type generousSemaphore struct{ realSemaphore }

func (s generousSemaphore) Hold(n int, e Effect[Unit]) Effect[Unit] { return s.WithPermits(n-1, e) }

func TestTheSemaphorePropertyCatchesASemaphoreThatLetsTooManyIn(t *testing.T) {
	checkCatches(t, semaphorePrograms(true), func(p semaphoreProgram) string {
		return semaphoreLeaksNothing(p, generousSemaphore{realSemaphore{NewSemaphore(p.permits)}})
	})
}
