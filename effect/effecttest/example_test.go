package effecttest_test

import (
	"fmt"

	"github.com/rivus/agentkit/effect/effecttest"
)

func ExampleCompare() {
	want := effecttest.Recording{Trace: []string{"start@0", "a@10", "b@10"}, Exit: "done"}
	got := effecttest.Recording{Trace: []string{"start@0", "b@10", "a@10"}, Exit: "done"}
	fmt.Println(effecttest.Compare(want, got, effecttest.Ties()))
	fmt.Println(effecttest.Compare(want, got, effecttest.Ties(effecttest.InOrder("a", "b"))) != nil)
	// Output:
	// <nil>
	// true
}

func ExampleTrace() {
	trace := effecttest.New()
	trace.Add("found ", []int{1, 2}, " of ", map[string]int{"max": 3})
	fmt.Println(trace.Lines())
	// Output: [found [1,2] of {max:3}]
}
