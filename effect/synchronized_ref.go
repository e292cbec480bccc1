package effect

import (
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// SynchronizedRef is a [Ref] whose updates may be effects. One update runs after the other, in the order in which they came; Get
// waits for none (Effect's SynchronizedRef).
//
// An update that does not succeed, or is interrupted, leaves the value as it was. An update of a SynchronizedRef inside an update
// of the same one waits for itself.
type SynchronizedRef[A any] struct {
	turn    *Semaphore
	value   Ref[A]
	changed func(A) // called after each change, in turn; nil: nobody wants to know
}

// NewSynchronizedRef is a SynchronizedRef with a value.
func NewSynchronizedRef[A any](a A) *SynchronizedRef[A] {
	return &SynchronizedRef[A]{turn: NewSemaphore(1), value: Ref[A]{value: a}}
}

// Get is the value.
func (r *SynchronizedRef[A]) Get() Effect[A] { return r.value.Get() }

// GetNow is [SynchronizedRef.Get] for plain Go.
func (r *SynchronizedRef[A]) GetNow() A { return r.value.GetNow() }

// inTurn runs the effect that f makes of the value when it is its turn. pick says what comes of it: the value to have, and
// the one to set, if any.
func inTurn[A, R, B any](r *SynchronizedRef[A], f func(A) Effect[R], pick func(old A, result R) (B, mo.Option[A])) Effect[B] {
	return r.turn.WithPermits(1, Effect[B]{eval: func(v *env) (b B, _ *errors.Cause) {
		old := r.value.GetNow()
		e := f(old)
		result, c := e.deeper(v)
		if c != nil {
			return b, c
		}
		b, next := pick(old, result)
		if a, ok := next.Get(); ok {
			r.value.SetNow(a)
			if r.changed != nil {
				r.changed(a)
			}
		}
		return b, nil
	}})
}

// ModifyEffect changes the value to the second result of the effect that f makes, and has the first.
func (r *SynchronizedRef[A]) ModifyEffect[B any](f func(A) Effect[Pair[B, A]]) Effect[B] {
	return inTurn(r, f, func(_ A, p Pair[B, A]) (B, mo.Option[A]) { return p.First, mo.Some(p.Second) })
}

// ModifySomeEffect changes the value to the second result of the effect that f makes, if there is one, and has the first.
func (r *SynchronizedRef[A]) ModifySomeEffect[B any](f func(A) Effect[Pair[B, mo.Option[A]]]) Effect[B] {
	return inTurn(r, f, func(_ A, p Pair[B, mo.Option[A]]) (B, mo.Option[A]) { return p.First, p.Second })
}

// UpdateEffect changes the value to that of the effect that f makes.
func (r *SynchronizedRef[A]) UpdateEffect(f func(A) Effect[A]) Effect[Unit] {
	return inTurn(r, f, func(_, a A) (Unit, mo.Option[A]) { return Unit{}, mo.Some(a) })
}

// UpdateAndGetEffect changes the value to that of the effect that f makes, and has it.
func (r *SynchronizedRef[A]) UpdateAndGetEffect(f func(A) Effect[A]) Effect[A] {
	return inTurn(r, f, func(_, a A) (A, mo.Option[A]) { return a, mo.Some(a) })
}

// GetAndUpdateEffect changes the value to that of the effect that f makes, and has the old one.
func (r *SynchronizedRef[A]) GetAndUpdateEffect(f func(A) Effect[A]) Effect[A] {
	return inTurn(r, f, func(old, a A) (A, mo.Option[A]) { return old, mo.Some(a) })
}

// UpdateSomeEffect changes the value to what the effect that f makes has, if it has something.
func (r *SynchronizedRef[A]) UpdateSomeEffect(f func(A) Effect[mo.Option[A]]) Effect[Unit] {
	return inTurn(r, f, func(_ A, a mo.Option[A]) (Unit, mo.Option[A]) { return Unit{}, a })
}

// UpdateSomeAndGetEffect changes the value to what the effect that f makes has, if it has something, and has the value then.
func (r *SynchronizedRef[A]) UpdateSomeAndGetEffect(f func(A) Effect[mo.Option[A]]) Effect[A] {
	return inTurn(r, f, func(old A, a mo.Option[A]) (A, mo.Option[A]) { return a.OrElse(old), a })
}

// GetAndUpdateSomeEffect changes the value to what the effect that f makes has, if it has something, and has the old one.
func (r *SynchronizedRef[A]) GetAndUpdateSomeEffect(f func(A) Effect[mo.Option[A]]) Effect[A] {
	return inTurn(r, f, func(old A, a mo.Option[A]) (A, mo.Option[A]) { return old, a })
}

// Set changes the value to a.
func (r *SynchronizedRef[A]) Set(a A) Effect[Unit] { return r.SetAndGet(a).AsUnit() }

// GetAndSet changes the value to a, and has the old one.
func (r *SynchronizedRef[A]) GetAndSet(a A) Effect[A] {
	return r.Modify(func(old A) (A, A) { return old, a })
}

// SetAndGet changes the value to a, and has a.
func (r *SynchronizedRef[A]) SetAndGet(a A) Effect[A] {
	return r.Modify(func(A) (A, A) { return a, a })
}

// Update changes the value by f.
func (r *SynchronizedRef[A]) Update(f func(A) A) Effect[Unit] { return r.UpdateAndGet(f).AsUnit() }

// UpdateAndGet changes the value by f, and has the new one.
func (r *SynchronizedRef[A]) UpdateAndGet(f func(A) A) Effect[A] {
	return r.Modify(func(old A) (A, A) { a := f(old); return a, a })
}

// GetAndUpdate changes the value by f, and has the old one.
func (r *SynchronizedRef[A]) GetAndUpdate(f func(A) A) Effect[A] {
	return r.Modify(func(old A) (A, A) { return old, f(old) })
}

// UpdateSome changes the value by f, if f has something.
func (r *SynchronizedRef[A]) UpdateSome(f func(A) mo.Option[A]) Effect[Unit] {
	return r.UpdateSomeAndGet(f).AsUnit()
}

// UpdateSomeAndGet changes the value by f, if f has something, and has the value then.
func (r *SynchronizedRef[A]) UpdateSomeAndGet(f func(A) mo.Option[A]) Effect[A] {
	return r.ModifySome(func(old A) (A, mo.Option[A]) { a := f(old); return a.OrElse(old), a })
}

// GetAndUpdateSome changes the value by f, if f has something, and has the old one.
func (r *SynchronizedRef[A]) GetAndUpdateSome(f func(A) mo.Option[A]) Effect[A] {
	return r.ModifySome(func(old A) (A, mo.Option[A]) { return old, f(old) })
}

// Modify changes the value to the second result of f, and has the first.
func (r *SynchronizedRef[A]) Modify[B any](f func(A) (B, A)) Effect[B] {
	return r.ModifySome(func(old A) (B, mo.Option[A]) { b, a := f(old); return b, mo.Some(a) })
}

// ModifySome changes the value to the second result of f, if there is one, and has the first.
func (r *SynchronizedRef[A]) ModifySome[B any](f func(A) (B, mo.Option[A])) Effect[B] {
	return inTurn(r, Succeed, func(_, old A) (B, mo.Option[A]) { return f(old) })
}
