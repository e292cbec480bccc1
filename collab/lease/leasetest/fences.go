package leasetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rivus/agentkit/errors"
)

// patience bounds what must come at once, and hesitation is what a wait must outlast.
const (
	patience   = 10 * time.Second
	hesitation = 50 * time.Millisecond
)

// fenceSoon takes a fence that should be free.
func (o *opened) fenceSoon(ctx context.Context, key string) (release func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return o.repository.Fence(ctx, key)
}

// fenceHeld fails unless the fence of key is held by somebody.
func (o *opened) fenceHeld(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, hesitation)
	defer cancel()
	release, err := o.repository.Fence(ctx, key)
	if err == nil {
		return errors.Join(errors.New("a fence that is held was given to another"), release())
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("waiting for a held fence ended with %w, want the context's end", err)
	}
	return nil
}

func oneHolder(ctx context.Context, o *opened) error {
	var inside, overlaps atomic.Int64
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				release, err := o.fenceSoon(ctx, "k")
				if err == nil {
					if inside.Add(1) > 1 {
						overlaps.Add(1)
					}
					time.Sleep(time.Millisecond)
					inside.Add(-1)
					err = release()
				}
				if err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	if n := overlaps.Load(); n > 0 {
		return fmt.Errorf("%d times a fence had two holders", n)
	}
	return failed
}

func interruptedWait(ctx context.Context, o *opened) error {
	release, err := o.fenceSoon(ctx, "k")
	if err != nil {
		return err
	}
	if err := o.fenceHeld(ctx, "k"); err != nil {
		return errors.Join(err, release())
	}
	other, err := o.fenceSoon(ctx, "other")
	if err != nil {
		return errors.Join(fmt.Errorf("the fence of another key is not free: %w", err), release())
	}
	if err := errors.Join(other(), release()); err != nil {
		return err
	}
	again, err := o.fenceSoon(ctx, "k")
	if err != nil {
		return fmt.Errorf("the fence is not free after its release: %w", err)
	}
	return again()
}
