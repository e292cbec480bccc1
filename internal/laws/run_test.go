package laws

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// Faults are breaches of the core's promises, put in by hand so that the laws can be seen to notice them. The library under test
// is the same; what is changed is how a program becomes an effect.
type Faults struct {
	SkipFinalizers bool // those of what was interrupted
	DropReasons    bool // of finalizers
	DetachChildren bool // so that nobody awaits them
}

// Run is one run of a program as an effect, and what it kept an account of.
type Run struct {
	faults Faults
	at     int
	ready  chan struct{} // closed when main is set
	main   *effect.Fiber[int]

	mu     sync.Mutex
	trace  []string
	steps  int
	ledger ledger
}

// Execute runs the program as a fiber of its own with a scope of its own, and waits for it. The fiber is interrupted at the
// given step, the first one being 1, whichever fiber takes it; zero is no step.
func Execute(ctx context.Context, p *Program, interruptAt int, faults Faults) (*Run, Outcome) {
	r := &Run{at: interruptAt, faults: faults, ready: make(chan struct{})}
	return r, r.execute(ctx, r.effect(p))
}

// ExecuteParts is [Execute] for what combine makes of several programs. It tells how many steps were taken.
func ExecuteParts(ctx context.Context, parts []*Program, interruptAt int,
	combine func([]effect.Effect[int]) effect.Effect[int]) (steps int, _ Outcome) {
	r := &Run{at: interruptAt, ready: make(chan struct{})}
	effects := make([]effect.Effect[int], len(parts))
	for i, p := range parts {
		effects[i] = r.effect(p)
	}
	outcome := r.execute(ctx, combine(effects))
	return r.steps, outcome
}

func (r *Run) execute(ctx context.Context, e effect.Effect[int]) Outcome {
	r.main = effect.Start(ctx, effect.Sync(func() int { <-r.ready; return 0 }).AndThen(r.scoped(e)))
	close(r.ready)
	<-r.main.Done()
	exit, _ := r.main.Poll()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.over()
	return Outcome{r.trace, exit.Value, r.named(exit.Cause)}
}

// Steps is how many steps were taken.
func (r *Run) Steps() int { return r.steps }

// Breaches are the promises that were seen broken.
func (r *Run) Breaches() []string { return r.ledger.breaches }

// Raised are the failures and defects that came up.
func (r *Run) Raised() []int { return r.ledger.raised }

// Stop ends what a fault has left behind.
func (r *Run) Stop() {
	r.mu.Lock()
	stops := r.ledger.stops
	r.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
}

// effect is the meaning of a program.
func (r *Run) effect(p *Program) effect.Effect[int] {
	switch p.Kind {
	case Value:
		return effect.Succeed(p.N)
	case Step:
		return effect.Sync(func() int { r.step(p.N); return p.N })
	case Fail:
		return effect.Suspend(func() effect.Effect[int] { return effect.Fail[int](Failure(r.raise(p.N))) })
	case Die:
		return effect.Suspend(func() effect.Effect[int] { return effect.Die[int](r.raise(p.N)) })
	case Interrupt:
		return effect.Interrupt[int]()
	case Then:
		a, b := r.effect(p.A), r.effect(p.B)
		return a.FlatMap(func(x int) effect.Effect[int] { return b.Map(func(y int) int { return x + y }) })
	case Both:
		a, b := r.effect(p.A), r.effect(p.B)
		return effect.Gen(func(do effect.Do) (int, error) { return do.Await(a) + do.Await(b), nil })
	case Map:
		return r.effect(p.A).Map(func(n int) int { return n + 1 })
	case Catch:
		b := r.effect(p.B)
		return r.effect(p.A).Catch(func(error) effect.Effect[int] { return b })
	case CatchCause:
		b := r.effect(p.B)
		return r.effect(p.A).CatchCause(func(*errors.Cause) effect.Effect[int] { return b })
	case Finally:
		return r.finally(p)
	case Acquire:
		return r.acquire(p)
	case Scoped:
		return r.scoped(r.effect(p.A))
	case Uninterruptible:
		return r.effect(p.A).Uninterruptible()
	case Interruptible:
		return r.effect(p.A).Interruptible()
	case Mask:
		a, b := r.effect(p.A), r.effect(p.B)
		return effect.Mask(func(restore effect.Restore) effect.Effect[int] {
			return a.FlatMap(func(x int) effect.Effect[int] {
				return restore.On(b).Map(func(y int) int { return x + y })
			})
		})
	}
	return r.concurrent(p)
}

