package effect_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"pgregory.net/rapid"
)

// mergeProgram is a merge of layers of a few makers, each directly or as one that is made of others, and when it is interrupted.
type mergeProgram struct {
	makers    []mergeMaker
	branches  []mergeBranch
	interrupt int // ms; 0: never
}

type mergeMaker struct {
	takes int // ms, that building takes
	fails bool
	slow  bool // to release
	needs int  // a maker before it; -1: none
}

type mergeBranch struct {
	maker    int
	composed bool // feeds from a layer of nothing, at least
}

var mergePrograms = rapid.Custom(func(rt *rapid.T) (p mergeProgram) {
	n := rapid.IntRange(1, 4).Draw(rt, "makers")
	for i := range n {
		p.makers = append(p.makers, mergeMaker{
			takes: 100*rapid.IntRange(0, 4).Draw(rt, "takes") + 1<<i, // nothing ends at the same time as something else
			fails: rapid.IntRange(0, 4).Draw(rt, "fails") == 0,
			slow:  rapid.Bool().Draw(rt, "slow"),
			needs: rapid.IntRange(-1, i-1).Draw(rt, "needs"),
		})
	}
	maker := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 5).Draw(rt, "branches") {
		p.branches = append(p.branches, mergeBranch{maker.Draw(rt, "maker"), rapid.Bool().Draw(rt, "composed")})
	}
	if rapid.Bool().Draw(rt, "interrupted") {
		p.interrupt = 50 + 100*rapid.IntRange(0, 5).Draw(rt, "interrupt")
	}
	return p
})

// mergeRun is what a program did.
type mergeRun struct {
	exit     string
	begun    map[int]int // how often each was begun to be built
	acquired map[int]int // how many there are
	wrong    findings
}

// run runs the program. With apart, each branch is made of others, so that a fiber of its own builds it.
func (p mergeProgram) run(apart bool) (r mergeRun) {
	r.begun, r.acquired = map[int]int{}, map[int]int{}
	lock := NewSemaphore(1)
	note := func(f func()) Effect[Unit] { return lock.WithPermits(1, Call(f)) }
	var layers []*Layer
	for i, m := range p.makers {
		acquire := note(func() {
			r.begun[i]++
			r.acquired[i]++
			r.wrong.expect(r.acquired[i] == 1, "%+v: maker %d has %d at once", p, i, r.acquired[i])
		}).As(i)
		build := AcquireRelease(acquire, func(int, scope.Exit) Effect[Unit] {
			release := note(func() { r.acquired[i]-- })
			if m.slow {
				return Sleep(16 * ms).AndThen(release)
			}
			return release
		}).Tap(func(int) Effect[Unit] { return Sleep(time.Duration(m.takes) * ms) })
		if m.fails {
			build = build.AndThen(Fail[int](fmt.Errorf("maker %d", i)))
		}
		l := NewService[int](fmt.Sprint("maker ", i)).Layer(build)
		if m.needs >= 0 {
			l = l.Provide(layers[m.needs])
		}
		layers = append(layers, l)
	}
	var branches []*Layer
	for _, b := range p.branches {
		l := layers[b.maker]
		if b.composed || apart {
			l = l.Provide()
		}
		branches = append(branches, l)
	}
	f := Start(context.Background(), Sync(func() int { return 1 }).Provide(LayerMerge(branches...)))
	if p.interrupt > 0 {
		time.AfterFunc(time.Duration(p.interrupt)*ms, f.InterruptNow)
	}
	<-f.Done()
	synctest.Wait()
	time.Sleep(time.Second) // the interruption of one that was over before
	x, _ := f.Poll()
	r.exit = "1"
	if !x.IsSuccess() {
		r.exit = ""
		for _, reason := range x.Cause.Reasons() {
			if _, isInterrupt := reason.(errors.Interrupt); isInterrupt {
				reason = errors.Interrupt{}
			}
			r.exit += fmt.Sprint(reason, "; ")
		}
	}
	for i, n := range r.acquired {
		r.wrong.expect(n == 0, "%+v: maker %d has %d left", p, i, n)
	}
	for i, n := range r.begun {
		r.wrong.expect(n == 1, "%+v: maker %d was begun %d times", p, i, n)
	}
	return r
}

// One fiber gathers what makers build. It must do all that a fiber for each branch does.
func TestAMergeOfMakersDoesWhatAFiberForEachBranchDoes(t *testing.T) {
	checkProperty(t, mergePrograms, func(p mergeProgram) string {
		together, apart := p.run(false), p.run(true)
		wrong := append(together.wrong, apart.wrong...)
		wrong.expect(together.exit == apart.exit, "%+v: together it ends as %q, apart as %q", p, together.exit, apart.exit)
		return wrong.text()
	})
}

func TestAMergeThatCannotBeBuiltLeavesWhatOthersWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun int
		slow := NewService[int]("slow")
		slowLayer := slow.Layer(Call(func() { begun++ }).AndThen(Sleep(50 * ms)).As(1))
		broken := NewService[int]("broken").Layer(Sleep(10 * ms).AndThen(Fail[int](errors.New("broken"))))
		shared := NewMemoMap()
		other := Start(t.Context(), LayerBuildWith(slowLayer, shared).Map(func(s Services) int {
			n, _ := slow.In(s)
			return n
		}).Scoped())
		synctest.Wait()
		start := time.Now()
		_, err := LayerBuildWith(LayerMerge(slowLayer, broken), shared).Scoped().Run(t.Context())
		if took := time.Since(start); err == nil || took != 10*ms {
			t.Errorf("the merge ended with %v after %v", err, took)
		}
		if n, err := other.Join().Run(t.Context()); n != 1 || err != nil || begun != 1 {
			t.Errorf("the other has %d, %v; it was begun %d times", n, err, begun)
		}
	})
}
