package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// leaderElection is elected and steps down, with nobody against it and the
// record in memory: what remains is the client's own work.
var leaderElection = measure.Work{Name: "client-go leaderelection, memory", Bench: func(b *testing.B) {
	lock := &memoryLock{}
	for b.Loop() {
		ctx, stepDown := context.WithCancel(context.Background())
		elected := false
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 10 * time.Second, RenewDeadline: 8 * time.Second, RetryPeriod: 2 * time.Second,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { elected = true; stepDown() },
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		elector.Run(ctx)
		if stepDown(); !elected {
			b.Fatal("nobody was elected")
		}
	}
}}

// memoryLock keeps the election's record in memory.
type memoryLock struct {
	mu     sync.Mutex
	record *resourcelock.LeaderElectionRecord
	raw    []byte
}

func (l *memoryLock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return nil, nil, errors.NewNotFound(schema.GroupResource{Resource: "leases"}, "work")
	}
	record := *l.record
	return &record, l.raw, nil
}

func (l *memoryLock) Create(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.Update(context.Background(), record)
}

func (l *memoryLock) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record, l.raw = &record, []byte(record.HolderIdentity+record.RenewTime.String())
	return nil
}

func (*memoryLock) RecordEvent(string) {}
func (*memoryLock) Identity() string   { return "bench" }
func (*memoryLock) Describe() string   { return "memory" }
