package effect

import (
	"runtime"
	"unsafe"

	"github.com/rivus/agentkit/errors"
)

// Running what stands to the left of a combinator nests calls, and the end of Go's stack (1 GB) cannot be recovered from. So a
// region counts how much room its goroutine has left, and when there is none the work goes on on a fresh goroutine while this
// one waits. It costs about a nanosecond a level.

// fullRoom is the room of a fresh goroutine, in frames of small values. A small frame takes about 200 bytes, a generator's a
// kilobyte, so this is a few megabytes of stack, and leaves user code between the levels as much again a hundred times over.
const fullRoom = 4096

// frame is the room that one level over a value of type A takes: the value is on the stack several times.
func frame[A any]() int32 { return 1 + int32(unsafe.Sizeof(*new(A))/32) }

// deeper runs e one level down. Every combinator that runs an effect by a call rather than as its tail goes through here, or
// counts by itself where that is faster.
func (e *Effect[A]) deeper(v *env) (a A, c *errors.Cause) {
	room := v.room
	if v.room = room - frame[A](); v.room >= 0 {
		a, c = e.exec(v)
	} else {
		a, c = hop(v, *e)
	}
	v.room = room
	return a, c
}

// hop runs e in region v on a fresh goroutine.
func hop[A any](v *env, e Effect[A]) (A, *errors.Cause) {
	return onFreshStack(v, func() (A, *errors.Cause) { return e.protect(v) })
}

// onFreshStack calls f, which must not panic, on a fresh goroutine with full room in v.
func onFreshStack[A any](v *env, f func() (A, *errors.Cause)) (a A, c *errors.Cause) {
	room := v.room
	v.room = fullRoom
	returned := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		a, c = f()
		returned = true
	}()
	<-done
	v.room = room
	if !returned {
		runtime.Goexit()
	}
	return a, c
}
