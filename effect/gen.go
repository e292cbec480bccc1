package effect

import "github.com/rivus/agentkit/errors"

// Do is the handle of a generator's body, and the [context.Context] of its fiber. It must not be used on another goroutine, nor
// after the body has returned. (It is one pointer: handing it on as a context allocates nothing.)
type Do struct{ *generator }

type generator struct {
	env
	failed *errors.Cause // what unwound the body
	over   bool
}

// Gen is the effect whose body is a Go function: statements instead of a chain (Effect's gen). It is the documented default for
// anything longer than a chain of two.
//
// In the body, do.Await runs an effect, and do.Try and do.Check take what a Go call returned. Each ends the body when there
// is nothing to go on with: it unwinds, running the deferred functions. The body fails by returning an error, as a [Try] does.
//
// A recover in the body that swallows the unwinding does not swallow the failure.
func Gen[A any](body func(do Do) (A, error)) Effect[A] {
	return Effect[A]{eval: func(v *env) (A, *errors.Cause) {
		g := &generator{env: *v}
		g.twin = nil
		g.room -= generatorFrame + frame[A]()
		if g.room < 0 {
			return onFreshStack(&g.env, func() (A, *errors.Cause) { return generate(g, body) })
		}
		return generate(g, body)
	}}
}

const generatorFrame = 4

func generate[A any](g *generator, body func(Do) (A, error)) (a A, c *errors.Cause) {
	defer func() {
		g.over = true
		if r := recover(); r != nil {
			c = g.recovered(r)
		}
	}()
	a, err := body(Do{g})
	switch {
	case g.failed != nil: // a recover in the body swallowed the unwinding
		return *new(A), g.failed
	case err != nil:
		return *new(A), g.causeOf(err)
	}
	return a, nil
}

// Await runs e and returns its value. If e has none, or the fiber is interrupted, it ends the body with that cause.
func (d Do) Await[A any](e Effect[A]) A {
	if d.over {
		panic(errOver)
	}
	a, c := e.exec(&d.env)
	if c == nil && (d.done == nil || d.done.Err() == nil || d.kept) {
		d.kept = false // see halted
		return a
	}
	d.unwind(c)
	return a
}

// Try returns a, or ends the body with err if there is one: do.Try(os.Open(path)).
func (d Do) Try[A any](a A, err error) A {
	if err != nil {
		d.Check(err)
	}
	return a
}

// Check ends the body with err if there is one: do.Check(f.Sync()).
func (d Do) Check(err error) {
	if d.over {
		panic(errOver)
	}
	if err != nil {
		d.unwind(d.causeOf(err))
	}
}

func (g *generator) unwind(c *errors.Cause) {
	if c == nil {
		c = g.pending()
	}
	g.failed = c
	panic(unwinding{c})
}

// unwinding is what a body panics with to leave the generator. It prints as help, for where nobody can recover it: on another
// goroutine.
type unwinding struct{ cause *errors.Cause }

func (u unwinding) Cause() *errors.Cause { return u.cause }

func (u unwinding) String() string {
	return "effect: Do.Await, Do.Try or Do.Check ended a generator from another goroutine than its own: " + u.cause.Error()
}

var errOver = errors.New("effect: a Do was used after its generator had ended")
