package effect_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
)

func TestADefectSaysOnWhichFiberItHappened(t *testing.T) {
	boom := Sync(func() int { panic("boom") })
	joined := func(name string, e Effect[int]) Effect[int] {
		return Fork(e, ForkNamed(name)).FlatMap((*Fiber[int]).Join)
	}
	const fiber = `fiber #\d+`
	for name, c := range map[string]struct {
		e    Effect[int]
		want string
	}{
		"the root":             {boom, fiber},
		"a child":              {joined("worker", boom), fiber + ` "worker", child of #\d+`},
		"a child's child":      {joined("pool", joined("worker", boom)), fiber + ` "worker", child of #\d+ "pool", child of #\d+`},
		"a timeout":            {joined("worker", boom.Timeout(time.Hour)), fiber + `, part of #\d+ "worker", child of #\d+`},
		"a race":               {RaceFirst(boom, Never[int]()), fiber + `, part of #\d+`},
		"a generator":          {joined("worker", Gen(func(Do) (int, error) { panic("boom") })), fiber + ` "worker", child of #\d+`},
		"a finalizer":          {joined("worker", Succeed(1).Ensuring(boom.AsUnit())), fiber + ` "worker", child of #\d+`},
		"a callback":           {joined("worker", Succeed(1).FlatMap(func(int) Effect[int] { panic("boom") })), fiber + ` "worker", child of #\d+`},
		"a worker of a crew":   {ForEachDiscard([]int{1, 2}, func(int) Effect[Unit] { panic("boom") }, Concurrency(2)).As(1), fiber + `, part of #\d+`},
		"a fiber of its own":   {ForkDetach(boom, ForkNamed("alone")).FlatMap((*Fiber[int]).Join), fiber + ` "alone"`},
		"a boundary inside it": {Try(func(ctx context.Context) (int, error) { return boom.Run(ctx) }), fiber + `, part of #\d+`},
	} {
		t.Run(name, func(t *testing.T) {
			exit := RunExit(t.Context(), c.e)
			want := regexp.MustCompile(`^defect: boom\n    on ` + c.want + `\n    goroutine `)
			if long := fmt.Sprintf("%+v", exit.Cause); !want.MatchString(long) {
				t.Errorf("got\n%s\nwant %s", long, want)
			}
		})
	}
}
