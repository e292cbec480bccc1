package guides

import (
	"fmt"
	"testing"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

func explain(err error) string {
	if held, ok := errors.AsType[*lease.Held](err); ok {
		return fmt.Sprintf("busy: %v has it", held.Holder)
	}
	if tag, ok := errors.TagOf(err); ok {
		return "look up " + tag
	}
	return "no expected failure"
}

func TestAnErrorIsExplainedByItsTypeOrItsTag(t *testing.T) {
	for want, err := range map[string]error{
		"busy: pid 7 on here has it": fmt.Errorf("begin: %w", &lease.Held{Key: "k", Holder: platform.ProcessIdentity{Host: "here", PID: 7}}),
		"look up LeaseLost":          errors.FailCause(&lease.Lost{Key: "k", Reason: lease.Expired}),
		"no expected failure":        errors.DieCause(&lease.Lost{Key: "k"}),
	} {
		if got := explain(err); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}
