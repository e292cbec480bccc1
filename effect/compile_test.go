package effect_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rivus/agentkit/effect"
)

// A method without a type parameter, and every type that it mentions, is compiled anew for each A of a program. With seventy
// of them a type cost two seconds. Reflection sees just these methods: new ones should have a type parameter (that of a
// function they take will do), or be functions.
func TestFewMethodsAreCompiledForEveryType(t *testing.T) {
	allowed := []string{"AsUnit", "Ignore", "IgnoreCause", "InScope", "Interruptible", "OrDie", "Run", "Sandbox", "Scoped",
		"Timeout", "Uninterruptible", "UseScope", "With", "WithServices"}
	var found []string
	for m := range reflect.TypeFor[*effect.Effect[int]]().Methods() {
		found = append(found, m.Name)
	}
	if !slices.Equal(found, allowed) {
		t.Errorf("got %q; want %q", found, allowed)
	}
}
