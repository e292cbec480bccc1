// Command cluster compares acquiring and releasing a lease with what a cluster
// offers for it: a mutex of etcd, with a server in this process, and a leader
// election of Kubernetes' client over a store in memory.
//
// It is a module of its own, since it needs more code than all the rest
// together.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/internal/bench/measure"
	"k8s.io/klog/v2"
)

func main() {
	rounds := flag.Int("rounds", 7, "how many rounds the comparison takes")
	round := flag.Duration("round", 100*time.Millisecond, "how long each way works in one round")
	flag.Parse()
	klog.LogToStderr(false) // the election tells of every turn
	klog.SetOutput(io.Discard)
	measure.SetRound(*round)
	measure.KeepHeap()
	if err := compare(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func compare(rounds int) error {
	outcome, err := comparison().Run(rounds)
	if err != nil {
		return err
	}
	return measure.Table(os.Stdout, []measure.Outcome{outcome})
}

func comparison() measure.Comparison {
	return measure.Comparison{
		Name: "lease: acquire and release", Ours: agentkitSQLite, Baseline: etcdMutex,
		Peers:  []measure.Work{leaderElection, agentkitMemory},
		Budget: measure.Budget{Allocs: measure.Unbounded},
	}
}

var (
	agentkitSQLite = measure.Work{Name: "agentkit, SQLite", Bench: func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "leases.db")
		acquireRelease(b, lease.OpenSQLite(path).Map(func(s *lease.SQLite) lease.Repository { return s }))
	}}
	agentkitMemory = measure.Work{Name: "agentkit, memory", Bench: func(b *testing.B) {
		acquireRelease(b, effect.Sync(func() lease.Repository { return lease.NewMemory() }))
	}}
)

// acquireRelease does so as long as the benchmark goes on.
func acquireRelease(b *testing.B, open effect.Effect[lease.Repository]) {
	work := open.FlatMap(func(repository lease.Repository) effect.Effect[effect.Unit] {
		m, err := lease.NewManager(repository, lease.Config{TTL: 10 * time.Second, Heartbeat: 2 * time.Second})
		if err != nil {
			return effect.Fail[effect.Unit](err)
		}
		turn := m.Acquire("work").AsUnit().Scoped()
		return effect.TryCall(func(ctx context.Context) (err error) {
			for b.Loop() && err == nil {
				_, err = effect.Await(ctx, turn)
			}
			return err
		})
	})
	if _, err := work.Scoped().Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}
