package effecttest_test

import (
	"testing"

	"github.com/rivus/agentkit/effect/effecttest"
)

// recording is a trace that ends with the exit "done".
func recording(lines ...string) effecttest.Recording {
	return effecttest.Recording{Trace: lines, Exit: "done"}
}

func accepts(t *testing.T, order effecttest.Order, want, got effecttest.Recording) {
	t.Helper()
	if err := effecttest.Compare(want, got, order); err != nil {
		t.Errorf("refused: %v", err)
	}
}

func refuses(t *testing.T, order effecttest.Order, want, got effecttest.Recording) {
	t.Helper()
	if effecttest.Compare(want, got, order) == nil {
		t.Errorf("accepted %q for %q", got.Trace, want.Trace)
	}
}

// orders are all strengths, each as weak as it can be.
var orders = map[string]effecttest.Order{
	"forced":      effecttest.Forced,
	"ties":        effecttest.Ties(),
	"cooperative": effecttest.Cooperative(effecttest.AnyOrder()),
}

func TestCompareAcceptsTheSameRecording(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			accepts(t, order, recording("a@0", "b@10", "b@10"), recording("a@0", "b@10", "b@10"))
			accepts(t, order, recording(), recording())
		})
	}
}

func TestCompareRefusesAMissingLine(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			refuses(t, order, recording("a@0", "b@10"), recording("a@0"))
			refuses(t, order, recording("a@0", "b@10"), recording("b@10"))
			refuses(t, order, recording("a@0", "a@0"), recording("a@0"))
			refuses(t, order, recording("a@0"), recording())
		})
	}
}

func TestCompareRefusesAnAddedLine(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			refuses(t, order, recording("a@0"), recording("a@0", "b@10"))
			refuses(t, order, recording("a@0"), recording("a@0", "a@0"))
			refuses(t, order, recording(), recording("a@0"))
		})
	}
}

func TestCompareRefusesAnotherLine(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) { refuses(t, order, recording("a@0", "b@10"), recording("a@0", "c@10")) })
	}
}

func TestCompareRefusesAnotherInstant(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) { refuses(t, order, recording("a@0", "b@10"), recording("a@0", "b@20")) })
	}
}

func TestCompareRefusesAnotherExit(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			refuses(t, order, recording("a@0"), effecttest.Recording{Trace: []string{"a@0"}, Exit: "failed"})
			refuses(t, order, recording("a@0"), effecttest.Recording{Trace: []string{"a@0"}})
		})
	}
}

func TestForcedRefusesLinesOutOfOrder(t *testing.T) {
	refuses(t, effecttest.Forced, recording("a@0", "b@0"), recording("b@0", "a@0"))
}

func TestTiesAcceptLinesOfOneInstantInAnyOrder(t *testing.T) {
	accepts(t, effecttest.Ties(), recording("a@0", "b@0", "c@10"), recording("b@0", "a@0", "c@10"))
}

func TestTiesRefuseInstantsOutOfOrder(t *testing.T) {
	refuses(t, effecttest.Ties(), recording("a@0", "b@10"), recording("b@10", "a@0"))
	refuses(t, effecttest.Ties(), recording("a@0", "b@0", "c@10"), recording("a@0", "c@10", "b@0"))
}

func TestTiesRefuseAnOrderThatARuleForbids(t *testing.T) {
	order := effecttest.Ties(effecttest.InOrder("a", "b"))
	accepts(t, order, recording("a@0", "b@0", "c@0"), recording("c@0", "a@0", "b@0"))
	refuses(t, order, recording("a@0", "b@0", "c@0"), recording("b@0", "a@0", "c@0"))
}

func TestCooperativeAcceptsWhatItsRulesAllow(t *testing.T) {
	order := effecttest.Cooperative(effecttest.InOrder("A1", "A2"), effecttest.InOrder("B1", "B2"))
	want := recording("A1", "B1", "A2", "B2")
	accepts(t, order, want, recording("B1", "B2", "A1", "A2"))
	accepts(t, order, want, recording("A1", "A2", "B1", "B2"))
	refuses(t, order, want, recording("A2", "B1", "A1", "B2"))
	refuses(t, order, want, recording("A1", "B2", "A2", "B1"))
}

func TestInOrderTakesLinesAtAnInstantOrAtAny(t *testing.T) {
	want := recording("tick@0", "tick@10", "end@10")
	accepts(t, effecttest.Ties(effecttest.InOrder("tick@10", "end")), want, recording("tick@0", "tick@10", "end@10"))
	refuses(t, effecttest.Ties(effecttest.InOrder("tick@10", "end")), want, recording("tick@0", "end@10", "tick@10"))
	refuses(t, effecttest.Ties(effecttest.InOrder("tick", "tick", "end")), want, recording("tick@0", "end@10", "tick@10"))
}

func TestInOrderRefusesALineThatIsNotThere(t *testing.T) {
	refuses(t, effecttest.Ties(effecttest.InOrder("a", "z")), recording("a@0"), recording("a@0"))
}

func TestMaybeAcceptsALineThatIsThereOrNot(t *testing.T) {
	order := effecttest.Cooperative(effecttest.Maybe("second"), effecttest.InOrder("first", "second", "end"))
	accepts(t, order, recording("first", "end"), recording("first", "end"))
	accepts(t, order, recording("first", "end"), recording("first", "second", "end"))
	accepts(t, order, recording("first", "second", "end"), recording("first", "end"))
	refuses(t, order, recording("first", "end"), recording("first", "end", "second"))
	refuses(t, order, recording("first", "end"), recording("first", "second", "second", "end"))
	refuses(t, order, recording("first", "end"), recording("first"))
}

func TestOrElseAcceptsAnotherRecording(t *testing.T) {
	other := effecttest.Recording{Trace: []string{"right"}, Exit: "2"}
	order := effecttest.Cooperative(effecttest.OrElse(other))
	accepts(t, order, recording("left"), recording("left"))
	accepts(t, order, recording("left"), other)
	refuses(t, order, recording("left"), recording("right"))
}

func TestTheOrderOfLinesThatAnotherRecordingHasNotIsNotAskedOfIt(t *testing.T) {
	order := effecttest.Cooperative(effecttest.InOrder("a", "b", "c"), effecttest.OrElse(recording("c", "b")))
	accepts(t, order, recording("a", "b", "c"), recording("b", "c"))
	refuses(t, order, recording("a", "b", "c"), recording("c", "b"))
	refuses(t, order, recording("a", "b", "c"), recording("b", "a", "c"))
}

func TestATextThatEndsInAnAtSignHasNoTime(t *testing.T) {
	accepts(t, effecttest.Ties(effecttest.InOrder("mail me@", "x@y")), recording("mail me@", "x@y"), recording("mail me@", "x@y"))
}
