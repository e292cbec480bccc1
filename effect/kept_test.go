package effect_test

import (
	"context"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

func TestAnInterruptionRightAfterATakeLosesNoValue(t *testing.T) {
	takes := map[string]func(q *Queue[int], interrupt func(int) int) Effect[int]{
		"Take": func(q *Queue[int], interrupt func(int) int) Effect[int] { return q.Take().Map(interrupt) },
		"TakeN": func(q *Queue[int], interrupt func(int) int) Effect[int] {
			return q.TakeN(1).Map(func(got []int) int { return interrupt(got[0]) })
		},
		"Poll": func(q *Queue[int], interrupt func(int) int) Effect[int] {
			return q.Poll().Map(func(got mo.Option[int]) int { return interrupt(got.MustGet()) })
		},
		"Clear": func(q *Queue[int], interrupt func(int) int) Effect[int] {
			return q.Clear().Map(func(got []int) int { return interrupt(got[0]) })
		},
		"with a handler": func(q *Queue[int], interrupt func(int) int) Effect[int] {
			return q.Take().Map(interrupt).CatchAs(func(*Done) Effect[int] { return Succeed(0) }).OrDie()
		},
		"with a timeout": func(q *Queue[int], interrupt func(int) int) Effect[int] {
			return q.Take().Map(interrupt).Timeout(time.Second)
		},
		"of a subscription": func(_ *Queue[int], interrupt func(int) int) Effect[int] {
			p := NewUnboundedPubSub[int](Replay(1))
			p.PublishNow(7)
			s, err := p.Subscribe().Run(scope.Into(context.Background(), scope.New()))
			if err != nil {
				t.Fatal(err)
			}
			return s.Take().Map(interrupt)
		},
		"of permits": func(_ *Queue[int], interrupt func(int) int) Effect[int] {
			return NewSemaphore(9).Take(7).Map(interrupt)
		},
		"from a channel": func(_ *Queue[int], interrupt func(int) int) Effect[int] {
			ch := make(chan int, 1)
			ch <- 7
			return Receive(ch).Map(interrupt)
		},
	}
	for name, take := range takes {
		run := func(t *testing.T, use func(Effect[int]) Effect[int]) Exit[int] {
			ctx, cancel := context.WithCancel(t.Context())
			q := NewUnboundedQueue[int]()
			q.OfferNow(7)
			return RunExit(ctx, use(take(q, func(n int) int { cancel(); return n })))
		}
		effecttest.Bubble(t, func(t *testing.T) {
			seen, on := 0, false
			x := run(t, func(taken Effect[int]) Effect[int] {
				return taken.FlatMap(func(n int) Effect[int] {
					return Sync(func() int { seen = n; return n })
				}).FlatMap(func(n int) Effect[int] { on = true; return Succeed(n) })
			})
			if seen != 7 || on || !x.Cause.HasInterruptsOnly() {
				t.Errorf("%s: the next step saw %d, the one after it ran: %v, the exit is %v", name, seen, on, x)
			}
			awaited := 0
			run(t, func(taken Effect[int]) Effect[int] {
				return Gen(func(do Do) (int, error) { awaited = do.Await(taken); return 0, nil })
			})
			if awaited != 7 {
				t.Errorf("%s: a generator saw %d", name, awaited)
			}
			if x := run(t, func(taken Effect[int]) Effect[int] { return taken }); x.Value != 7 || x.IsFailure() {
				t.Errorf("%s: a fiber that does no more ended with %v", name, x)
			}
		})
	}
}
