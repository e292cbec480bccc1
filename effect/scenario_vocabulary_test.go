package effect_test

import (
	"strconv"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// E is a failure that is only a text.
type E = effecttest.Err

// The rules of cooperative and tied scenarios.
var (
	InOrder  = effecttest.InOrder
	AnyOrder = effecttest.AnyOrder
	Maybe    = effecttest.Maybe
	OrElse   = effecttest.OrElse
)

const ms = time.Millisecond

// sleep waits for n milliseconds.
func sleep(n int) Effect[Unit] { return Sleep(time.Duration(n) * ms) }

// seq runs effects one after the other.
func seq(effects ...Effect[Unit]) Effect[Unit] {
	return ForEachDiscard(effects, func(e Effect[Unit]) Effect[Unit] { return e })
}

// fail fails with E(text).
func fail[A any](text string) Effect[A] { return Fail[A](E(text)) }

// boom is a plain error, for what the original throws: Error("text").
func boom(text string) error { return errors.New(text) }

// acq is acquireRelease(log "acquire n"; n, (n, exit) => log "release n <exit>").
func (s *sc) acq(n string) Effect[string] {
	return AcquireRelease(s.Log("acquire ", n).As(n), func(n string, exit scope.Exit) Effect[Unit] {
		return s.Log("release ", n, " ", exit)
	})
}

// after waits for n milliseconds and logs.
func (s *sc) after(n int, parts ...any) Effect[Unit] { return sleep(n).AndThen(s.Log(parts...)) }

// onInterrupt is e, with a line for when it is interrupted.
func (s *sc) onInterrupt[A any](e Effect[A], parts ...any) Effect[A] {
	return e.OnInterrupt(func([]errors.FiberID) Effect[Unit] { return s.Log(parts...) })
}

// ids is the text of a set of fibers: {a,b}.
func (s *sc) ids(by []errors.FiberID) string {
	text := "{"
	for i, id := range by {
		if i > 0 {
			text += ","
		}
		text += s.Text(id)
	}
	return text + "}"
}

// interruptAfter forks e as "child", sleeps n, interrupts it and waits, and then gives its exit.
func (s *sc) interruptAfter[A any](n int, e Effect[A]) Effect[Exit[A]] {
	return Gen(func(do Do) (Exit[A], error) {
		child := do.Await(s.Fork("child", e))
		do.Await(sleep(n))
		do.Await(child.Interrupt())
		return do.Await(child.Await()), nil
	})
}

// notFound is a tagged failure.
type notFound struct{ ID int }

func (e *notFound) Tag() string { return "NotFound" }

// Error is empty: in traces it is NotFound{id:7}.
func (e *notFound) Error() string { return "" }

// N is a failure that is only a number.
type N int

func (n N) Error() string { return strconv.Itoa(int(n)) }

// tagged is a tagged failure with no more than that.
type tagged struct{ tag string }

func (t *tagged) Tag() string { return t.tag }

func (t *tagged) Error() string { return "" }
