package effect

import (
	"context"
	"iter"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Queues for plain Go: as iterators, from channels, and channels as effects.

// All takes values, waiting for each, until the queue is ended. When it ends otherwise, or ctx is done, the last pair has the
// zero value and the *errors.Cause of the queue, or the cause of ctx. The loop may be left: what it has not seen stays in the
// queue.
func (q *Queue[A]) All(ctx context.Context) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		for {
			a, c, ok := q.take(ctx)
			switch {
			case !ok:
				yield(a, context.Cause(ctx))
				return
			case isDone(c):
				return
			case c != nil:
				yield(a, c)
				return
			case !yield(a, nil):
				return
			}
		}
	}
}

// Values is [Queue.All] without the error, as slices.Collect wants it: it stops at the end of the queue, whatever the end, and
// when ctx is done. [Queue.Await] tells how the queue ended.
func (q *Queue[A]) Values(ctx context.Context) iter.Seq[A] {
	return func(yield func(A) bool) {
		for a, err := range q.All(ctx) {
			if err != nil || !yield(a) {
				return
			}
		}
	}
}

// Receive takes a value from a channel, for which it waits. From a closed channel it fails with [*Done].
func Receive[A any](ch <-chan A) Effect[A] {
	return Effect[A]{eval: func(v *env) (a A, _ *errors.Cause) {
		if v.stopped() {
			return a, v.pending()
		}
		if w := v.fiber.watched.Load(); w != nil {
			w.begin()
			defer w.end()
		}
		select {
		case a, ok := <-ch:
			if !ok {
				return a, errors.FailCause(&Done{})
			}
			v.kept = true
			return a, nil
		case <-v.Done():
			return a, v.pending()
		}
	}}
}

// Send puts a into a channel, for which it waits. To send to a closed channel is a defect.
func Send[A any](ch chan<- A, a A) Effect[Unit] {
	return Effect[Unit]{eval: func(v *env) (u Unit, _ *errors.Cause) {
		if v.stopped() {
			return u, v.pending()
		}
		if w := v.fiber.watched.Load(); w != nil {
			w.begin()
			defer w.end()
		}
		select {
		case ch <- a:
			return u, nil
		case <-v.Done():
			return u, v.pending()
		}
	}}
}

// QueueOf is a channel as a queue: a rendezvous that has what the channel has, and is ended when the channel is closed. The
// fiber that moves the values belongs to the surrounding scope, and the queue is shut down as the scope closes; a value that it
// had received and nobody had taken is then lost. Without a scope it is the defect [NoScope].
func QueueOf[A any](ch <-chan A) Effect[*Queue[A]] {
	return Effect[*Queue[A]]{eval: func(v *env) (*Queue[A], *errors.Cause) {
		if v.scope == nil {
			return nil, errors.DieCause(&NoScope{"QueueOf"})
		}
		q := NewBoundedQueue[A](0)
		shutdown := func(scope.Exit) Effect[Unit] { return q.Shutdown().AsUnit() }
		if c := v.addFinalizer(v.scope, shutdown); c != nil {
			return nil, c
		}
		move := Receive(ch).FlatMap(q.Offer)
		moving := Effect[Unit]{eval: func(v *env) (u Unit, c *errors.Cause) {
			for open := true; open && c == nil; {
				open, c = move.exec(v)
			}
			if isDone(c) {
				q.EndNow()
			}
			return u, nil
		}}
		forkIn(v, v.scope, moving, launch{})
		return q, nil
	}}
}
