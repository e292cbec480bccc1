package lease_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
)

// 4.1.2, and section 0's additions
func TestEveryFailureHasTheTagOfTheSpecificationAndSaysWhatToDo(t *testing.T) {
	for _, c := range []struct {
		failure errors.Tagged
		tag     string
		says    []string
	}{
		{&lease.Held{Key: "k", Generation: 3, Holder: stranger, HolderID: "x", RenewedAt: time.UnixMilli(0)}, "LeaseHeld",
			[]string{`"k"`, "pid 1 on elsewhere.example", "generation 3", "1970-01-01T00:00:00Z", "lease.Wait"}},
		{&lease.Lost{Key: "k", Generation: 3, Reason: lease.TakenOver, By: &stranger}, "LeaseLost", []string{`"k"`, "generation 3", "taken over by pid 1", "stop the work"}},
		{&lease.Lost{Key: "k", Reason: lease.Expired}, "LeaseLost", []string{"no renewal was confirmed in time"}},
		{&lease.Lost{Key: "k", Reason: lease.Missing}, "LeaseLost", []string{"gone from the store"}},
		{&lease.Lost{Key: "k", Reason: lease.ReleasedElsewhere}, "LeaseLost", []string{"released by somebody else"}},
		{&lease.FenceRejected{Key: "k", Generation: 3, Current: mo.Some[int64](4)}, "FenceRejected", []string{"token 3", "generation 4 is current", "drop this result"}},
		{&lease.FenceRejected{Key: "k", Generation: 3, Current: mo.Some[int64](3)}, "FenceRejected", []string{"the lease was released"}},
		{&lease.FenceRejected{Key: "k", Generation: 3}, "FenceRejected", []string{"no record"}},
		{&lease.ConfigInvalid{Message: "TTL is 0s"}, "LeaseConfigInvalid", []string{"TTL is 0s"}},
		{&lease.KeyInvalid{Key: strings.Repeat("x", 9999), Message: "it is empty"}, "LeaseKeyInvalid", []string{"xxx...", "it is empty", "use a non-empty"}},
		{&lease.Reentrant{Key: "k", Generation: 3, Operation: "acquire"}, "LeaseReentrant", []string{"acquire", `"k"`, "wait for itself"}},
		{&lease.RevisionConflict{Key: "k", Expected: mo.Some[int64](1), Stored: mo.Some[int64](2)}, "RevisionConflict", []string{"expected revision 1, found revision 2"}},
		{&lease.RevisionConflict{Key: "k"}, "RevisionConflict", []string{"expected no record, found no record"}},
		{&lease.RepositoryFailure{Key: "k", Reason: lease.IO, Message: "read", Cause: errDisk}, "LeaseRepositoryFailure", []string{`"k"`, "io", "read", "the disk is broken"}},
		{&lease.RepositoryFailure{Reason: lease.Busy, Message: "locked"}, "LeaseRepositoryFailure", []string{"lease store: busy: locked"}},
	} {
		if got := c.failure.Tag(); got != c.tag {
			t.Errorf("%T has the tag %q, want %q", c.failure, got, c.tag)
		}
		for _, part := range c.says {
			if text := c.failure.Error(); !strings.Contains(text, part) {
				t.Errorf("%T says %q, want it to say %q", c.failure, text, part)
			}
		}
	}
	if !errors.Is(&lease.RepositoryFailure{Cause: context.Canceled}, context.Canceled) {
		t.Error("a RepositoryFailure does not unwrap to its cause")
	}
}
