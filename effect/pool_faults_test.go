package effect_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// leakyPool does not get back what an interrupted borrower had.
type leakyPool struct{ realPool }

func (p leakyPool) Lend(_ bool, f func(int) Effect[Unit]) Effect[Unit] {
	return Suspend(func() Effect[Unit] {
		loan := scope.New()
		return p.Get().InScope(loan).FlatMap(f).AndThen(CloseScope(loan, scope.Exit{}))
	})
}

// politePool has every second borrower go back to the end of the line when it is served.
type politePool struct {
	realPool
	borrowers *atomic.Int64
}

func (p politePool) Lend(use bool, f func(int) Effect[Unit]) Effect[Unit] {
	return Suspend(func() Effect[Unit] {
		if p.borrowers.Add(1)%2 == 0 {
			return p.realPool.Lend(use, f)
		}
		return p.Get().Scoped().AndThen(p.realPool.Lend(use, f))
	})
}

// carefreePool lends what was invalidated.
type carefreePool struct{ realPool }

func (p carefreePool) Invalidate(int) Effect[Unit] { return Succeed(Unit{}) }

func poolWith(change func(realPool) anyPool) func(PoolConfig[int]) Effect[anyPool] {
	return func(config PoolConfig[int]) Effect[anyPool] {
		return NewPool(config).Map(func(p *Pool[int]) anyPool { return change(realPool{p}) })
	}
}

func crowdedPool(config PoolConfig[int]) Effect[anyPool] {
	config.Concurrency++
	return openPool(config)
}

func hoardingPool(config PoolConfig[int]) Effect[anyPool] {
	config.Min, config.TTL = config.Max, 0
	return openPool(config)
}

// ownerlessPool is not closed with the scope around it.
func ownerlessPool(config PoolConfig[int]) Effect[anyPool] {
	return openPool(config).InScope(scope.New())
}

// hastyPool releases an item a while after it was made, whether it is in use or not.
func hastyPool(config PoolConfig[int]) Effect[anyPool] {
	makes := config.Acquire
	config.Acquire = Suspend(func() Effect[int] {
		item := scope.New()
		return makes.InScope(item).Tap(func(int) Effect[Unit] {
			time.AfterFunc(5*ms, func() { _ = item.Close(context.Background(), scope.Exit{}) })
			return Succeed(Unit{})
		})
	})
	return openPool(config)
}

func TestThePoolModelCatches(t *testing.T) {
	for name, open := range map[string]func(PoolConfig[int]) Effect[anyPool]{
		"a pool that serves out of order":                poolWith(func(p realPool) anyPool { return politePool{p, new(atomic.Int64)} }),
		"a pool that lends what is invalid":              poolWith(func(p realPool) anyPool { return carefreePool{p} }),
		"a pool that lends an item to too many":          crowdedPool,
		"a pool that makes more than is needed":          hoardingPool,
		"a pool that does not release when it is closed": ownerlessPool,
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, poolPrograms(false), func(p poolProgram) string { return poolFollowsItsModel(p, open) })
		})
	}
}

func TestThePoolPropertyCatches(t *testing.T) {
	for name, open := range map[string]func(PoolConfig[int]) Effect[anyPool]{
		"a pool that leaks what an interrupted borrower had": poolWith(func(p realPool) anyPool { return leakyPool{p} }),
		"a pool that lends an item to too many":              crowdedPool,
		"a pool that keeps what idles":                       hoardingPool,
		"a pool that does not release when it is closed":     ownerlessPool,
		"a pool that releases what is in use":                hastyPool,
	} {
		t.Run(name, func(t *testing.T) {
			checkCatches(t, poolPrograms(true), func(p poolProgram) string { return poolLosesNothing(p, open) })
		})
	}
}
