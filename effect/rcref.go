package effect

import "time"

// RcRef is one resource that counts who uses it (Effect's RcRef): an [RcMap] of one key, with the same rules.
type RcRef[A any] struct{ of *RcMap[Unit, A] }

// NewRcRef is a reference to what acquire makes when it is first needed, which the surrounding scope owns. A resource that
// nobody uses is kept for idleTTL, zero for not at all. Without a scope it is the defect [NoScope].
func NewRcRef[A any](acquire Effect[A], idleTTL time.Duration) Effect[*RcRef[A]] {
	return NewRcMap(RcMapConfig[Unit, A]{
		Acquire: func(Unit) Effect[A] { return acquire },
		IdleTTL: func(Unit) time.Duration { return idleTTL },
	}).Map(func(m *RcMap[Unit, A]) *RcRef[A] { return &RcRef[A]{m} })
}

// Get is the resource, for as long as the surrounding scope is open. Without a scope it is the defect [NoScope]; when the owner
// has closed it is an interruption. It fails as the acquisition does.
func (r *RcRef[A]) Get() Effect[A] { return r.of.Get(Unit{}) }

// Invalidate lets go of the resource. See [RcMap.Invalidate].
func (r *RcRef[A]) Invalidate() Effect[Unit] { return r.of.Invalidate(Unit{}) }
