package effect

import (
	"slices"

	"github.com/rivus/agentkit/errors"
)

// Services is an immutable set of services with their keys (Effect's Context). The zero value is empty. See [Service.In].
type Services struct{ top *binding }

// Binding is a service with its key.
type Binding struct {
	key   *key
	value any // a *S for the key of an S: told apart by one comparison, whatever S is
}

// NewServices is the set of these services. The last binding of a key wins.
func NewServices(bindings ...Binding) Services { return Services{}.And(bindings...) }

// CurrentServices is the set that surrounds the effect (Effect's context).
func CurrentServices() Effect[Services] {
	return Effect[Services]{eval: func(v *env) (Services, *errors.Cause) { return Services{v.services}, nil }}
}

// And is the set with more services, which win over those it has.
func (s Services) And(bindings ...Binding) Services { return Services{s.top.bind(bindings)} }

// Merge is the set with those of o, which win (Effect's Context.merge).
func (s Services) Merge(o Services) Services {
	if s.top == nil {
		return o
	}
	return s.And(o.top.bindings()...)
}

// Names are the names of the keys, innermost first.
func (s Services) Names() []string { return s.top.names() }

// WithServices is e surrounded by a set of services (Effect's provideContext).
func (e Effect[A]) WithServices(services Services) Effect[A] {
	bindings := services.top.bindings()
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		e := e
		if v.services == nil {
			return e.among(v, v.with(v.scope, services.top))
		}
		return e.among(v, v.with(v.scope, v.services.bind(bindings)))
	}}
}

// binding is the innermost service of a list.
type binding struct {
	key     *key
	value   any
	next    *binding
	monitor *Monitor // the innermost one, at hand because every fork asks for it
}

func (b *binding) bind(bindings []Binding) *binding {
	for _, n := range bindings {
		b = &binding{n.key, n.value, b, b.watcher()}
		if n.isMonitor() {
			b.monitor = *n.value.(**Monitor)
		}
	}
	return b
}

// find is the innermost value of a key; nil without one.
func (b *binding) find(k *key) any {
	for ; b != nil; b = b.next {
		if b.key == k {
			return b.value
		}
	}
	return nil
}

// isMonitor, like others that are not inlined, keeps the mention of a service's key out of generic functions: see [task].
//
//go:noinline
func (b Binding) isMonitor() bool { return b.key == &Monitoring.key }

// bindings is the list without what is shadowed, innermost last.
func (b *binding) bindings() (out []Binding) {
	for ; b != nil; b = b.next {
		if !slices.ContainsFunc(out, func(n Binding) bool { return n.key == b.key }) {
			out = append(out, Binding{b.key, b.value})
		}
	}
	slices.Reverse(out)
	return out
}

func (b *binding) names() (out []string) {
	for _, n := range slices.Backward(b.bindings()) {
		if n.key.name != "" {
			out = append(out, n.key.name)
		}
	}
	return out
}
