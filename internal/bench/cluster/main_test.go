package main

import (
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
)

// Every way does the work it claims to, once.
func TestEveryWayCanBeRun(t *testing.T) {
	measure.SetRound(time.Nanosecond)
	if _, err := comparison().Run(1); err != nil {
		t.Error(err)
	}
}
