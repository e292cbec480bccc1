package lease

import (
	"context"
	"errors"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform"
)

// A StoreOption changes how [OpenSQLite] and [OpenFile] open a repository.
type StoreOption func(*storeOptions)

type storeOptions struct{ platform *platform.Platform }

// WithPlatform makes the repository reach files, processes, clocks and SQLite through p.
// Defaults to platform.OS().
func WithPlatform(p *platform.Platform) StoreOption {
	return func(o *storeOptions) { o.platform = p }
}

func resolveStore(opts []StoreOption) storeOptions {
	o := storeOptions{}
	for _, opt := range opts {
		opt(&o)
	}
	if o.platform == nil {
		o.platform = platform.OS()
	}
	return o
}

// lockRetry is the shortest pause between attempts at a fence or a guard.
const lockRetry = 10 * time.Millisecond

// takeFence waits for the fence of key, which is the process lock at path.
func takeFence(ctx context.Context, p *platform.Platform, key, path string) (release func() error, _ error) {
	lock, err := processlock.Take(ctx, path, processlock.Options{Wait: true, Retry: mo.Some(lockRetry), Platform: p})
	if err != nil {
		if interrupted(ctx, err) {
			return nil, err
		}
		return nil, &RepositoryFailure{Key: key, Reason: IO, Message: "take the fence", Cause: err}
	}
	return func() error {
		if err := lock.Release(); err != nil {
			return &RepositoryFailure{Key: key, Reason: IO, Message: "give back the fence", Cause: err}
		}
		return nil
	}, nil
}

// interrupted reports whether err only says that ctx is done.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// pause waits for d, or fails with the cause of ctx when it is done first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