func (r *Run) concurrent(p *Program) effect.Effect[int] {
	switch p.Kind {
	case Sleep:
		return effect.Sleep(time.Duration(p.N) * time.Millisecond).As(p.N)
	case Fork:
		return r.fork(p).As(0)
	case Join:
		return r.fork(p).FlatMap(func(f *effect.Fiber[int]) effect.Effect[int] { return f.Join() })
	case ForkScoped:
		a := r.effect(p.A)
		return currentScope.Get().FlatMap(func(in int) effect.Effect[int] {
			return effect.ForkScoped(a).Map(func(f *effect.Fiber[int]) int {
				r.started(f, fiberOf{scope: in})
				return 0
			})
		})
	case Race:
		return effect.Race(r.effect(p.A), r.effect(p.B))
	case All:
		return effect.All([]effect.Effect[int]{r.effect(p.A), r.effect(p.B)}, effect.Unbounded).
			Map(func(ns []int) int { return ns[0] + ns[1] })
	case Timeout:
		return r.effect(p.A).TimeoutOrElse(time.Duration(p.N)*time.Millisecond, func() effect.Effect[int] { return effect.Succeed(p.N) })
	}
	panic(fmt.Sprint("no program is a ", p.Kind))
}

// currentScope is the number of the scope that surrounds an effect.
var currentScope = effect.NewReference("laws.Scope", func() int { return 0 })

func (r *Run) step(n int) {
	r.mu.Lock()
	r.trace = append(r.trace, fmt.Sprintf("step %d", n))
	r.steps++
	now := r.steps == r.at
	r.mu.Unlock()
	if now {
		r.main.InterruptNow()
	}
}

func (r *Run) raise(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.raised = append(r.ledger.raised, n)
	return n
}

func (r *Run) finally(p *Program) effect.Effect[int] {
	a, b := r.effect(p.A), r.effect(p.B)
	return effect.CurrentID().FlatMap(func(id errors.FiberID) effect.Effect[int] {
		on := stack{fiber: id}
		entry := r.opened(on)
		return a.OnExit(func(x effect.Exit[int]) (none effect.Effect[effect.Unit]) {
			if r.faults.SkipFinalizers && x.Cause.HasInterrupts() {
				return none
			}
			r.closed(on, entry, "finally %s", r.text(x.Value, x.Cause))
			return r.finalizer(b)
		})
	})
}

func (r *Run) finalizer(b effect.Effect[int]) effect.Effect[effect.Unit] {
	if r.faults.DropReasons {
		return b.IgnoreCause()
	}
	return b.AsUnit()
}

func (r *Run) acquire(p *Program) effect.Effect[int] {
	a, b := r.effect(p.A), r.effect(p.B)
	return effect.Zip(effect.CurrentID(), currentScope.Get()).FlatMap(func(at effect.Pair[errors.FiberID, int]) effect.Effect[int] {
		on := stack{fiber: at.First, scope: at.Second}
		var entry int
		acquire := a.Map(func(n int) int {
			r.log("acquired %d", p.N)
			entry = r.opened(on)
			return n
		})
		return effect.AcquireRelease(acquire, func(_ int, x scope.Exit) effect.Effect[effect.Unit] {
			n, _ := x.Value.(int)
			r.closed(on, entry, "release %d %s", p.N, r.text(n, x.Cause))
			return r.finalizer(b)
		})
	})
}

func (r *Run) scoped(e effect.Effect[int]) effect.Effect[int] {
	return effect.Suspend(func() effect.Effect[int] {
		r.mu.Lock()
		r.ledger.scopes++
		id := r.ledger.scopes
		r.mu.Unlock()
		return e.With(currentScope.Of(id)).Scoped().OnExit(func(effect.Exit[int]) (none effect.Effect[effect.Unit]) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.ledger.noneIn(id)
			return none
		})
	})
}

func (r *Run) fork(p *Program) effect.Effect[*effect.Fiber[int]] {
	fork := effect.Fork(r.effect(p.A))
	if r.faults.DetachChildren {
		fork = effect.ForkDetach(r.effect(p.A))
	}
	return effect.CurrentID().FlatMap(func(parent errors.FiberID) effect.Effect[*effect.Fiber[int]] {
		return fork.Map(func(f *effect.Fiber[int]) *effect.Fiber[int] {
			r.started(f, fiberOf{parent: parent})
			return f
		})
	})
}

func (r *Run) log(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trace = append(r.trace, fmt.Sprintf(format, args...))
}

// text is an exit as the model has it.
func (r *Run) text(n int, c *errors.Cause) string { return exit(n, r.named(c)) }

// named is a cause in which the fiber of the program is [Self].
func (r *Run) named(c *errors.Cause) *errors.Cause {
	if c == nil {
		return nil
	}
	reasons := make([]errors.Reason, len(c.Reasons()))
	for i, reason := range c.Reasons() {
		if n, ok := reason.(errors.Interrupt); ok && n.By == r.main.ID() {
			reason = errors.Interrupt{By: Self}
		}
		reasons[i] = reason
	}
	return errors.NewCause(reasons...)
}
