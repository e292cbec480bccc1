package effecttest

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/effect"
)

// Run runs e under virtual time and returns how it ended. A goroutine that is left over fails the test. See [Bubble].
func Run[A any](t *testing.T, e effect.Effect[A]) (exit effect.Exit[A]) {
	t.Helper()
	Bubble(t, func(t *testing.T) { exit = effect.RunExit(t.Context(), e) })
	return exit
}

// Bubble calls f with time made virtual (see testing/synctest). When f has returned, time runs on for an hour; a goroutine
// that is left then fails the test. If it can never end, the test ends with the deadlock that synctest reports.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		defer func() {
			t.Helper()
			if left := Leftover(); left != "" {
				t.Errorf("goroutines are left:\n\n%s", left)
			}
		}()
		f(t)
	})
}

// Leftover is the stacks of the goroutines of the bubble besides the one that calls it, once time has run on for an hour; empty
// when there are none. [Bubble] calls it by itself.
func Leftover() string {
	if _, inBubble := bubbleOf(string(allStacks())); !inBubble {
		panic("effecttest: not in a bubble of virtual time; use Run or Bubble")
	}
	for _, wait := range []time.Duration{0, time.Hour} {
		time.Sleep(wait)
		synctest.Wait()
		if others() == nil {
			return ""
		}
	}
	return strings.Join(others(), "\n\n")
}

// others are the stacks of the other goroutines of the bubble.
func others() (stacks []string) {
	all := strings.Split(string(allStacks()), "\n\n")
	bubble, _ := bubbleOf(all[0])
	for _, stack := range all[1:] {
		if b, _ := bubbleOf(stack); b == bubble && !ofSynctest(stack) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// ofSynctest recognises the two goroutines by which synctest itself runs the test.
func ofSynctest(stack string) bool {
	return strings.Contains(stack, "synctest.Run(") || strings.Contains(stack, "created by testing/synctest.Test in")
}

// bubbleOf is the bubble that a stack's first goroutine is in, as its header names it.
func bubbleOf(stack string) (bubble string, ok bool) {
	header, _, _ := strings.Cut(stack, "\n")
	_, after, ok := strings.Cut(header, "synctest bubble ")
	bubble, _, _ = strings.Cut(strings.TrimSuffix(after, "]:"), ",") // other states may follow
	return bubble, ok
}

func allStacks() []byte {
	for buf := make([]byte, 64<<10); ; buf = make([]byte, 4*len(buf)) {
		if n := runtime.Stack(buf, true); n < len(buf) {
			return buf[:n]
		}
	}
}
