package effect

import (
	"context"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// FiberHandle is a place for one fiber. It belongs to the handle, not to the fiber that started it: it runs until it is over,
// until another one takes its place, or until the handle closes with its scope, which interrupts it and waits for it (Effect's
// FiberHandle).
type FiberHandle[A any] struct {
	keeper[A]
	current *Fiber[A]
}

// NewFiberHandle is an empty handle that closes with the surrounding scope. Without a scope it is the defect [NoScope].
func NewFiberHandle[A any]() Effect[*FiberHandle[A]] {
	return Effect[*FiberHandle[A]]{eval: func(v *env) (*FiberHandle[A], *errors.Cause) {
		h := &FiberHandle[A]{}
		return h, h.open(v, "NewFiberHandle")
	}}
}

// Run starts e as the fiber of the handle, with the services and values of where it is called. The one before is interrupted, and
// not waited for. On a closed handle Run ends as interrupted.
func (h *FiberHandle[A]) Run(e Effect[A], options ...RunOption) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{eval: func(v *env) (*Fiber[A], *errors.Cause) {
		return h.runOrInterrupt(v, e, h.place(), options)
	}}
}

// RunNow is [FiberHandle.Run] for plain Go: with the services and values of ctx, whose cancellation does not touch the fiber
// (Effect's FiberHandle.runtime). On a closed handle it is a fiber that was interrupted before it began.
func (h *FiberHandle[A]) RunNow(ctx context.Context, e Effect[A], options ...RunOption) *Fiber[A] {
	return h.runNow(ctx, e, h.place(), options)
}

// Set gives the place to a fiber that runs already, as Run does. On a closed handle, or if it is not wanted, it interrupts the
// fiber.
func (h *FiberHandle[A]) Set(f *Fiber[A], options ...RunOption) Effect[Unit] {
	return h.hold(f, h.place(), options)
}

func (h *FiberHandle[A]) place() place[A] {
	return place[A]{get: func() *Fiber[A] { return h.current }, set: func(f *Fiber[A]) { h.current = f }}
}

// Get is the fiber of the handle.
func (h *FiberHandle[A]) Get() Effect[mo.Option[*Fiber[A]]] {
	return Sync(func() mo.Option[*Fiber[A]] {
		f, ok := h.GetNow()
		return mo.TupleToOption(f, ok)
	})
}

// GetNow is [FiberHandle.Get] for plain Go.
func (h *FiberHandle[A]) GetNow() (*Fiber[A], bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current, h.current != nil && !h.closed
}

// Clear interrupts the fiber, if there is one, and waits for it.
func (h *FiberHandle[A]) Clear() Effect[Unit] { return h.clear(h.found) }

// Join waits until a fiber does not succeed, and ends with its cause, or until the handle closes. Interruptions alone do not
// count; see [PropagateInterruption].
func (h *FiberHandle[A]) Join() Effect[Unit] { return h.joined.Await() }

// AwaitEmpty waits until there is no fiber.
func (h *FiberHandle[A]) AwaitEmpty() Effect[Unit] { return h.awaitEmpty(h.found) }

func (h *FiberHandle[A]) found() []*Fiber[A] {
	if h.current == nil {
		return nil
	}
	return []*Fiber[A]{h.current}
}
