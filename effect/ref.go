package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Ref is a variable that fibers share. Each operation on it is one step that no other comes between (Effect's Ref).
//
// The functions that its methods take are called once, and must neither block nor use the Ref. A panic in one is a defect, and
// leaves the value as it was. For updates that are effects see [SynchronizedRef].
type Ref[A any] struct {
	mu    sync.Mutex
	value A
}

// NewRef is a Ref with a value.
func NewRef[A any](a A) *Ref[A] { return &Ref[A]{value: a} }

// Get is the value.
func (r *Ref[A]) Get() Effect[A] { return Sync(r.GetNow) }

// Set changes the value to a.
func (r *Ref[A]) Set(a A) Effect[Unit] {
	return Call(func() { r.SetNow(a) })
}

// GetAndSet changes the value to a, and has the old one.
func (r *Ref[A]) GetAndSet(a A) Effect[A] {
	return r.Modify(func(old A) (A, A) { return old, a })
}

// SetAndGet changes the value to a, and has a.
func (r *Ref[A]) SetAndGet(a A) Effect[A] {
	return r.Modify(func(A) (A, A) { return a, a })
}

// Update changes the value by f.
func (r *Ref[A]) Update(f func(A) A) Effect[Unit] {
	return r.Modify(func(old A) (Unit, A) { return Unit{}, f(old) })
}

// UpdateAndGet changes the value by f, and has the new one.
func (r *Ref[A]) UpdateAndGet(f func(A) A) Effect[A] {
	return r.Modify(func(old A) (A, A) { a := f(old); return a, a })
}

// GetAndUpdate changes the value by f, and has the old one.
func (r *Ref[A]) GetAndUpdate(f func(A) A) Effect[A] {
	return r.Modify(func(old A) (A, A) { return old, f(old) })
}

// UpdateSome changes the value by f, if f has something.
func (r *Ref[A]) UpdateSome(f func(A) mo.Option[A]) Effect[Unit] {
	return r.Update(orOld(f))
}

// UpdateSomeAndGet changes the value by f, if f has something, and has the value then.
func (r *Ref[A]) UpdateSomeAndGet(f func(A) mo.Option[A]) Effect[A] {
	return r.UpdateAndGet(orOld(f))
}

// GetAndUpdateSome changes the value by f, if f has something, and has the old one.
func (r *Ref[A]) GetAndUpdateSome(f func(A) mo.Option[A]) Effect[A] {
	return r.GetAndUpdate(orOld(f))
}

// Modify changes the value to the second result of f, and has the first.
func (r *Ref[A]) Modify[B any](f func(A) (B, A)) Effect[B] {
	return Effect[B]{eval: func(*env) (B, *errors.Cause) { return r.modify(f), nil }}
}

// ModifySome changes the value to the second result of f, if there is one, and has the first.
func (r *Ref[A]) ModifySome[B any](f func(A) (B, mo.Option[A])) Effect[B] {
	return r.Modify(func(old A) (B, A) {
		b, a := f(old)
		return b, a.OrElse(old)
	})
}

func (r *Ref[A]) modify[B any](f func(A) (B, A)) (b B) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, r.value = f(r.value)
	return b
}

// GetNow is [Ref.Get] for plain Go.
func (r *Ref[A]) GetNow() A {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value
}

// SetNow is [Ref.Set] for plain Go.
func (r *Ref[A]) SetNow(a A) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value = a
}

// UpdateNow is [Ref.UpdateAndGet] for plain Go.
func (r *Ref[A]) UpdateNow(f func(A) A) A {
	return r.modify(func(old A) (A, A) { a := f(old); return a, a })
}

// orOld is f, or the old value where f has none.
func orOld[A any](f func(A) mo.Option[A]) func(A) A {
	return func(old A) A { return f(old).OrElse(old) }
}
