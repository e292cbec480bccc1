package effecttest_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
)

func ExampleCooperative() {
	want := effecttest.Recording{Trace: []string{"a began", "b began", "a ended", "b ended"}}
	got := effecttest.Recording{Trace: []string{"b began", "a began", "a ended", "b ended"}}
	// Two fibers at once: each begins before it ends, and nothing else is promised.
	order := effecttest.Cooperative(
		effecttest.InOrder("a began", "a ended"),
		effecttest.InOrder("b began", "b ended"))
	fmt.Println(effecttest.Compare(want, got, order))
	fmt.Println(effecttest.Compare(want, got, effecttest.Forced) != nil)
	// Output:
	// <nil>
	// true
}

func ExampleAnyOrder() {
	want := effecttest.Recording{Trace: []string{"a", "b", "c"}}
	got := effecttest.Recording{Trace: []string{"c", "a", "b"}}
	fmt.Println(effecttest.Compare(want, got, effecttest.Cooperative(effecttest.AnyOrder())))
	// Output: <nil>
}

func ExampleMaybe() {
	// The loser of a race may get as far as its first line, or not.
	want := effecttest.Recording{Trace: []string{"the loser began", "won"}}
	order := effecttest.Cooperative(effecttest.Maybe("the loser began"))
	for _, trace := range [][]string{{"won"}, {"the loser began", "won"}} {
		fmt.Println(effecttest.Compare(want, effecttest.Recording{Trace: trace}, order))
	}
	// Output:
	// <nil>
	// <nil>
}

func ExampleOrElse() {
	left := effecttest.Recording{Trace: []string{"left won"}, Exit: "left"}
	right := effecttest.Recording{Trace: []string{"right won"}, Exit: "right"}
	fmt.Println(effecttest.Compare(left, right, effecttest.Cooperative(effecttest.OrElse(right))))
	// Output: <nil>
}

func ExampleErr() {
	trace := effecttest.New()
	program := effect.Fail[int](effecttest.Err("no disk"))
	_ = effect.RunExit(context.Background(), trace.LogExit(program))
	fmt.Println(trace.Lines())
	// Output: [Failure[Fail(no disk)]]
}

func ExampleNewTimed() {
	trace := effecttest.NewTimed()
	trace.Add("started")
	line, at, _ := strings.Cut(trace.Lines()[0], "@")
	fmt.Println(line, at != "") // the milliseconds since the trace was made
	// Output: started true
}

// The fibers of a trace have names, for their numbers differ from run to run.
func ExampleTrace_Fork() {
	trace := effecttest.New()
	started := effect.NewLatch(false)
	worker := trace.LogExit(started.Open().AndThen(effect.Never[int]()).Scoped())
	program := trace.Named("main", effect.Gen(func(do effect.Do) (effect.Unit, error) {
		f := do.Await(trace.Fork("worker", worker))
		do.Await(started.Await())
		do.Await(trace.Log("stop it"))
		do.Await(f.Interrupt())
		trace.Add("it ended as ", do.Await(f.Await()))
		return effect.Unit{}, nil
	}))
	_ = effect.RunExit(context.Background(), program)
	fmt.Println(strings.Join(trace.Lines(), "\n"))
	// Output:
	// stop it
	// it ended as Failure[Interrupt(main)]
}
