package lease_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

// managers are two processes, 7 and 8, of a machine that can kill them, over one repository.
func managers(repository lease.Repository, onEvent func(lease.Event)) (first, second *lease.Manager, machine *platformtest.Fake) {
	machine = platformtest.New()
	machine.Processes.Start(7)
	machine.Processes.Start(8)
	config := lease.Config{TTL: time.Minute, Heartbeat: 5 * time.Millisecond, OnEvent: onEvent}
	config.Platform = machine.As(7)
	first, _ = lease.NewManager(repository, config)
	config.Platform = machine.As(8)
	second, _ = lease.NewManager(repository, config)
	return first, second, machine
}

// show prints how a scoped program ends.
func show[A any](e effect.Effect[A]) { fmt.Println(effect.RunExit(context.Background(), e.Scoped())) }

func ExampleManager_Acquire() {
	mine, theirs, _ := managers(lease.NewMemory(), nil)
	show(effect.Gen(func(do effect.Do) (string, error) {
		do.Await(mine.Acquire("task:42").Scoped()) // given back when its scope closes
		held := do.Await(theirs.Acquire("task:42"))
		return held.Token().String(), nil
	}))
	// Output: Success(task:42#2)
}

func ExampleHeld() {
	mine, theirs, _ := managers(lease.NewMemory(), nil)
	show(mine.Acquire("task:42").AndThen(theirs.Acquire("task:42").Map((*lease.Lease).Key)).
		CatchAs(func(held *lease.Held) effect.Effect[string] {
			return effect.Succeed(fmt.Sprint("it belongs to ", held.Holder))
		}))
	// Output: Success(it belongs to pid 7 on host)
}

func ExampleAcquireOption() {
	mine, theirs, _ := managers(lease.NewMemory(), nil)
	show(effect.Gen(func(do effect.Do) (string, error) {
		held := do.Await(mine.Acquire("task:42"))
		var patiently lease.AcquireOption = lease.Wait
		next := do.Await(effect.Fork(theirs.Acquire("task:42", patiently).Map((*lease.Lease).Token).Scoped()))
		do.Await(held.Release())
		return do.Await(next.Join()).String(), nil
	}))
	// Output: Success(task:42#2)
}

// A dead holder's lease is free at once.
func ExampleTakeover() {
	mine, theirs, machine := managers(lease.NewMemory(), nil)
	show(effect.Gen(func(do effect.Do) (string, error) {
		do.Await(mine.Acquire("task:42"))
		machine.Processes.Kill(7)
		var from lease.Takeover = do.Await(theirs.Acquire("task:42")).Takeover().MustGet()
		return fmt.Sprint(from.From, ": ", from.Reason), nil
	}))
	// Output: Success(pid 7 on host: the holder's process is gone)
}

// Work is interrupted when the lease is lost.
func ExampleLost() {
	mine, theirs, machine := managers(lease.NewMemory(), nil)
	show(effect.Gen(func(do effect.Do) (string, error) {
		held := do.Await(mine.Acquire("task:42"))
		work := do.Await(effect.Fork(held.WhileHeld(effect.Never[string]())))
		machine.Processes.Kill(7) // or so it seems to process 8
		do.Await(theirs.Acquire("task:42"))
		return do.Await(work.Join()), nil
	}).CatchAs(func(lost *lease.Lost) effect.Effect[string] {
		return effect.Succeed(fmt.Sprint(lost.Reason == lease.TakenOver, " by ", lost.By))
	}))
	// Output: Success(true by pid 8 on host)
}

func ExampleLease() {
	mine, _, _ := managers(lease.NewMemory(), nil)
	describe := func(l *lease.Lease) string {
		return fmt.Sprint(l.Token(), ", lost: ", l.Context().Err() != nil, ", taken from somebody: ", l.Takeover().IsPresent())
	}
	show(mine.Acquire("task:42").Map(describe))
	// Output: Success(task:42#1, lost: false, taken from somebody: false)
}

// Fenced work of one key never overlaps. To wait for it inside of itself would never end.
func ExampleReentrant() {
	mine, _, _ := managers(lease.NewMemory(), nil)
	show(mine.Acquire("task:42").FlatMap(func(l *lease.Lease) effect.Effect[string] {
		return l.RunFenced(func(lease.Token) effect.Effect[string] {
			return l.RunFenced(func(token lease.Token) effect.Effect[string] { return effect.Succeed(token.String()) })
		})
	}).CatchAs(func(inside *lease.Reentrant) effect.Effect[string] {
		return effect.Succeed("refused: " + inside.Operation)
	}))
	// Output: Success(refused: run fenced)
}

func ExampleEvent() {
	report := func(event lease.Event) {
		switch e := event.(type) {
		case lease.Acquired:
			fmt.Println("acquired", e.Token)
		case lease.Released:
			fmt.Println("released", e.Token)
		case lease.RenewFailed:
			fmt.Println("not renewed", e.Failures, "times:", e.Err)
		case *lease.Lost:
			fmt.Println("lost:", e.Reason)
		}
	}
	mine, _, _ := managers(lease.NewMemory(), report)
	show(mine.Acquire("task:42").AsUnit())
	// Output:
	// acquired task:42#1
	// released task:42#1
	// Success({})
}

func ExampleConfigInvalid() {
	_, err := lease.NewManager(lease.NewMemory(), lease.Config{TTL: time.Second, Heartbeat: time.Minute})
	if wrong, ok := errors.AsType[*lease.ConfigInvalid](err); ok {
		what, _, _ := strings.Cut(wrong.Message, ":")
		fmt.Println(what)
	}
	// Output: TTL 1s is less than twice Heartbeat 1m0s
}

func ExampleKeyInvalid() {
	refused, ok := errors.AsType[*lease.KeyInvalid](lease.ValidateKey(""))
	fmt.Println(ok, refused.Message)
	fmt.Println(lease.ValidateKey("any text: ü, /, 42"))
	// Output:
	// true it is empty
	// <nil>
}
