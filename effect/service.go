package effect

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// Service is the key of something that surrounds effects, such as a repository or a logger. Keys are told apart by identity, so
// declare each once: var Repo = effect.NewService[Repository]("lease.Repository").
type Service[S any] struct {
	key
	fallback func() S // nil: no default
}

// key is what bindings and layers know of a service: its identity, and the name for messages. A nameless one is the library's
// own and is not shown.
type key struct{ name string }

// hidden is the key of something that the library itself lets travel with effects.
type hidden[S any] struct{ key }

func (k *hidden[S]) of(s S) Binding { return Binding{&k.key, &s} }

func (k *hidden[S]) in(b *binding) (s S, ok bool) {
	if s := b.find(&k.key); s != nil {
		return *s.(*S), true
	}
	return s, false
}

// Key is any [Service], for functions that list several.
type Key interface {
	fmt.Stringer
	identity() *key
}

// NewService is a new key (Effect's Context.Service). The name is for messages.
func NewService[S any](name string) *Service[S] { return &Service[S]{key: key{name}} }

// NewReference is a new key with a default, which f makes when it is first needed (Effect's Context.Reference, v3's FiberRef).
func NewReference[S any](name string, f func() S) *Service[S] {
	return &Service[S]{key: key{name}, fallback: sync.OnceValue(f)}
}

// String is the name.
func (k *key) String() string { return k.name }

func (k *key) identity() *key { return k }

// Get is the service that surrounds the effect. Without one, and without a default, it is the defect [ServiceNotFound].
func (k *Service[S]) Get() Effect[S] {
	return Effect[S]{eval: func(v *env) (s S, _ *errors.Cause) {
		if s, ok := k.in(v.services); ok {
			return s, nil
		}
		return s, errors.DieCause(k.missing(v.services))
	}}
}

// ServiceOption is the service that surrounds the effect, if there is one.
func ServiceOption[S any](k *Service[S]) Effect[mo.Option[S]] {
	return Effect[mo.Option[S]]{eval: func(v *env) (mo.Option[S], *errors.Cause) {
		return mo.TupleToOption(k.in(v.services)), nil
	}}
}

// From is the service that surrounds ctx: for plain Go inside an effect.
func (k *Service[S]) From(ctx context.Context) (s S, ok bool) {
	if v, _ := envOf(ctx); v != nil {
		return k.in(v.services)
	}
	return k.in(nil)
}

// In is the service in a set.
func (k *Service[S]) In(services Services) (S, bool) { return k.in(services.top) }

func (k *Service[S]) in(b *binding) (s S, ok bool) {
	if s := b.find(&k.key); s != nil {
		return *s.(*S), true
	}
	if k.fallback != nil {
		return k.fallback(), true
	}
	return s, false
}

func (k *Service[S]) missing(b *binding) *ServiceNotFound {
	return &ServiceNotFound{Key: k.name, Present: b.names()}
}

// Of binds a service to the key, for [Effect.With].
func (k *Service[S]) Of(s S) Binding { return Binding{&k.key, &s} }

// With is e surrounded by these services (Effect's provideService). An inner binding of a key wins over an outer one.
func (e Effect[A]) With(bindings ...Binding) Effect[A] {
	if len(bindings) == 1 && !bindings[0].isMonitor() {
		b := bindings[0]
		return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
			e := e
			w := &struct { // one allocation
				env     env
				binding binding
			}{env: *v}
			w.binding = binding{b.key, b.value, v.services, v.services.watcher()}
			w.env.services, w.env.twin = &w.binding, nil
			return e.deeper(&w.env)
		}}
	}
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		return e.among(v, v.with(v.scope, v.services.bind(bindings)))
	}}
}

// WithEffect is e surrounded by the service that service makes, anew in each run (Effect's provideServiceEffect).
func (e Effect[A]) WithEffect[S any](k *Service[S], service Effect[S]) Effect[A] {
	return service.FlatMap(func(s S) Effect[A] { return e.With(k.Of(s)) })
}

// WithUpdated is e surrounded by what f makes of the service around it (Effect's updateService). Without one, and without a
// default, it is the defect [ServiceNotFound].
func (e Effect[A]) WithUpdated[S any](k *Service[S], f func(S) S) Effect[A] {
	return k.Get().FlatMap(func(s S) Effect[A] { return e.With(k.Of(f(s))) })
}

// ServiceNotFound is the defect of an effect that needs a service which nothing around it provides.
type ServiceNotFound struct {
	Key     string   // the name of the missing service
	Present []string // what is there, innermost first
}

// Error names the service, what there is, and the remedy.
func (e *ServiceNotFound) Error() string {
	present := "none"
	if len(e.Present) > 0 {
		present = strings.Join(e.Present, ", ")
	}
	return fmt.Sprintf("Service not found: %s (present: %s); surround the effect with it by With or Provide", e.Key, present)
}
