package processlock

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// Take takes the lock at path and returns the handle that holds it: the plain form of [Acquire], for code that releases
// the lock itself. Acquisitions of one path inside this process take turns in the order in which they asked.
//
// It fails with [*Held] when somebody else holds the lock and options.Wait is not set, [*PathInvalid],
// [*PermissionDenied], [*Failure], [*ConfigInvalid], [*platform.LockKindTooLate], and without SQLite with
// [*platform.IdentityUnavailable]. When ctx ends first, also inside an attempt, it returns the context's error with its
// cause, and the lock, if it was just obtained, is released again.
func Take(ctx context.Context, path string, options Options) (*Lock, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, interruption(ctx)
	}
	p := options.Platform
	at, err := locate(ctx, p, path)
	if err != nil {
		return nil, err
	}
	if err := at.checkFree(ctx, p); err != nil {
		return nil, err
	}
	turn := turnKey{owner: owner(p), path: at.full}
	if options.Wait {
		if err := turns.take(ctx, turn); err != nil {
			return nil, err
		}
	} else if !turns.tryTake(turn) {
		return nil, &Held{Path: path, Holder: recorded(p, at)}
	}
	turns.outlast()
	g, err := contend(ctx, at, options)
	if err != nil {
		turns.pass(turn)
		return nil, err
	}
	return &Lock{path: path, grip: g, turn: turn}, nil
}

// A contender makes one acquisition's attempts at a lock.
type contender interface {
	// attempt tries to take the lock. Refused, it fails with *Held.
	attempt(ctx context.Context, first bool) (grip, error)
	// worthTrying is the cheap watch: it reports whether the lock may have become free since the last attempt.
	worthTrying() bool
	// close releases what the attempts share, unless it went into a grip.
	close() error
}

// A grip is a lock that is held.
type grip interface {
	mechanism() Mechanism
	// stamp is the record that was left, if any.
	stamp() (stamp, bool)
	// verify fails with *Lost when the lock no longer excludes others.
	verify(ctx context.Context) error
	// release lets go whatever happens, and reports *Lost or what went wrong.
	release(ctx context.Context) error
}

// contend attempts until the lock is taken, or once without Wait.
func contend(ctx context.Context, at location, options Options) (g grip, err error) {
	var c contender
	if options.Platform.SQLite != nil {
		c = &sqliteContender{at: at, platform: options.Platform}
	} else {
		c = newFileContender(at, options)
	}
	defer func() {
		if closed := c.close(); closed != nil && err == nil {
			err = errors.Join(failed(ctx, at.given, "close", closed), g.release(context.WithoutCancel(ctx)))
			g = nil
		}
	}()
	for n := 0; ; n++ {
		g, err := c.attempt(ctx, n == 0)
		if err == nil && ctx.Err() != nil {
			_ = g.release(context.WithoutCancel(ctx)) // the caller hears of its interruption
			return nil, interruption(ctx)
		}
		if _, held := errors.AsType[*Held](err); !held || !options.Wait {
			return g, err
		}
		if err := await(ctx, c, options.Platform.Clock, backoff(options.Retry.MustGet(), n)); err != nil {
			return nil, err
		}
	}
}

// backoff is the pause after attempt n: doubling up to maxBackoff times the first, 25 % more or less.
func backoff(first time.Duration, n int) time.Duration {
	pause := float64(first) * float64(min(1<<min(n, 30), maxBackoff)) * between(0.75, 1.25)
	return time.Duration(min(pause, math.MaxInt64/2)) // some centuries; beyond there is no such duration
}

// between is uniformly random in [a, b).
func between(a, b float64) float64 { return a + (b-a)*rand.Float64() }

// await pauses for d, or until the watch says that another attempt is worth it.
func await(ctx context.Context, c contender, clock platform.Clock, d time.Duration) error {
	begin := clock.Monotonic()
	for {
		waited := clock.Monotonic() - begin
		if waited >= d {
			return nil
		}
		if err := sleep(ctx, min(watchPause(waited), d-waited)); err != nil {
			return err
		}
		if c.worthTrying() {
			return nil
		}
	}
}

// watchPause is the time between two looks at the lock: often at first, when a hand-off is likely, then every 5 ms or
// so, which costs a thousandth of a processor. It is random so that waiters do not move in step.
func watchPause(waited time.Duration) time.Duration {
	usual := min(max(waited/100, time.Millisecond), 5*time.Millisecond)
	return time.Duration(float64(usual) * between(0.5, 1.25))
}

// sleep waits for d, or fails when ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return interruption(ctx)
	}
}
