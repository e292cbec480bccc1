package effect

import "github.com/rivus/agentkit/errors"

// Resource is a value that is loaded once and can be loaded again (Effect's Resource), with what loading it acquires. It is
// loaded with the services around its making. The scope there releases it.
type Resource[A any] struct {
	ref     *ScopedRef[Exit[A]]
	acquire Effect[A]
}

// NewResource loads a value by acquire; [Resource.Refresh] loads it anew (Effect's Resource.manual). That it cannot be loaded
// is not a failure of NewResource but of [Resource.Get]. Without a scope around it is the defect [NoScope].
func NewResource[A any](acquire Effect[A]) Effect[*Resource[A]] {
	return Effect[*Resource[A]]{eval: func(v *env) (*Resource[A], *errors.Cause) {
		acquire := acquire.WithServices(Services{v.services})
		e := NewScopedRef(ExitOf(acquire)).Map(func(ref *ScopedRef[Exit[A]]) *Resource[A] { return &Resource[A]{ref, acquire} })
		return e.exec(v)
	}}
}

// Get is the value that was loaded last. It fails as the first loading did, until one has succeeded.
func (r *Resource[A]) Get() Effect[A] {
	return Suspend(func() Effect[A] { return r.ref.Now().Effect() })
}

// Refresh loads the value anew, and then releases the old one. If it cannot be loaded, the old one stays, and Refresh fails as
// the loading did. It cannot be interrupted.
func (r *Resource[A]) Refresh() Effect[Unit] { return r.ref.Set(r.acquire.Map(ExitSucceed)) }
