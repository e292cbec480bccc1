//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// A locker is a lock inside one process, as the model of its queue drives it.
type locker interface {
	// take waits for the lock, or fails when ctx ends first; without wait it fails at once if the lock is held.
	take(ctx context.Context, wait bool) (release func() error, err error)
	// held reports whether somebody holds the lock.
	held() (bool, error)
}

// realLocker is the subject.
type realLocker struct {
	path string
	o    processlock.Options
}

func (l realLocker) take(ctx context.Context, wait bool) (func() error, error) {
	o := l.o
	o.Wait = wait
	lock, err := processlock.Take(ctx, l.path, o)
	if err != nil {
		return nil, err
	}
	return lock.Release, nil
}

func (l realLocker) held() (bool, error) { return processlock.Probe(context.Background(), l.path, l.o) }

// A step of the model: an action, and for "cancel" which waiter.
type step struct {
	action string
	waiter int
}

// runQueue performs the steps on the subject beside the obvious model, a holder and a queue, and returns the first
// difference. It runs in a bubble, whose Wait says when every goroutine has got as far as it can.
func runQueue(l locker, steps []step) (difference error) {
	type waiter struct {
		cancel context.CancelFunc
		got    chan func() error // closed without a value when it ended otherwise
	}
	var release func() error
	var queue []waiter
	defer func() {
		for _, w := range queue {
			w.cancel()
		}
		if release != nil {
			difference = errors.Join(difference, release())
		}
		for _, w := range queue {
			if release, ok := <-w.got; ok {
				difference = errors.Join(difference, release())
			}
		}
	}()
	for _, s := range steps {
		switch s.action {
		case "wait":
			ctx, cancel := context.WithCancel(context.Background())
			w := waiter{cancel, make(chan func() error, 1)}
			go func() {
				if release, err := l.take(ctx, true); err == nil {
					w.got <- release
				}
				close(w.got)
			}()
			queue = append(queue, w)
		case "try":
			got, err := l.take(context.Background(), false)
			if (err == nil) != (release == nil) {
				return fmt.Errorf("try: %w, held %v", err, release != nil)
			}
			if err == nil {
				release = got
			}
		case "release":
			if release != nil {
				if err := release(); err != nil {
					return fmt.Errorf("release: %w", err)
				}
				release = nil
			}
		case "cancel":
			if len(queue) > 0 {
				n := s.waiter % len(queue)
				queue[n].cancel()
				if release, ok := <-queue[n].got; ok {
					return errors.Join(errors.New("a cancelled waiter got the lock"), release())
				}
				queue = slices.Delete(queue, n, n+1)
			}
		}
		synctest.Wait()
		for n, w := range queue {
			select {
			case got := <-w.got:
				if release != nil || n != 0 {
					return errors.Join(fmt.Errorf("waiter %d of %d got the lock, held %v", n, len(queue), release != nil), got())
				}
				release = got
			default:
			}
		}
		if release == nil && len(queue) > 0 {
			return errors.New("nobody got the free lock")
		}
		if len(queue) > 0 && release != nil {
			select {
			case <-queue[0].got: // closed: it has its lock
				queue = queue[1:]
			default:
			}
		}
		if held, err := l.held(); err != nil || held != (release != nil) {
			return fmt.Errorf("held: %v, %w; want %v", held, err, release != nil)
		}
	}
	return nil
}

// steps generates what a process may do with one lock.
var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		action: rapid.SampledFrom([]string{"wait", "wait", "try", "release", "release", "cancel"}).Draw(t, "action"),
		waiter: rapid.IntRange(0, 3).Draw(t, "waiter"),
	}
}), 1, 25)

func TestTurnsBehaveAsAQueue(t *testing.T) { // 0.2
	fakes(t, func(t *testing.T, m processlock.Mechanism, fake *platformtest.Fake) {
		l := realLocker{path: lockPath(t), o: processlock.Options{Platform: fake.Platform()}}
		rapid.Check(t, func(t *rapid.T) {
			what := steps.Draw(t, "steps")
			rapid.SyncTest(t, func(t *rapid.T) {
				if err := runQueue(l, what); err != nil {
					t.Fatal(err)
				}
			})
		})
	})
}

// stack is a faulty locker: it serves the waiter that came last.
type stack struct {
	mu      sync.Mutex
	taken   bool
	waiting []chan struct{}
	leaky   bool // it lets a second holder in beside the first
}

func (s *stack) take(ctx context.Context, wait bool) (func() error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken && !s.leaky {
		if !wait {
			return nil, errors.New("held")
		}
		turn := make(chan struct{})
		s.waiting = append(s.waiting, turn)
		s.mu.Unlock()
		select {
		case <-turn:
			s.mu.Lock()
		case <-ctx.Done():
			s.mu.Lock()
			s.waiting = slices.DeleteFunc(s.waiting, func(w chan struct{}) bool { return w == turn })
			return nil, ctx.Err()
		}
	}
	s.taken = true
	return s.release, nil
}

func (s *stack) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = len(s.waiting) > 0
	if s.taken {
		last := len(s.waiting) - 1
		close(s.waiting[last])
		s.waiting = s.waiting[:last]
	}
	return nil
}

func (s *stack) held() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, nil
}

func TestTheQueueModelNoticesFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := []step{{"try", 0}, {"wait", 0}, {"wait", 0}, {"release", 0}}
		if err := runQueue(&stack{}, waits); err == nil {
			t.Error("a lock that serves the last waiter first passes")
		}
		if err := runQueue(&stack{leaky: true}, []step{{"try", 0}, {"try", 0}}); err == nil {
			t.Error("a lock with two holders passes")
		}
		if err := runQueue(&stack{}, waits[:2]); err != nil {
			t.Errorf("without the fault taking effect: %v", err)
		}
	})
}
