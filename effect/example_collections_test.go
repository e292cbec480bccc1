package effect_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/samber/mo"
)

// measure is the size of a file of the examples; only files end in ".go".
func measure(name string) effect.Effect[int] {
	if !strings.HasSuffix(name, ".go") {
		return effect.Fail[int](fmt.Errorf("%s is no Go file", name))
	}
	return effect.Succeed(len(name))
}

func ExampleForEach() {
	// At most four at once; the values are in the order of the items all the same.
	show(effect.ForEach([]string{"a.go", "main.go"}, measure, effect.Concurrency(4)))
	show(effect.ForEach([]string{"a.go", "notes", "main.go"}, measure))
	// Output:
	// Success([4 7])
	// Failure(notes is no Go file)
}

func ExampleForEachDiscard() {
	show(effect.ForEachDiscard([]string{"first", "second"}, printing))
	// Output:
	// first
	// second
	// Success({})
}

func ExampleConcurrency() {
	crawl := func(limit ...effect.CollectOption) effect.Effect[[]int] {
		return effect.ForEach([]string{"a.go", "b.go", "c.go"}, measure, limit...)
	}
	show(crawl())                      // one after the other
	show(crawl(effect.Concurrency(2))) // two at a time
	show(crawl(effect.Unbounded))      // all at once
	// Output:
	// Success([4 4 4])
	// Success([4 4 4])
	// Success([4 4 4])
}

func ExampleAll() {
	show(effect.All([]effect.Effect[int]{measure("a.go"), measure("main.go")}, effect.Unbounded))
	show(effect.AllDiscard([]effect.Effect[int]{measure("a.go"), measure("notes")}))
	// Output:
	// Success([4 7])
	// Failure(notes is no Go file)
}

func ExampleAllMap() {
	show(effect.AllMap(map[string]effect.Effect[int]{"first": measure("a.go"), "second": measure("main.go")}))
	// Output: Success(map[first:4 second:7])
}

func ExampleAllResults() {
	results := effect.AllResults([]effect.Effect[int]{measure("a.go"), measure("notes"), measure("main.go")})
	show(results.Map(func(all []mo.Result[int]) (lines string) {
		for _, r := range all {
			lines += fmt.Sprint(r.OrElse(-1), " ")
		}
		return lines
	}))
	// Output: Success(4 -1 7 )
}

func ExamplePartition() {
	sorted, _ := effect.Partition([]string{"a.go", "notes", "main.go"}, measure).Run(context.Background())
	fmt.Println("sizes:", sorted.Successes)
	fmt.Println("left out:", sorted.Failures)
	// Output:
	// sizes: [4 7]
	// left out: [notes is no Go file]
}

func ExamplePartitioned() {
	report := func(p effect.Partitioned[int]) string {
		return fmt.Sprintf("%d of %d", len(p.Successes), len(p.Successes)+len(p.Failures))
	}
	show(effect.Partition([]string{"a.go", "notes"}, measure).Map(report))
	// Output: Success(1 of 2)
}

func ExampleValidate() {
	_, err := effect.Validate([]string{"notes", "a.go", "TODAY"}, measure).Run(context.Background())
	if invalid, ok := errors.AsType[*effect.ValidationError](err); ok {
		fmt.Println(len(invalid.Failures), "of", invalid.Items, "are wrong:")
		for _, failure := range invalid.Failures {
			fmt.Println("-", failure)
		}
	}
	// Output:
	// 2 of 3 are wrong:
	// - notes is no Go file
	// - TODAY is no Go file
}

func ExampleFilter() {
	long := func(name string) effect.Effect[bool] {
		return measure(name).Map(func(size int) bool { return size > 5 })
	}
	show(effect.Filter([]string{"a.go", "main.go", "effect.go"}, long))
	// Output: Success([main.go effect.go])
}

func ExampleFindFirst() {
	answers := func(mirror string) effect.Effect[bool] {
		return printing("ask " + mirror).As(mirror == "b")
	}
	show(effect.FindFirst([]string{"a", "b", "c"}, answers).Map(mo.Option[string].OrEmpty))
	// Output:
	// ask a
	// ask b
	// Success(b)
}

func ExampleHead() {
	show(effect.Head(effect.Succeed([]int{4, 7})))
	_, err := effect.Head(effect.Succeed([]int{})).Run(context.Background())
	_, nothing := errors.AsType[*effect.NoSuchElementError](err)
	fmt.Println(nothing)
	// Output:
	// Success(4)
	// true
}

func ExampleReduce() {
	total := func(sum int, name string) effect.Effect[int] {
		return measure(name).Map(func(size int) int { return sum + size })
	}
	show(effect.Reduce([]string{"a.go", "main.go"}, 0, total))
	// Output: Success(11)
}

func ExampleEffect_ZipWith() {
	sum := func(a, b int) int { return a + b }
	show(measure("a.go").ZipWith(measure("main.go"), sum, effect.Concurrency(2)))
	// Output: Success(11)
}

func ExamplePair() {
	both := effect.Zip(measure("a.go"), effect.OptionOf(effect.Fail[string](io.EOF)))
	show(both.Map(func(p effect.Pair[int, mo.Option[string]]) string {
		return fmt.Sprint(p.First, " ", p.Second.OrElse("no owner"))
	}))
	// Output: Success(4 no owner)
}
