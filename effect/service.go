package effect

import (
	"context"
	"fmt"
	"strings"

	"github.com/rivus/agentkit/errors"
)

// Service is the key of something that surrounds effects, such as a repository or a logger. Keys are told apart by identity, so
// declare each once: var Repo = effect.NewService[Repository]("lease.Repository").
type Service[S any] struct {
	name     string
	fallback func() S // nil: no default
}

// NewService is a new key. The name is for messages.
func NewService[S any](name string) *Service[S] { return &Service[S]{name: name} }

// NewReference is a new key with a default, which f makes each time it is read (Effect's Context.Reference, v3's FiberRef).
func NewReference[S any](name string, f func() S) *Service[S] {
	return &Service[S]{name: name, fallback: f}
}

// String is the name.
func (k *Service[S]) String() string { return k.name }

// Get is the service that surrounds the effect. Without one, and without a default, it is a defect that names what is missing
// and what there is.
func (k *Service[S]) Get() Effect[S] {
	return Effect[S]{eval: func(v *env) (s S, _ *errors.Cause) {
		if s, ok := k.in(v.services); ok {
			return s, nil
		}
		return s, errors.DieCause(&ServiceNotFound{Key: k.name, Present: v.services.names()})
	}}
}

// From is the service that surrounds ctx: for plain Go inside an effect.
func (k *Service[S]) From(ctx context.Context) (s S, ok bool) {
	if v, _ := envOf(ctx); v != nil {
		return k.in(v.services)
	}
	return k.in(nil)
}

func (k *Service[S]) in(b *binding) (s S, ok bool) {
	for ; b != nil; b = b.next {
		if b.key == any(k) {
			return b.value.(S), true
		}
	}
	if k.fallback != nil {
		return k.fallback(), true
	}
	return s, false
}

// Of binds a service to the key, for [Effect.With].
func (k *Service[S]) Of(s S) Binding { return Binding{k, s} }

// Binding is a service with its key.
type Binding struct {
	key   fmt.Stringer
	value any
}

// With is e surrounded by these services. An inner binding of a key wins over an outer one.
func (e Effect[A]) With(bindings ...Binding) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		return e.exec(v.with(v.scope, v.services.bind(bindings)))
	}}
}

// binding is the innermost service of a list.
type binding struct {
	key   fmt.Stringer
	value any
	next  *binding
}

func (b *binding) bind(bindings []Binding) *binding {
	for _, n := range bindings {
		b = &binding{n.key, n.value, b}
	}
	return b
}

func (b *binding) names() (out []string) {
	for ; b != nil; b = b.next {
		out = append(out, b.key.String())
	}
	return out
}

// ServiceNotFound is the defect of an effect that needs a service which nothing around it provides.
type ServiceNotFound struct {
	Key     string
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
