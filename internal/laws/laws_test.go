package laws

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rivus/agentkit/errors"
	"pgregory.net/rapid"
)

// law is what holds for a program and the step at which it is interrupted; zero is no step. It returns how it is broken.
type law func(ctx context.Context, p *Program, interruptAt int, faults Faults) (steps int, broken error)

// eachStep checks the law for a program that is left alone, and then for one that is interrupted at each of its steps in turn.
func (l law) eachStep(t *testing.T, p *Program, faults Faults) (broken error) {
	synctest.Test(t, func(t *testing.T) {
		steps, err := l(t.Context(), p, 0, faults)
		for at := 1; err == nil && at <= steps; at++ {
			_, err = l(t.Context(), p, at, faults)
		}
		broken = err
	})
	return broken
}

// holds checks the law for random programs.
func (l law) holds(t *testing.T, kinds []Kind) {
	rapid.Check(t, func(r *rapid.T) {
		p := programs(kinds).Draw(r, "program")
		if err := l.eachStep(t, p, Faults{}); err != nil {
			r.Fatal(err)
		}
	})
}

// seesThrough checks that the law notices a fault with one of many programs.
func (l law) seesThrough(t *testing.T, kinds []Kind, faults Faults) {
	t.Helper()
	for seed := range 20_000 {
		p := programs(kinds).Example(seed)
		if err := l.eachStep(t, p, faults); err != nil {
			t.Logf("seen with program %d", seed)
			return
		}
	}
	t.Error("the law holds in spite of the fault")
}

// asTheModelSays is the law that a program does and ends as the model has it.
func asTheModelSays(ctx context.Context, p *Program, at int, faults Faults) (int, error) {
	want := Model(p, at)
	r, got := Execute(ctx, p, at, faults)
	if !slices.Equal(got.Trace, want.Trace) || got.Value != want.Value || !got.Cause.Equal(want.Cause) {
		return 0, fmt.Errorf("%v interrupted at %d:\n got %q %d %v\nwant %q %d %v",
			p, at, got.Trace, got.Value, got.Cause, want.Trace, want.Value, want.Cause)
	}
	return r.Steps(), nil
}

// nothingIsLeft is the law that finalizers run exactly once and in reverse order, and that no fiber outlives its parent or its
// scope.
func nothingIsLeft(ctx context.Context, p *Program, at int, faults Faults) (int, error) {
	r, _ := Execute(ctx, p, at, faults)
	breaches := r.Breaches()
	r.Stop()
	synctest.Wait()
	if len(breaches) > 0 {
		return 0, fmt.Errorf("%v interrupted at %d: %q", p, at, breaches)
	}
	return r.Steps(), nil
}

// noReasonIsLost is the law that every failure and defect that comes up where nothing handles it is a reason of the cause.
func noReasonIsLost(ctx context.Context, p *Program, at int, faults Faults) (int, error) {
	r, got := Execute(ctx, p, at, faults)
	var found []int
	for _, reason := range got.Cause.Reasons() {
		switch reason := reason.(type) {
		case errors.Fail:
			found = append(found, int(reason.Err.(Failure)))
		case errors.Die:
			if f, ok := reason.Defect.(Failure); ok { // turned into a defect by another one
				found = append(found, int(f))
			} else {
				found = append(found, reason.Defect.(int))
			}
		}
	}
	for _, n := range r.Raised() {
		if !slices.Contains(found, n) {
			return 0, fmt.Errorf("%v interrupted at %d: %d came up, but the cause is %v", p, at, n, got.Cause)
		}
	}
	return r.Steps(), nil
}

func TestProgramsDoWhatTheModelSays(t *testing.T) { law(asTheModelSays).holds(t, sequentialKinds) }

func TestTheModelNoticesASkippedFinalizer(t *testing.T) {
	law(asTheModelSays).seesThrough(t, sequentialKinds, Faults{SkipFinalizers: true})
}

func TestTheModelNoticesADroppedReason(t *testing.T) {
	law(asTheModelSays).seesThrough(t, sequentialKinds, Faults{DropReasons: true})
}

func TestFinalizersRunOnceInReverseAndNoFiberOutlivesItsOwner(t *testing.T) {
	law(nothingIsLeft).holds(t, allKinds)
}

func TestTheLedgerNoticesASkippedFinalizer(t *testing.T) {
	law(nothingIsLeft).seesThrough(t, allKinds, Faults{SkipFinalizers: true})
}

func TestTheLedgerNoticesAChildThatNobodyAwaits(t *testing.T) {
	law(nothingIsLeft).seesThrough(t, allKinds, Faults{DetachChildren: true})
}

func TestNoReasonIsLost(t *testing.T) { law(noReasonIsLost).holds(t, plainKinds) }

func TestTheLawOfReasonsNoticesADroppedOne(t *testing.T) {
	law(noReasonIsLost).seesThrough(t, plainKinds, Faults{DropReasons: true})
}
