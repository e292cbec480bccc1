package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// measureCluster runs the comparison with etcd and Kubernetes' client, which is
// a module of its own and takes minutes to compile.
func (r *report) measureCluster(o options) error {
	if !o.cluster {
		return nil
	}
	command := exec.Command("go", "run", ".", "-rounds", fmt.Sprint(o.rounds), "-round", o.round.String())
	command.Dir = "cluster"
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("run the comparison in the folder cluster: %w", err)
	}
	r.cluster = string(output)
	return nil
}

func (r *report) writeCluster(w io.Writer) error {
	text := "\n## Beside a cluster\n\n" + r.cluster
	if r.cluster == "" {
		text = "\nBeside etcd and Kubernetes' leader election: skipped, ask for it with -cluster.\n"
	}
	_, err := io.Copy(w, strings.NewReader(text))
	return err
}
