// Command compare runs the benchmarks and prints what they cost beside their
// baselines, peers and budgets, all from one run.
//
//	go run ./cmd/compare                   everything
//	go run ./cmd/compare -run 'fork|race'  the rows whose names match
//	go run ./cmd/compare -strict           exit status 1 where a budget is broken
//	go run ./cmd/compare -cluster          also beside etcd and Kubernetes' client
//	go run ./cmd/compare -docs ../../docs  write performance.md and its plots there
//
// Effect itself is measured beside ours where Node is found (AGENTKIT_NODE, or
// node on the path) and `npm install` has been run in the folder node.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/rivus/agentkit/internal/bench/collab"
	"github.com/rivus/agentkit/internal/bench/measure"
)

func main() {
	collab.RunRole()
	pattern := flag.String("run", "", "only what has a name that this regular expression matches")
	rounds := flag.Int("rounds", 7, "how many rounds each comparison takes")
	round := flag.Duration("round", 100*time.Millisecond, "how long each way works in one round")
	docs := flag.String("docs", "", "the folder to write performance.md and its plots into")
	cluster := flag.Bool("cluster", false, "compare with etcd and Kubernetes' client too, which takes minutes to compile")
	strict := flag.Bool("strict", false, "exit with status 1 if a budget is broken")
	flag.Parse()
	names, err := regexp.Compile(*pattern)
	if err != nil || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "compare: -run takes a regular expression, -rounds at least 1:", err)
		os.Exit(2)
	}
	measure.SetRound(*round)
	measure.KeepHeap()
	r, err := run(os.Stdout, options{names: names, rounds: *rounds, round: *round, cluster: *cluster})
	if err == nil && *docs != "" {
		err = r.writeDocs(*docs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	if broken := r.broken(); len(broken) > 0 {
		fmt.Println("\nover budget:")
		for _, b := range broken {
			fmt.Println(" ", b)
		}
		if *strict {
			os.Exit(1)
		}
	}
}
