package leased

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rivus/agentkit/collab/lanes"
	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Config describes the lanes of one process.
type Config struct {
	// Lanes is how this process runs its part; see [lanes.Config]. Activate must be nil: it stands below. OnExit hears of
	// activations that ran, and not of keys that were left to another process.
	Lanes lanes.Config[string]

	// Leases manages the leases, in a store that all processes share. Required.
	Leases *lease.Manager

	// LeaseKey is the key of the lease of a lane. Defaults to the lane's own.
	LeaseKey func(key string) string

	// Wakes is where wakes are noted, in a store that all processes share. Required.
	Wakes Wakes

	// Activate is the work for one key, in a scope of its own. It is interrupted when the lease is lost. Required.
	Activate func(key string, held *lease.Lease) effect.Effect[effect.Unit]

	// ScanEvery is how often this process looks for notes that nobody serves: how long it takes until a killed process's are.
	// Defaults to 1 s.
	ScanEvery time.Duration
}

func (c Config) validate() error {
	switch {
	case c.Lanes.Activate != nil:
		return &lanes.ConfigInvalid{Field: "Lanes.Activate", Message: "must be nil: set Activate of the leased lanes"}
	case c.Leases == nil:
		return &lanes.ConfigInvalid{Field: "Leases", Message: "is required, and is nil"}
	case c.Wakes == nil:
		return &lanes.ConfigInvalid{Field: "Wakes", Message: "is required, and is nil"}
	case c.Activate == nil:
		return &lanes.ConfigInvalid{Field: "Activate", Message: "is required, and is nil"}
	case c.ScanEvery < 0:
		return &lanes.ConfigInvalid{Field: "ScanEvery", Message: "must not be negative, and is " + c.ScanEvery.String()}
	}
	return nil
}

// Lanes are this process's part of lanes that several processes share. Make them with [New].
type Lanes struct {
	config Config
	local  *lanes.Lanes[string]
	since  atomic.Pointer[time.Time] // when Close or Drain was first called
	served sync.Map                  // keys whose activation here found all wakes served, or has served them, until OnExit
}

// New opens this process's part. It lives as long as the scope around it: when that closes, running activations are interrupted
// as by [Lanes.Close], and left to other processes.
//
// It fails with [*lanes.ConfigInvalid], and dies when there is no scope around it.
func New(config Config) effect.Effect[*Lanes] {
	return effect.Gen(func(do effect.Do) (*Lanes, error) {
		if err := config.validate(); err != nil {
			return nil, err
		}
		if config.LeaseKey == nil {
			config.LeaseKey = func(key string) string { return key }
		}
		if config.ScanEvery == 0 {
			config.ScanEvery = time.Second
		}
		l := &Lanes{config: config}
		local := config.Lanes
		local.Activate, local.OnExit = l.activate, l.onExit
		l.local = do.Await(lanes.New(local))
		do.Await(effect.ForkScoped(l.scan()))
		do.Await(effect.AddFinalizer(func(scope.Exit) effect.Effect[effect.Unit] { return effect.Sync(l.refuse) }))
		return l, nil
	})
}

// Wake asks for an activation of key that begins after now, in this process or another one. When it succeeds, the wake is noted
// in the store, and will be served even if this process is killed. It waits for the store, and for nothing else.
//
// The result is what it has led to in this process; [lanes.WakeQueued] also when the queue is full, where the note waits.
//
// It fails with [*lanes.Closed] after Close or Drain, with [*lease.KeyInvalid], and with what the store fails with, such as a
// [*StoreFailure]. After a failure, or an interruption, the wake may be served all the same.
func (l *Lanes) Wake(key string) effect.Effect[lanes.WakeResult] {
	return effect.Try(func(ctx context.Context) (lanes.WakeResult, error) {
		if err := lease.ValidateKey(l.config.LeaseKey(key)); err != nil {
			return 0, err
		}
		if since := l.since.Load(); since != nil {
			return 0, &lanes.Closed{Key: key, Since: *since}
		}
		if err := l.config.Wakes.Note(ctx, key); err != nil {
			return 0, err
		}
		result, err := l.local.WakeNow(key)
		if _, full := errors.AsType[*lanes.QueueFull](err); full {
			return lanes.WakeQueued, nil
		}
		return result, err
	})
}

// Cancel takes away the note of key's wakes, interrupts its activation in this process, and waits until that has ended, as
// [lanes.Lanes.Cancel] does. One that runs in another process goes on.
func (l *Lanes) Cancel(key string) effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error {
		ticket, found, err := l.config.Wakes.Find(ctx, key)
		if err == nil && found {
			err = l.config.Wakes.Settle(ctx, key, ticket)
		}
		return err
	}).AndThen(l.local.Cancel(key))
}

// Close ends this process's part, as [lanes.Lanes.Close] does. Notes remain, those of interrupted activations too: other
// processes serve them.
func (l *Lanes) Close() effect.Effect[effect.Unit] {
	return effect.Sync(l.refuse).AndThen(l.local.Close())
}

// Drain takes no more wakes, runs what waits in this process, and closes its part, as [lanes.Lanes.Drain] does.
func (l *Lanes) Drain() effect.Effect[effect.Unit] {
	return effect.Sync(l.refuse).AndThen(l.local.Drain())
}

func (l *Lanes) refuse() (none effect.Unit) {
	now := time.Now()
	l.since.CompareAndSwap(nil, &now)
	return none
}

// Status is what this process's part does now.
func (l *Lanes) Status() lanes.Status[string] { return l.local.Status() }

// Subscribe is the stream of events of this process's part; see [lanes.Lanes.Subscribe]. A key that was left to another process
// has an activation that ended with [*HeldElsewhere] or [*Served].
func (l *Lanes) Subscribe(buffer int) effect.Effect[<-chan lanes.Event[string]] {
	return l.local.Subscribe(buffer)
}
