package collab

import (
	"context"
	"path/filepath"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
)

// settled is long enough for a process to have begun to wait. What is measured
// begins after it.
const settled = 150 * time.Millisecond

// Latencies are how soon what one process gives up is another's.
func Latencies() []measure.Latency {
	return []measure.Latency{
		{Name: "process lock: from a release to a process that waits", Count: 20, Open: handOver, Median: 5 * time.Millisecond},
		{Name: "lease: from the holder's SIGKILL to a manager that waits", Count: 10, Open: takeOver, Median: 50 * time.Millisecond},
	}
}

// handOver takes a lock, lets another process wait for it, and releases it.
func handOver() (attempt func() (time.Duration, error), end func(), err error) {
	dir, remove, err := tempDir()
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "daemon.lock")
	waiter, err := start(roleTakeTurns, path)
	if err != nil {
		remove()
		return nil, nil, err
	}
	attempt = func() (time.Duration, error) {
		lock, err := processlock.Take(context.Background(), path, processlock.Options{})
		if err != nil {
			return 0, err
		}
		if err := waiter.send(); err != nil {
			return 0, err
		}
		time.Sleep(settled)
		released := time.Now()
		if err := lock.Release(); err != nil {
			return 0, err
		}
		taken, err := waiter.nextTime()
		if err != nil {
			return 0, err
		}
		if err := waiter.send(); err != nil {
			return 0, err
		}
		_, err = waiter.next() // until it has released the lock again
		return taken.Sub(released.Round(0)), err
	}
	return attempt, func() { waiter.kill(); remove() }, nil
}

// takeOver lets another process hold a lease, waits for it here, and kills the
// other process.
func takeOver() (attempt func() (time.Duration, error), end func(), err error) {
	dir, remove, err := tempDir()
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "leases.db")
	attempt = func() (time.Duration, error) {
		holder, err := start(roleHoldLease, path)
		if err != nil {
			return 0, err
		}
		defer holder.kill()
		if _, err := holder.next(); err != nil {
			return 0, err
		}
		var taken time.Time
		waiting := effect.Start(context.Background(), effect.TryCall(func(context.Context) error {
			return leased(path, lease.Wait, func() effect.Effect[unit] {
				return effect.Call(func() { taken = time.Now() })
			})
		}))
		time.Sleep(settled)
		killed := time.Now()
		holder.kill()
		<-waiting.Done()
		exit, _ := waiting.Poll()
		if exit.Cause != nil {
			return 0, exit.Cause
		}
		return taken.Sub(killed), nil
	}
	return attempt, remove, nil
}
